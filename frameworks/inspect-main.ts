/** `node inspect-main.ts NAME`: loads both halves of a framework from outside, and prints what is wrong with them, or nothing. */
import { messageOf } from '../results/user-error.ts';
import { findFramework } from './discover.ts';
import { loadHalf } from './framework.ts';
import { MODES, modesOf } from './modes.ts';

const ADVICE = 'docs/project/adding-a-framework.md says what is expected';

const framework = await findFramework(process.argv[2]!);
const runsInNode = modesOf(framework.about).some((mode) => !MODES[mode].needsChrome);
// A client without a mode in Node may well load in a page only.
const problem =
  (runsInNode ? await problemOf('client', ['join']) : null) ?? (await problemOf('server', ['serve', 'start']));
console.log(problem ?? '');
// Timers and sockets that libraries leave open must not keep this process alive.
process.exit();

async function problemOf(half: 'client' | 'server', functions: readonly string[]): Promise<string | null> {
  const path = framework[half];
  try {
    const { [half]: exported } = await loadHalf<Record<string, unknown>>(framework, half);
    if (exported === undefined) return `${path} exports no "${half}"; ${ADVICE}`;
    const isOne = typeof exported === 'object' && exported !== null;
    const absent = functions.find(
      (name) => !isOne || typeof (exported as Record<string, unknown>)[name] !== 'function',
    );
    if (absent === undefined) return null;
    return `the "${half}" that ${path} exports has no function "${absent}"; ${ADVICE}`;
  } catch (error) {
    return messageOf(error).split('\n')[0]!;
  }
}
