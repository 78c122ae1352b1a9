/** One trial: users type, at one moment the server, its store or the power is struck, and then it is seen what is still there. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import type { KeptStore } from '../../editors/base/stores.ts';
import type { kept } from '../../harness/experiment/document-experiments.ts';
import type { ValueOf } from '../../harness/experiment/property.ts';
import { markedProcesses } from '../../harness/probes/process-tree.ts';
import { BackingFailure } from '../../harness/server/trial-store.ts';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { type DelayLine, startDelayLine } from '../../infra/network/delay-line.ts';
import { tcpTarget } from '../../infra/network/line-target.ts';
import type { CalledProcess } from '../../infra/process/calls.ts';
import { PowerLoss } from '../../infra/stores/power-loss.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { type Place, withLimit } from '../join/processes.ts';
import { besideServer, type LiveServer } from '../live-server.ts';
import { SubjectFailure } from '../scenario.ts';
import { type EarlyClient, type KeptOutcome, linesOf } from './figures.ts';
import { Ledger } from './ledger.ts';
import type { UserNews } from './user.ts';
import type { UserCalls } from './users-main.ts';
import { wordsIn } from './words.ts';

/** How long a user may take to join before the kill. */
const PREPARE_LIMIT_MS = 60_000;
/** How long a newcomer is alone with the server: by then it has all that the server has for it. */
const ALONE_MS = 1000;
const SETTLE_POLL_MS = 100;
const LEAVE_LIMIT_MS = 3000;
const HOST = '127.0.0.1';
const DOCUMENT = 'kept';

export type KeptExperiment = ValueOf<typeof kept>;
export type KeptCell = {
  framework: string;
  store: KeptStore;
  struck: KeptExperiment['struck'][number];
  left: KeptExperiment['left'][number];
};
export type KeptTrialOptions = KeptCell &
  Pick<
    KeptExperiment,
    'users' | 'wordsPerSecond' | 'killFromMs' | 'killToMs' | 'oneWayDelayMs' | 'downForMs' | 'settleMs'
  > & {
    seed: number;
    /** The library that `readySynced` made; null: nothing strikes the power. */
    syncedLibrary: string | null;
    /** Temporary files go here. */
    folder: string;
    signal: AbortSignal;
  };

/**
 * @returns the lines of its record
 * @throws SubjectFailure if the framework did not come as far as the kill, or its server does not start over what that left
 */
export async function measureKept(options: KeptTrialOptions): Promise<RecordLine[]> {
  const { framework, store, struck, folder, signal, syncedLibrary } = options;
  // Nobody else knows this name.
  const power = struck === 'power' ? new PowerLoss(syncedLibrary!, join(folder, randomUUID())) : null;
  let trial: KeptTrial | null = null;
  const behind = { store, environment: power?.environment };
  const mayEnd = (how: string) => trial?.mayServerEnd(how) ?? false;
  try {
    return await besideServer({ framework, folder, signal, behind, mayEnd }, async (live) => {
      trial = new KeptTrial(options, live, power);
      try {
        return await trial.run();
      } catch (error) {
        // Only a sample tells of a full disk, which is no failure of the framework's.
        await live.server.sample().catch(() => {});
        live.signal.throwIfAborted();
        throw error;
      } finally {
        await trial.end();
      }
    });
  } finally {
    await power?.end();
  }
}

class KeptTrial {
  readonly #options: KeptTrialOptions;
  readonly #live: LiveServer;
  readonly #power: PowerLoss | null;
  readonly #ledger = new Ledger();
  /** Those who type, each in a process that can be killed; those who stay come first. */
  readonly #users: CalledProcess<UserCalls, UserNews>[];
  /** Joins after the kill. */
  readonly #newcomer: CalledProcess<UserCalls, UserNews>;
  /** Joins at the very end, and never held the document before. */
  readonly #reader: CalledProcess<UserCalls, UserNews>;
  /** All who type have it. Those who stay come back only when it is whole again. */
  #line: DelayLine | null = null;
  #mendLine = () => {};
  #isStoreDown = false;
  #serverDied: string | null = null;

