/** A trial's record files, opened as processes turn up, and the first lines of the coordinator's. */
import { openRecordWriter, type RecordWriter } from '../../results/formats/record-file.ts';
import { type RecordLine, recordName, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { modeWithPresence, type PlannedTrial, recordPath } from '../../results/formats/run-directory.ts';
import { type TrialUser, writersAmong } from './trial-users.ts';
import type { TrialCrowd } from './user-processes.ts';

export interface TrialRecords {
  /** Aborts with the disk's error as soon as there is one. */
  failed: AbortSignal;
  /** @param name the record's name, as `recordName` forms it */
  write(name: string, lines: RecordLine[]): void;
  /** Resolves once every line is in its file; rejects with the disk's error. */
  close(): Promise<void>;
}

export function openTrialRecords(directory: string): TrialRecords {
  const writers = new Map<string, RecordWriter>();
  const disk = new AbortController();
  return {
    failed: disk.signal,
    write(name: string, lines: RecordLine[]) {
      if (disk.signal.aborted) return;
      let writer = writers.get(name);
      if (writer === undefined) {
        writer = openRecordWriter(recordPath(directory, name), { onError: (error) => disk.abort(error) });
        writers.set(name, writer);
      }
      writer.write(lines);
    },
    async close() {
      const closed = await Promise.allSettled([...writers.values()].map((writer) => writer.close()));
      const failure = closed.find((result) => result.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
    },
  };
}

/** The first lines of the coordinator's record: what the trial is, and what its verdict is judged by. */
export function openingLines(options: {
  planned: PlannedTrial;
  /** The framework's. */
  version: string;
  /** True if the server is one of the trial's processes. */
  hasServer: boolean;
  users: readonly TrialUser[];
  /** The users who are no probes; absent: there are none. */
  crowd?: TrialCrowd;
  clockErrorLimitMs: number;
  atMs: number;
}): RecordLine[] {
  const { planned, version, hasServer, crowd, clockErrorLimitMs, atMs } = options;
  const { cell, framework, users, probes, trial, seed } = planned;
  const mode = modeWithPresence(planned);
  const processes = [
    ...(hasServer ? [recordName({ role: 'server' })] : []),
    ...Array.from({ length: users }, (_, user) => recordName({ role: 'user', user })),
  ];
  const ofCrowd = {
    crowd: crowd?.kind,
    crowdRestsOnOrder: crowd?.kind === 'recorded' ? crowd.restsOnOrder : undefined,
  };
  const writers = writersAmong(options.users);
  const expected = { processes, writers, probes, ...ofCrowd, clockErrorLimitMs };
  return [
    {
      type: 'process',
      schemaVersion: SCHEMA_VERSION,
      role: 'coordinator',
      framework,
      frameworkVersion: version,
      mode,
      node: process.version,
      chrome: null,
      atMs,
    },
    { type: 'trial', atMs, cell, framework, mode, users, trial, seed, ...expected },
  ];
}
