/** The store of a trial's servers: a folder for each, or a database that they share, in a program of the trial's or of somebody else. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isStoreProgram, type KeptStore, type StoreProgramName } from '../../editors/base/stores.ts';
import { createDatabase, TRIAL_DATABASE } from '../../infra/stores/database.ts';
import { type StoreProgram, startStoreProgram } from '../../infra/stores/program.ts';
import type { StorePlace } from '../../servers/server.ts';
import { hasNoSpace, sayFullDisk, saysFullDisk, sizeOnDisk, WrittenBytes } from '../probes/disk.ts';
import { TreeCpu } from '../probes/process-tree.ts';

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
  /** Is told with a sentence if its disk is full. */
  onLost(why: string): void;
}

/** The store that all servers share; none, if each has files of its own. */
interface Database {
  url: string;
  /** Null: somebody else runs it. */
  program: StoreProgram | null;
  close(): Promise<void>;
}

/** Sizes take long to read. */
const RARE_PERIOD_SAMPLES = 5;

export class TrialStore {
  readonly #options: TrialStoreOptions;
  readonly #database: Database | null;
  readonly #cpu = new TreeCpu([], () => this.program?.pids() ?? []);
  readonly #written = new WrittenBytes();
  #samples = 0;

  private constructor(options: TrialStoreOptions, database: Database | null) {
    this.#options = options;
    this.#database = database;
  }

  /** @throws UserError (2, 3) as `startStoreProgram` and `createDatabase` do; nothing of it is left then */
  static async open(options: TrialStoreOptions): Promise<TrialStore> {
    const { name, folder } = options;
    await mkdir(folder);
    return new TrialStore(options, isStoreProgram(name) ? await openDatabase(name, options) : null);
  }

  /** The trial's own, which keeps the documents; null: the servers do, or somebody else's. */
  get program(): StoreProgram | null {
    return this.#database?.program ?? null;
  }

  /** Where the server of this number finds it: in files, each has a folder of its own, as servers on several machines would. */
  async placeFor(server: number): Promise<StorePlace> {
    const { name } = this.#options;
    if (isStoreProgram(name)) return { name, url: this.#database!.url };
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
    if (this.program === null) return { cpuMs: null, memoryBytes: null, writtenBytes: null, sizeBytes };
    const cpuMs = this.#cpu.readMs();
    const { pids } = this.#cpu;
    return { cpuMs, memoryBytes: await this.#cpu.memoryBytes(), writtenBytes: this.#written.read(pids), sizeBytes };
  }

  /** @returns the sentence that says so if these words tell of a full disk; null: they do not */
  async fullDiskIn(words: string): Promise<string | null> {
    return (await saysFullDisk(words, this.#options.folder)) ? this.#full : null;
  }

  async stop(): Promise<void> {
    await this.#database?.close();
  }

  /** True if its files are this trial's. */
  get #isHere(): boolean {
    return this.#database?.program !== null;
  }

  get #full(): string {
    const { name, folder } = this.#options;
    return this.#isHere
      ? sayFullDisk(folder, 'set TMPDIR to a folder on another disk')
      : sayFullDisk(`the ${name} that somebody else runs`, 'name another');
  }
}

async function openDatabase(name: StoreProgramName, options: TrialStoreOptions): Promise<Database> {
  const { url, isReused, folder, environment, signal } = options;
  if (url === null) {
    const program = await startStoreProgram(name, { folder, environment, signal });
    return { url: program.url, program, close: () => program.stop() };
  }
  const database = await createDatabase(url, TRIAL_DATABASE, { isReused });
  return { url: database.url, program: null, close: () => database.drop() };
}
