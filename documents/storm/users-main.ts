/** A process of users without a browser, all on one thread: who writes the document, and who comes in the storm. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { shownDelta } from '../../editors/base/delta.ts';
import type { FrameworkClient } from '../../editors/base/framework.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { loadClient } from '../../frameworks/framework.ts';
import { readingOf } from '../../harness/attached/protocols.ts';
import { answerCalls } from '../../infra/process/answers.ts';
import { severalAtOnce } from '../../infra/several-at-once.ts';
import { messageOf } from '../../results/user-error.ts';
import type { Place } from '../join/held-document.ts';
import { WrittenDocument } from '../join/written-document.ts';
import { readEdits } from '../replay/edits.ts';
import { SubjectFailure } from '../scenario.ts';
import { BUSY_PERCENT } from './figures.ts';
import { SocketUsers } from './sockets.ts';
import { keysIn, StormUser, type StormUserOptions } from './user.ts';

/** How often it is looked how busy this process is. */
const LOOK_PERIOD_MS = 250;

let framework: FrameworkClient;
let place: Place;
let users: StormUser[] = [];
let sockets: SocketUsers;
let author: WrittenDocument | null = null;
let busyMs = 0;
let last = performance.eventLoopUtilization();
// A thread that is busy comes late, and then tells of a longer time.
setInterval(() => {
  const now = performance.eventLoopUtilization();
  const { utilization, active, idle } = performance.eventLoopUtilization(now, last);
  if (100 * utilization > BUSY_PERCENT) busyMs += active + idle;
  last = now;
}, LOOK_PERIOD_MS);

/** In it, timers and events of a user's client are found again. */
const running = new AsyncLocalStorage<StormUser>();
// A library that throws in its own timer has lost its user, not the trial.
process.on('uncaughtException', (error) => {
  const user = running.getStore();
  if (user !== undefined) return user.lose(`it threw: ${messageOf(error)}`);
  console.error(error);
  process.exit(1);
});

interface StartOptions extends Pick<StormUserOptions, 'place' | 'users' | 'unsent'> {
  framework: string;
  /** Of the users of this process with clients. */
  numbers: number[];
  /** So many more are sockets. */
  sockets: number;
}

const calls = {
  async start({ numbers, sockets: count, ...options }: StartOptions) {
    place = options.place;
    const found = await findFramework(options.framework);
    framework = await loadClient(found);
    const reading = readingOf(found.about);
    sockets = new SocketUsers({ count, live: numbers.length, reading, place });
    users = numbers.map((number) => new StormUser({ ...options, number, client: framework }));
  },
  /**
   * An author makes all edits and stays; a second user proves that the server has them.
   *
   * @returns the text
   * @throws SubjectFailure if that takes longer than `limitMs`
   */
  async fill(editsFile: string, limitMs: number) {
    const edits = await readEdits(editsFile);
    if (keysIn(edits.endContent).length > 0) {
      throw new Error('the trace has characters for private use, by which users’ keys are known here; take another');
    }
    const deadline = { limitMs, endMs: performance.now() + limitMs };
    author = await WrittenDocument.fill({ client: framework, place, edits, typists: 1, deadline, onLost: () => {} });
    return edits.endContent;
  },
  /**
   * All of them join, so many at a time; resolves once each has, or cannot.
   *
   * @param isStorm     true: each types its key at once, and sockets come along
   * @param wholeLength of an editor that holds the document
   * @throws SubjectFailure if a socket cannot join before the storm
   */
  async join(atOnce: number, isStorm: boolean, wholeLength: number) {
    if (isStorm) sockets.begin();
    await severalAtOnce(users, Math.min(atOnce, users.length), async (user) => {
      await running.run(user, async () => {
        await user.join(wholeLength);
        if (isStorm) user.typeBack();
      });
    });
    if (isStorm) return;
    await sockets.join(atOnce).catch((error: Error) => {
      throw new SubjectFailure('not-joined', `a socket could not join: ${error.message}`);
    });
    sockets.begin();
  },
  /** The author of the document leaves it to the users. */
  async authorLeaves() {
    await author?.author.replica.leave();
  },
  /** Each types the keys that no server takes now. */
  async typeUnsent() {
    for (const user of users) running.run(user, () => user.typeUnsent());
  },
  /** Resolves once each has seen all keys or has given up, and each socket has the document or is denied it; or after this time. */
  async untilDone(limitMs: number) {
    const late = new Promise((resolve) => setTimeout(resolve, limitMs));
    await Promise.race([Promise.all([...users, sockets].map(({ done }) => done)), late]);
  },
  marks: async () => users.map(({ marks }) => marks),
  socketMarks: async () => sockets.marks,
  /** The different texts of their editors; and how many models do not hold what their editor shows, of those that were compared. */
  async texts() {
    const texts = new Set<string>();
    for (const { editor, replica } of users) if (replica !== null) texts.add(editor.getText());
    // Reading a model may take long: one stands for the others of its process.
    const [first] = users.filter(({ replica }) => replica !== null);
    const isLike = first === undefined || textOf(first) === first.editor.getText();
    return { texts: [...texts], unlikeModels: isLike ? 0 : 1 };
  },
  /** How long its thread has had hardly any rest, so far. */
  busyMs: async () => busyMs,
};
export type UserCalls = typeof calls;
answerCalls(calls, async () => sockets.close());

function textOf({ replica }: StormUser): string {
  return shownDelta(replica!.contents())
    .ops.map(({ insert }) => insert)
    .join('');
}
