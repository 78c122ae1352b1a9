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
  /** Of what is made in somebody else's database; null: this process. */
  owner: string | null;
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

export type TrialStore = Awaited<ReturnType<typeof openTrialStore>>;

/** @throws UserError (2, 3) as `startStoreProgram` and `createDatabase` do; nothing of it is left then */
export async function openTrialStore(options: TrialStoreOptions) {
  const { name, folder, onLost } = options;
  await mkdir(folder);
  const database = isStoreProgram(name) ? await openDatabase(name, options) : null;
  const program = database?.program ?? null;
  const cpu = new TreeCpu([], () => program?.pids() ?? []);
  const written = new WrittenBytes();
  /** True if its files are this trial's. */
  const isHere = database?.program !== null;
  const full = isHere
    ? sayFullDisk(folder, 'set TMPDIR to a folder on another disk')
    : sayFullDisk(`the ${name} that somebody else runs`, 'name another');
  let samples = 0;
  return {
    /** The trial's own, which keeps the documents; null: the servers do, or somebody else's. */
    program,
    /** Where the server of this number finds it: in files, each has a folder of its own, as servers on several machines would. */
    async placeFor(server: number): Promise<StorePlace> {
      if (isStoreProgram(name)) return { name, url: database!.url };
      const own = join(folder, `server-${server + 1}`);
      await mkdir(own);
      return { name, folder: own };
    },
    /** Tells, too, if its disk is full, which servers may only write to their logs. */
    async sample(): Promise<StoreSample> {
      const isRare = samples++ % RARE_PERIOD_SAMPLES === 0;
      // The folder may be gone by now.
      const sizeBytes = isRare && isHere ? await sizeOnDisk(folder).catch(() => null) : null;
      if (sizeBytes !== null && (await hasNoSpace(folder).catch(() => false))) onLost(full);
      if (program === null) return { cpuMs: null, memoryBytes: null, writtenBytes: null, sizeBytes };
      const cpuMs = cpu.readMs();
      const { pids } = cpu;
      return { cpuMs, memoryBytes: await cpu.memoryBytes(), writtenBytes: written.read(pids), sizeBytes };
    },
    /** @returns the sentence that says so if these words tell of a full disk; null: they do not */
    async fullDiskIn(words: string): Promise<string | null> {
      return (await saysFullDisk(words, folder)) ? full : null;
    },
    async stop(): Promise<void> {
      await database?.close();
    },
  };
}

async function openDatabase(name: StoreProgramName, options: TrialStoreOptions): Promise<Database> {
  const { url, isReused, owner, folder, environment, signal } = options;
  if (url === null) {
    const program = await startStoreProgram(name, { folder, environment, signal });
    return { url: program.url, program, close: () => program.stop() };
  }
  const database = await createDatabase(url, TRIAL_DATABASE, { isReused, owner: owner ?? undefined });
  return { url: database.url, program: null, close: () => database.drop() };
}
