/** The store of a trial's servers: a folder for each, or a database that they share, in a program of the trial's or of somebody else. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isStoreProgram, type KeptStore, type StoreProgramName } from '../../editors/base/stores.ts';
import { createDatabase } from '../../infra/stores/database.ts';
import { type StoreProgram, startStoreProgram } from '../../infra/stores/program.ts';
import { messageOf } from '../../results/user-error.ts';
import type { StorePlace } from '../../servers/server.ts';
import { hasNoSpace, sayFullDisk, saysFullDisk, sizeOnDisk, WrittenBytes } from '../probes/disk.ts';
import { memoryBytesOf, TreeCpu } from '../probes/process-tree.ts';

/** Something behind the servers failed, and not they. Its message is a sentence. */
export class BackingFailure extends Error {}

/** A store's costs since the trial's start; null: not read this time, not known, or the servers' own. */
export interface StoreSample {
  cpuMs: number | null;
  memoryBytes: number | null;
  writtenBytes: number | null;
  /** Of all of its files. */
  sizeBytes: number | null;
}

export interface TrialStoreOptions {
  name: KeptStore;
  /** Of somebody else's database; null: the trial's own. */
  url: string | null;
  isReused: boolean;
  /** Where its files go: not there yet. */
  folder: string;
  environment: Readonly<Record<string, string>>;
  /** Ends what it started. */
  signal: AbortSignal;
  /** Is told with a sentence if it can no longer be used. */
  onLost(why: string): void;
}

/** In a database server that somebody else runs, each trial's database has this name: only one trial at a time goes there. */
const DATABASE = 'scriptorium';
/** Memory and sizes take long to read. */
const RARE_PERIOD_SAMPLES = 5;

export class TrialStore {
  readonly #options: TrialStoreOptions;
  readonly #url: string | null;
  readonly #program: StoreProgram | null;
  readonly #close: () => Promise<void>;
  readonly #cpu = new TreeCpu([], () => this.pids());
  readonly #written = new WrittenBytes();
  #samples = 0;

  private constructor(
    options: TrialStoreOptions,
    { url, program, close }: { url: string | null; program: StoreProgram | null; close: () => Promise<void> },
  ) {
    this.#options = options;
    this.#url = url;
    this.#program = program;
    this.#close = close;
    program?.ended.then((how) => options.onLost(`${options.name}, its store, ${how}`));
  }

  /** @throws BackingFailure if it cannot be had; nothing of it is left then */
  static async open(options: TrialStoreOptions): Promise<TrialStore> {
    const { name, folder } = options;
    await mkdir(folder);
    if (!isStoreProgram(name)) return new TrialStore(options, { url: null, program: null, close: async () => {} });
    return TrialStore.#openProgram(name, options).catch((error) => {
      throw new BackingFailure(`${name}, its store, cannot be had: ${messageOf(error)}`, { cause: error });
    });
  }

  static async #openProgram(name: StoreProgramName, options: TrialStoreOptions): Promise<TrialStore> {
    const { url, isReused, folder, environment, signal } = options;
    if (url !== null) {
      const database = await createDatabase(url, DATABASE, { isReused });
      return new TrialStore(options, { url: database.url, program: null, close: () => database.drop() });
    }
    const program = await startStoreProgram(name, { folder, environment, signal });
    return new TrialStore(options, { url: program.url, program, close: () => program.stop() });
  }

  /** Where the server of this number finds it: in files, each has a folder of its own, as servers on several machines would. */
  async placeFor(server: number): Promise<StorePlace> {
    const { name } = this.#options;
    if (isStoreProgram(name)) return { name, url: this.#url! };
    const folder = join(this.#options.folder, `server-${server + 1}`);
    await mkdir(folder);
    return { name, folder };
  }

  /** Tells, too, if its disk is full, which servers may only write to their logs. */
  async sample(): Promise<StoreSample> {
    const isRare = this.#samples++ % RARE_PERIOD_SAMPLES === 0;
    const { folder, onLost } = this.#options;
    // The folder may be gone by now.
    const sizeBytes = isRare && this.#isHere ? await sizeOnDisk(folder).catch(() => null) : null;
    if (sizeBytes !== null && (await hasNoSpace(folder).catch(() => false))) onLost(this.#full);
    if (this.#program === null) return { cpuMs: null, memoryBytes: null, writtenBytes: null, sizeBytes };
    const cpuMs = this.#cpu.readMs();
    const { pids } = this.#cpu;
    const memoryBytes = isRare && pids.length > 0 ? await memoryBytesOf(pids) : null;
    return { cpuMs, memoryBytes, writtenBytes: this.#written.read(pids), sizeBytes };
  }

  /** Kills its program now. @throws BackingFailure if the trial runs none */
  async kill(): Promise<void> {
    await this.#ownProgram.kill();
  }

  /** Starts the program that was killed again, over the same files. @throws BackingFailure if it does not start */
  async startAgain(): Promise<void> {
    await this.#ownProgram.startAgain().catch((error) => {
      throw new BackingFailure(`${this.#options.name}, its store, does not start again: ${messageOf(error)}`);
    });
  }

  /** True if a program of the trial's keeps the documents. */
  get isProgram(): boolean {
    return this.#program !== null;
  }

  /** True if its program ended unasked: `onLost` is told, or will be. */
  get isLost(): boolean {
    return this.#program?.isLost ?? false;
  }

  /** Of its program. */
  pids(): number[] {
    return this.#program?.pids() ?? [];
  }

  /** @returns the sentence that says so if these words tell of a full disk; null: they do not */
  async fullDiskIn(words: string): Promise<string | null> {
    return (await saysFullDisk(words, this.#options.folder)) ? this.#full : null;
  }

  async stop(): Promise<void> {
    await this.#close();
  }

  /** True if its files are this trial's. */
  get #isHere(): boolean {
    return this.#program !== null || this.#url === null;
  }

  get #full(): string {
    const { name, folder } = this.#options;
    return this.#isHere
      ? sayFullDisk(folder, 'set TMPDIR to a folder on another disk')
      : sayFullDisk(`the ${name} that somebody else runs`, 'name another');
  }

  get #ownProgram(): StoreProgram {
    if (this.#program !== null) return this.#program;
    const { name } = this.#options;
    const why = this.#url === null ? 'is a part of its server' : 'is run by somebody else';
    throw new BackingFailure(`${name}, its store, ${why}, and cannot be ended by itself`);
  }
}

/** @throws BackingFailure whatever fails: no server is to blame for it */
export async function asBacking<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof BackingFailure) throw cause;
    throw new BackingFailure(`what stands behind its servers cannot be had: ${messageOf(cause)}`, { cause });
  }
}
