/** One trial: users type, at one moment the server, its store or the power is struck, and then it is seen what is still there. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import type { KeptStore } from '../../editors/base/stores.ts';
import { markedProcesses } from '../../harness/probes/process-tree.ts';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { type DelayLine, startDelayLine } from '../../infra/network/delay-line.ts';
import { targetAt } from '../../infra/network/line-target.ts';
import type { CalledProcess } from '../../infra/process/calls.ts';
import { type PowerLoss, powerLoss } from '../../infra/stores/power-loss.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { besideServer, type LiveServer, reopened, type TrialSurroundings } from '../live-server.ts';
import { type ExperimentOf, SubjectFailure } from '../scenario.ts';
import { withLimit } from '../trial-processes.ts';
import { type AwaitedWords, awaitedWords, untilWhole, writeBefore } from './before.ts';
import { type EarlyClient, linesOf } from './figures.ts';
import { Ledger } from './ledger.ts';
import type { UserCalls, UserNews } from './user-main.ts';
import { wordsIn } from './words.ts';

/** How long a user may take to join before the kill. */
const JOIN_LIMIT_MS = 60_000;
/** How long a newcomer who has the text of before is alone with the server: by then it has all that the server has for it. */
const ALONE_MS = 1000;
const SETTLE_POLL_MS = 100;
const LEAVE_LIMIT_MS = 3000;
const DOCUMENT = 'kept';

export type KeptExperiment = ExperimentOf<'kept'>;
export type Crash = {
  framework: string;
  store: KeptStore;
  struck: KeptExperiment['struck'][number];
  left: KeptExperiment['left'][number];
};
/** With as many edits before, unless the document is empty as users come. */
export type KeptCell = Crash | (Crash & { edits: number });
export type KeptTrialOptions = Crash &
  Omit<TrialSurroundings, 'editsFile'> &
  Pick<
    KeptExperiment,
    'users' | 'wordsPerSecond' | 'killFromMs' | 'killToMs' | 'oneWayDelayMs' | 'downForMs' | 'settleMs'
  > & {
    seed: number;
    /** Those that the document holds before, as `readEdits` reads them; null: none. */
    editsFile: string | null;
    /** The library that `readySynced` made; null: nothing strikes the power. */
    syncedLibrary: string | null;
  };

type UserProcess = CalledProcess<UserCalls, UserNews>;

/** The document that a newcomer got; null: the server let them in. */
type Met =
  | (Pick<EarlyClient, 'joinedMs' | 'isEmpty' | 'wholeMs'> & { refusal: null; text: string })
  | { refusal: string; text: '' };

/**
 * @returns the lines of its record
 * @throws SubjectFailure if the framework did not come as far as the kill, or its server does not start over what that left
 */
export async function measureKept(options: KeptTrialOptions): Promise<RecordLine[]> {
  const { framework, store, struck, folder, signal, syncedLibrary } = options;
  // Nobody else knows this name.
  const power = struck === 'power' ? powerLoss(syncedLibrary!, join(folder, randomUUID())) : null;
  let trial: KeptTrial | null = null;
  const behind = { store, environment: power?.environment };
  const mayEnd = (how: string) => trial?.mayServerEnd(how) ?? false;
  try {
    return await besideServer({ framework, folder, signal, behind, mayEnd }, async (live) => {
      trial = new KeptTrial(options, live, power);
      try {
        return await trial.run();
      } catch (error) {
        // Only a sample tells of a full disk, which is no failure of the framework's, and ends the trial with that.
        await live.server.sample().catch(() => {});
        throw error;
      } finally {
        await trial.end();
      }
    });
  } finally {
    // Server and store have ended, which write there.
    await power?.end();
  }
}

class KeptTrial {
  readonly #options: KeptTrialOptions;
  readonly #live: LiveServer;
  readonly #power: PowerLoss | null;
  readonly #ledger = new Ledger();
  /** Those who type, each in a process that can be killed; those who stay come first. */
  readonly #users: UserProcess[];
  /** Joins after the kill. */
  readonly #newcomer: UserProcess;
  /** Joins at the very end, and never held the document before. */
  readonly #reader: UserProcess;
  /** All who type have it. Those who stay come back only when it is whole again. */
  #line: DelayLine | null = null;
  #mendLine = () => {};
  #isStoreDown = false;
  #serverDied: string | null = null;
  /** The text before these users came; empty: there was none. */
  #before = '';

