/**
 * `node frameworks/inspect-main.ts FRAMEWORK HALF…` loads halves of a framework from outside, and prints why one is none, in a
 * sentence; nothing if all are.
 */
import { messageOf } from '../results/user-error.ts';
import { type Loadable, loadHalf } from './framework.ts';

const ADVICE = 'docs/project/adding-a-framework.md says what is expected';
const FUNCTIONS = { client: ['join'], server: ['serve', 'start'] } as const;

const LIMIT_MS = 60_000;

export type Half = keyof typeof FUNCTIONS;

const [framework, ...halves] = process.argv.slice(2) as [string, ...Half[]];
const loadable = JSON.parse(framework) as Loadable;
let problem: string | null = null;
// The answer is all of this process's output: what a half prints as it is loaded is no part of it.
const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
for (const half of halves) {
  const late = setTimeout(() => {
    answer(`${loadable[half]} is not loaded after ${LIMIT_MS / 1000} s; let it wait for nothing at its top`, () =>
      process.exit(),
    );
  }, LIMIT_MS).unref();
  problem ??= await problemOf(half);
  clearTimeout(late);
}
// Timers and sockets that libraries leave open must not keep this process alive.
answer(problem ?? '', () => process.exit());

async function problemOf(half: Half): Promise<string | null> {
  const path = loadable[half];
  try {
    const { [half]: exported } = await loadHalf<Record<string, unknown>>(loadable, half);
    if (exported === undefined) return `${path} exports no "${half}"; ${ADVICE}`;
    const isOne = typeof exported === 'object' && exported !== null;
    const absent = FUNCTIONS[half].find(
      (name) => !isOne || typeof (exported as Record<string, unknown>)[name] !== 'function',
    );
    if (absent === undefined) return null;
    return `the "${half}" that ${path} exports has no function "${absent}"; ${ADVICE}`;
  } catch (error) {
    return messageOf(error).split('\n')[0]!;
  }
}
