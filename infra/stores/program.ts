/** A store's program as a trial has it: at a port of its own, over a folder of its own. It ends with this process, however that ends. */
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../results/formats/write-file.ts';
import { isAlive } from '../../results/run-folder/process-name.ts';
import { Unavailable, UserError } from '../../results/user-error.ts';
import { freePort } from '../network/listen-on.ts';
import { Child, endText, runCommand } from '../process/child.ts';
import { childEnvironment } from '../process/environment.ts';
import { clearUpAfterEnd, signalTo } from '../process/group.ts';
import { allProcessStats, readProcessStat } from '../process/stat.ts';
import { findStoreProgram } from './find.ts';
import type { Kind, ProgramName } from './kind.ts';
import { preparePostgres } from './postgres.ts';
import { redis } from './redis.ts';

const PERIOD_MS = 20;
/** Of all tries together; with its preparation, shorter than a trial waits for its server, which would be blamed. */
const START_LIMIT_MS = 20_000;
/** How long it may take to end in order. */
const GRACE_MS = 5000;
const LAST_WORDS_CHARACTERS = 2000;

/** In the last words of a program that came too soon after another, or after itself. */
const IN_USE = /address already in use|shared memory block/i;
const IN_USE_PAUSE_MS = 200;

export interface StartOptions {
  /** Empty, or not there yet. Whoever gives it removes it. */
  folder: string;
  /** Stops it. */
  signal?: AbortSignal;
  /** For the program, beside what every child gets. */
  environment?: Readonly<Record<string, string>>;
  /** True, for a Redis: it hands messages on between servers and keeps nothing. */
  isBroker?: boolean;
}

/**
 * Starts a store's program on a free port of the loopback interface; resolves once it is ready.
 *
 * @throws UserError (3) if it is not installed, or does not start; (2) if the folder is in use
 */