  constructor(options: KeptTrialOptions, live: LiveServer, power: PowerLoss | null) {
    this.#options = options;
    this.#live = live;
    this.#power = power;
    const launch = () => live.launch<UserCalls, UserNews>('kept/user-main.ts', this.#ledger.follow());
    this.#users = Array.from({ length: options.users }, launch);
    this.#newcomer = launch();
    this.#reader = launch();
  }

  async run(): Promise<RecordLine[]> {
    const { framework, editsFile } = this.#options;
    if (editsFile !== null) {
      this.#before = await writeBefore(this.#live, { framework, documentId: DOCUMENT, editsFile });
      // It ends in order, so that they are kept as if they were old.
      await reopenedOverStore(this.#live.server.roll(0));
    }
    const acknowledges = await this.#gather();
    await this.#typeUntilKill();
    const { killedMs, servedMs } = await this.#strike();
    const met = await this.#meet(this.#newcomer);
    const closing = await this.#comeBack();
    const lastText = await this.#settle(closing, met.refusal === null);
    await this.#leave();
    // The server ends in order and starts over its store, so that the last newcomer gets what is stored.
    await reopenedOverStore(this.#live.server.roll(0));
    const typed = this.#ledger.editsUntil(killedMs);
    const end = await this.#meet(this.#reader, awaitedWords({ before: this.#before, shown: lastText, typed }));
    const { store } = await this.#live.server.sample();
    this.#live.signal.throwIfAborted();
    const shownMs = this.#ledger.shownTo(this.#options.users);
    return linesOf({
      ...{ killedMs, servedMs, acknowledges, closing, serverDied: this.#serverDied },
      before: this.#before,
      edits: this.#ledger.editsUntil(killedMs),
      early: met.refusal === null ? { ...met, storedText: met.text, lastText, shownMs } : null,
      ...{ endText: end.text, refusal: end.refusal },
      sizeBytes: store?.sizeBytes ?? null,
      reasons: this.#ledger.reasons,
    });
  }

  async end(): Promise<void> {
    await this.#line?.stop();
  }

  /** True if a server that ended did so because its store was killed: it is started again with the store. */
  mayServerEnd(how: string): boolean {
    if (this.#isStoreDown) this.#serverDied ??= how;
    return this.#isStoreDown;
  }

  /** All join. @returns true if the library tells what is acknowledged */
  async #gather(): Promise<boolean> {
    const { framework, oneWayDelayMs } = this.#options;
    const processes = [...this.#users, this.#newcomer, this.#reader];
    await Promise.all(processes.map((process) => process.call('start', framework)));
    const url = new URL(this.#live.url);
    const link = { oneWayDelayMs, jitterMs: 0, bandwidthBytesPerSecond: null };
    this.#line = await startDelayLine({ target: targetAt(url), link, seed: 0 });
    url.port = String(this.#line.port);
    let acknowledges = true;
    for (const [number, user] of this.#users.entries()) {
      const joining = user.call('join', number, { url: url.href, documentId: DOCUMENT });
      const joined = await within(JOIN_LIMIT_MS, joining).catch((error: Error) => {
        throw new SubjectFailure('not-joined', `a user who is to type could not join: ${error.message}`);
      });
      acknowledges &&= joined.acknowledges;
    }
    if (this.#before !== '') await Promise.all(this.#users.map((user) => this.#untilWhole(user)));
    return acknowledges;
  }

  async #untilWhole(user: UserProcess): Promise<void> {
    if (await this.#isWhole(user, JOIN_LIMIT_MS)) return;
    const message = `its server does not give back the text of before: not after ${JOIN_LIMIT_MS / 1000} s`;
    throw new SubjectFailure('not-kept', message);
  }

  #isWhole(user: UserProcess, limitMs: number, awaited: AwaitedWords = {}): Promise<boolean> {
    const { signal } = this.#live;
    return untilWhole(() => user.call('text'), { before: this.#before, ...awaited, limitMs, signal });
  }

  async #typeUntilKill(): Promise<void> {
    const { seed, killFromMs, killToMs, wordsPerSecond } = this.#options;
    const { server, signal } = this.#live;
    await this.#power?.begin(server.folder!, markedProcesses(this.#power.synced));
    await Promise.all(this.#users.map((user) => user.call('startTyping', wordsPerSecond)));
    const typeForMs = killFromMs + prng.real53(prng.create(seed)) * (killToMs - killFromMs);
    await setTimeout(typeForMs, undefined, { signal });
  }

  /** @returns when all was struck, and when server and store took connections again */
  async #strike(): Promise<{ killedMs: number; servedMs: number }> {
    const { struck, left, users, downForMs } = this.#options;
    const killedMs = nowMs();
    const strikes = { server: this.#killServer, store: this.#killStore, both: this.#killAll, power: this.#killAll };
    const striking = strikes[struck].call(this, killedMs + downForMs).then(nowMs);
    const gone = this.#users.splice({ none: 0, one: 1, all: users }[left]);
    const going = gone.map((user) => user.kill());
    // While the server is up, nobody need come back.
    if (struck !== 'store') this.#mendLine = this.#line!.begin({ kind: 'offline' });
    const stopping = this.#users.map((user) => user.call('stopTyping'));
    const [servedMs] = await Promise.all([striking, ...going, ...stopping]);
    return { killedMs, servedMs };
  }

  #killServer(untilMs: number): Promise<void> {
    return reopenedOverStore(this.#live.server.restart(untilMs), untilMs);
  }

  async #killStore(untilMs: number): Promise<void> {
    this.#isStoreDown = true;
    await this.#live.server.restartStore(untilMs);
    this.#isStoreDown = false;
    if (this.#serverDied !== null) await this.#killServer(nowMs());
  }

  async #killAll(untilMs: number): Promise<void> {
    const { server } = this.#live;
    await server.killAll();
    await this.#power?.strike(server.folder!);
    await realTimer.until(untilMs);
    await reopenedOverStore(server.startAgain());
  }

  /**
   * Somebody joins as soon as the server lets them in, and is alone with it until it has what the server has.
   *
   * @param awaited is waited for, too
   */
  async #meet(newcomer: UserProcess, awaited?: AwaitedWords): Promise<Met> {
    const { users, settleMs } = this.#options;
    const { signal, url } = this.#live;
    const joining = newcomer.call('join', users, { url, documentId: DOCUMENT });
    const joined = await within(settleMs, joining).catch((error: Error) => error.message);
    signal.throwIfAborted();
    if (typeof joined === 'string') return { refusal: joined, text: '' };
    const isWhole = await this.#isWhole(newcomer, settleMs, awaited);
    await setTimeout(ALONE_MS, undefined, { signal });
    const { atMs: joinedMs, isEmpty } = joined;
    const [text, changedMs] = [await newcomer.call('text'), await newcomer.call('changedMs')];
    return { refusal: null, joinedMs, isEmpty, wholeMs: isWhole ? Math.max(joinedMs, changedMs) : null, text };
  }

  /** Those who stayed come back, and each types one more word. @returns these words */
  #comeBack(): Promise<string[]> {
    this.#mendLine();
    return Promise.all(this.#users.map((user) => user.call('type')));
  }

  /** @returns the newcomer's text once those who stayed hold the same and it has their words; or as it is at the limit */
  async #settle(closing: readonly string[], isNewcomerIn: boolean): Promise<string> {
    const { signal } = this.#live;
    for (const endMs = nowMs() + this.#options.settleMs; ; await setTimeout(SETTLE_POLL_MS, undefined, { signal })) {
      const [text, ...others] = await Promise.all(
        [this.#newcomer, ...this.#users].map((process) => process.call('text')),
      );
      const words = wordsIn(text!);
      const isOne = closing.every((word) => words.includes(word)) && others.every((other) => other === text);
      if ((isNewcomerIn && isOne) || others.length === 0 || nowMs() > endMs) return text!;
    }
  }

  /** Everyone leaves in order. */
  async #leave(): Promise<void> {
    const all = [this.#newcomer, ...this.#users];
    await Promise.allSettled(all.map((user) => within(LEAVE_LIMIT_MS, user.call('leave'))));
    this.#live.signal.throwIfAborted();
    await Promise.all(all.map((user) => user.end()));
  }
}

/** @throws as `reopened` does */
function reopenedOverStore(starting: Promise<void>, fromMs?: number): Promise<void> {
  return reopened(starting, 'its server, over its store', fromMs);
}

/** @throws Error if it takes longer */
function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  return withLimit(work, limitMs, () => new Error(`not after ${limitMs / 1000} s`));
}
