/** A trial's record files, opened as processes turn up. */
import { openRecordWriter, type RecordWriter } from '../../results/formats/record-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { recordPath } from '../../results/formats/run-directory.ts';

export interface TrialRecords {
  /** Aborts with the disk's error as soon as there is one. */
  failed: AbortSignal;
  /** @param name whose record, as `recordName` says it */
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