export async function startStoreProgram(name: ProgramName, options: StartOptions): Promise<StoreProgram> {
  const { folder, signal, isBroker = false } = options;
  const found = await findStoreProgram(name);
  if ('problem' in found) throw new Unavailable(found.problem);
  makeFolder(folder);
  const [first] = await readdir(folder);
  if (first !== undefined) {
    throw new UserError(`the folder ${folder} for ${name} is in use: it holds ${first}; name an empty one`);
  }
  const program = found.path;
  const kind =
    name === 'postgres' ? await preparePostgres({ program, folder, signal }) : redis({ program, folder, isBroker });
  const started = new StoreProgram(name, kind, options);
  try {
    await started.start();
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
}

/** Made by `startStoreProgram`. */
export class StoreProgram {
  readonly folder: string;
  /** Resolves if it ends unasked, with the way it ended: a sentence's end after its name. */
  readonly ended: Promise<string>;
  readonly #name: ProgramName;
  readonly #kind: Kind;
  readonly #options: StartOptions;
  readonly #tellEnded: (how: string) => void;
  readonly #stopNow = () => void this.stop();
  /** 0: none yet. */
  #port = 0;
  #child: Child | null = null;
  /** Until it is ready, too: then whoever starts it is told. */
  #isMeantToEnd = true;
  #isStopped = false;
  /** Takes back that this process's end clears up after the program. */
  #releaseRemains = () => {};

  constructor(name: ProgramName, kind: Kind, options: StartOptions) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.folder = options.folder;
    this.ended = promise;
    this.#name = name;
    this.#kind = kind;
    this.#options = options;
    this.#tellEnded = resolve;
    options.signal?.addEventListener('abort', this.#stopNow);
  }

  /** The address of a database that is the trial's alone, password included; the same after each start. */
  get url(): string {
    return this.#kind.url(this.#port);
  }

  /** True at once if it ended unasked; `ended` tells of it a little later, with its last words. */
  get isLost(): boolean {
    return this.#child?.hasEnded === true && !this.#isMeantToEnd;
  }

  /** All that it is made of; empty while it is down. */
  pids(): number[] {
    const child = this.#child;
    if (child === null || child.hasEnded) return [];
    if (process.platform !== 'linux') return [child.pid];
    // Those of Postgres lead groups of their own.
    const started = allProcessStats().filter(({ parent, ended }) => parent === child.pid && !ended);
    return [child.pid, ...started.map(({ pid }) => pid)];
  }

  /** Ends all of it at once (SIGKILL), and resolves once it is gone. */
  async kill(): Promise<void> {
    this.#isMeantToEnd = true;
    // Held first, so that it starts no process that is not known here.
    this.#child?.process.kill('SIGSTOP');
    const pids = this.pids();
    for (const pid of pids) signalTo(pid, 'SIGKILL');
    await this.#child?.ended;
    await untilGone(pids);
  }

  /** Ends it in order, with what a kill left on the machine. Safe to call twice. */
  async stop(): Promise<void> {
    this.#isMeantToEnd = true;
    this.#isStopped = true;
    this.#options.signal?.removeEventListener('abort', this.#stopNow);
    const pids = this.pids();
    if (pids.length > 0) this.#child?.process.kill(this.#kind.endSignal);
    await this.#child?.endWithin(GRACE_MS);
    await untilGone(pids);
    const remains = await this.#kind.remains?.();
    const { account } = this.#kind.command(this.#port);
    if (remains) await runCommand(remains, { account }).catch(() => {});
    this.#releaseRemains();
  }

  /** Starts it over its folder, at its port; resolves once it is ready. @throws UserError (3) if it does not start */
  async start(): Promise<void> {
    const own = this.#port;
    for (const untilMs = performance.now() + START_LIMIT_MS; ; await sleep(IN_USE_PAUSE_MS)) {
      this.#options.signal?.throwIfAborted();
      if (this.#isStopped) throw new Unavailable(`${this.#name} was stopped meanwhile`);
      // Between two starts, the end of a connection may have the port.
      this.#port = own || (await freePort());
      const failure = await this.#tryToStart(untilMs);
      if (failure === null) return;
      this.#options.signal?.throwIfAborted();
      if (IN_USE.test(failure) && performance.now() < untilMs) continue;
      throw new Unavailable(`${this.#name} does not start at port ${this.#port} over ${this.folder}: it ${failure}`);
    }
  }

  /** @returns null once it is ready; or the way it failed, a sentence's end after its name */
  async #tryToStart(untilMs: number): Promise<string | null> {
    let said = '';
    let how: string | null = null;
    let isReady = false;
    const child = new Child({
      ...this.#kind.command(this.#port),
      folder: this.folder,
      environment: { ...childEnvironment(), ...this.#options.environment },
      onOutput(text) {
        said = (said + text).slice(-LAST_WORDS_CHARACTERS);
      },
    });
    this.#child = child;
    child.ended.then((end) => {
      how = endText({ ...end, lastWords: end.lastWords || said.trim() });
      if (isReady && !this.#isMeantToEnd) this.#tellEnded(how);
    });
    for (; performance.now() < untilMs; await sleep(PERIOD_MS)) {
      if (how !== null) return how;
      isReady = await this.#kind.isReady(this.#port, child.pid);
      if (!isReady) continue;
      await this.#followRemains();
      if (how === null) this.#isMeantToEnd = this.#isStopped;
      return how;
    }
    await this.kill();
    return `is not ready after ${START_LIMIT_MS / 1000} s`;
  }

  /** Has the remains of a kill cleared up if this process is killed, too. */
  async #followRemains(): Promise<void> {
    const remains = await this.#kind.remains?.();
    this.#releaseRemains();
    this.#releaseRemains = remains ? clearUpAfterEnd(remains) : () => {};
  }
}

/** Those that are still there after the grace are left to the system. */
async function untilGone(pids: readonly number[]): Promise<void> {
  const isRunning = (pid: number) => isAlive(pid) && readProcessStat(pid)?.ended !== true;
  for (const untilMs = performance.now() + GRACE_MS; performance.now() < untilMs; await sleep(PERIOD_MS)) {
    if (!pids.some(isRunning)) return;
  }
}