  constructor(options: KeptTrialOptions, live: LiveServer, power: PowerLoss | null) {
    this.#options = options;
    this.#live = live;
    this.#power = power;
    const launch = () => live.launch<UserCalls, UserNews>('kept/users-main.ts', this.#ledger.follow());
    this.#users = Array.from({ length: options.users }, launch);
    this.#newcomer = launch();
    this.#reader = launch();
  }

  async run(): Promise<RecordLine[]> {
    const acknowledges = await this.#gather();
    await this.#typeUntilKill();
    const { killedMs, servedMs } = await this.#strike();
    const met = await this.#meetNewcomer();
    const closing = await this.#comeBack();
    const lastText = await this.#settle(closing, met !== null);
    await this.#leave();
    const end = await this.#textFromStore();
    const { store } = await this.#live.server.sample();
    this.#live.signal.throwIfAborted();
    return linesOf({
      ...{ killedMs, servedMs, acknowledges, closing, ...end, serverDied: this.#serverDied },
      edits: this.#ledger.editsUntil(killedMs),
      early: met && { ...met, lastText, shownMs: this.#ledger.shownTo(this.#options.users) },
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

  get #staying(): number {
    return { none: 0, one: 1, all: this.#options.users }[this.#options.left];
  }

  /** All join. @returns true if the library tells what is acknowledged */
  async #gather(): Promise<boolean> {
    const { framework } = this.#options;
    const processes = [...this.#users, this.#newcomer, this.#reader];
    await Promise.all(processes.map((process) => process.call('start', framework)));
    const port = Number(new URL(this.#live.url).port);
    const { oneWayDelayMs } = this.#options;
    const link = { oneWayDelayMs, jitterMs: 0, bandwidthBytesPerSecond: null };
    this.#line = await startDelayLine({ target: tcpTarget({ host: HOST, port }), link, seed: 0 });
    const told: boolean[] = [];
    for (const [number, user] of this.#users.entries()) {
      const joining = user.call('join', number, this.#placeBy(this.#line));
      told.push((await this.#joined(joining)).acknowledges);
    }
    return told.every((each) => each);
  }

  #placeBy(line: DelayLine | null): Place {
    const url = new URL(this.#live.url);
    if (line !== null) url.port = String(line.port);
    return { url: url.href, documentId: DOCUMENT };
  }

  #joined<Value>(joining: Promise<Value>): Promise<Value> {
    const failure = (why: string) => new SubjectFailure('not-joined', `a user who is to type could not join: ${why}`);
    return withLimit(
      joining.catch((error: Error) => {
        throw failure(error.message);
      }),
      PREPARE_LIMIT_MS,
      () => failure(`not after ${PREPARE_LIMIT_MS / 1000} s`),
    );
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
    const killedMs = nowMs();
    const strikes = { server: this.#killServer, store: this.#killStore, both: this.#killAll, power: this.#killAll };
    const striking = strikes[this.#options.struck].call(this, killedMs + this.#options.downForMs).then(nowMs);
    const gone = this.#users.splice(this.#staying);
    const going = gone.map((user) => user.kill());
    // While the server is up, nobody need come back.
    if (this.#options.struck !== 'store') this.#mendLine = this.#line!.begin({ kind: 'offline' });
    const stopping = this.#users.map((user) => user.call('stopTyping'));
    const [servedMs] = await Promise.all([striking, ...going, ...stopping]);
    return { killedMs, servedMs };
  }

  #killServer(untilMs: number): Promise<void> {
    return this.#reopened(this.#live.server.restart(untilMs));
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
    await this.#reopened(server.startAgain());
  }

  async #reopened(starting: Promise<unknown>): Promise<void> {
    await starting.catch((error: Error) => {
      if (error instanceof BackingFailure) throw error;
      throw new SubjectFailure('not-reopened', `its server does not serve what the kill left: ${error.message}`);
    });
  }

  /** One joins as soon as it can. @returns null if the server does not let it in */
  async #meetNewcomer(): Promise<Pick<EarlyClient, 'joinedMs' | 'storedText'> | null> {
    const { users, settleMs } = this.#options;
    const { signal } = this.#live;
    const joining = this.#newcomer.call('join', users, this.#placeBy(null));
    const joined = await withLimit(joining, settleMs, () => new Error('it waited in vain')).catch(() => null);
    signal.throwIfAborted();
    if (joined === null) return null;
    await setTimeout(ALONE_MS, undefined, { signal });
    return { joinedMs: joined.atMs, storedText: await this.#newcomer.call('text') };
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
    const late = () => new Error('its client does not leave');
    const leaving = [this.#newcomer, ...this.#users].map((user) => withLimit(user.call('leave'), LEAVE_LIMIT_MS, late));
    await Promise.allSettled(leaving);
    this.#live.signal.throwIfAborted();
    await Promise.all([this.#newcomer, ...this.#users].map((user) => user.end()));
  }

  /** The server ends in order and starts over its store, so that a newcomer gets what is stored. */
  async #textFromStore(): Promise<Pick<KeptOutcome, 'endText' | 'refusal'>> {
    const { signal } = this.#live;
    await this.#reopened(this.#live.server.roll(0));
    const joining = this.#reader.call('join', this.#options.users, this.#placeBy(null));
    const { settleMs } = this.#options;
    const late = () => new Error(`not after ${settleMs / 1000} s`);
    const refusal = await withLimit(joining, settleMs, late).then(
      () => null,
      (error: Error) => error.message,
    );
    signal.throwIfAborted();
    if (refusal !== null) return { endText: '', refusal };
    await setTimeout(ALONE_MS, undefined, { signal });
    return { endText: await this.#reader.call('text'), refusal };
  }
}
