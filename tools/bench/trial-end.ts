/** The time that a trial's end takes for its files: nobody types then, but the next trial waits. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openRecordWriter } from '../../results/formats/record-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { recordPath } from '../../results/formats/run-directory.ts';
import { makeFolder, syncFolder, writeJson } from '../../results/formats/write-file.ts';

const TRIALS = 20;
/** About as many bytes a record as six minutes of typing leave. */
const LINES = 4000;

/**
 * Writes records in a folder, and then what the analysis leaves, as the end of a trial does.
 *
 * @param folder on the disk that is measured
 * @returns milliseconds, for each number of users
 */
export async function benchTrialEnd(folder: string): Promise<object[]> {
  const rows = [];
  makeFolder(folder);
  for (const users of [8, 112]) {
    const tookMs = [];
    for (let trial = 0; trial < TRIALS; trial++) tookMs.push(await endOfTrial(folder, users));
    tookMs.sort((a, b) => a - b);
    rows.push({ users, medianMs: tookMs[TRIALS / 2]!, longestMs: tookMs.at(-1)! });
  }
  return rows;
}

async function endOfTrial(folder: string, users: number): Promise<number> {
  const directory = await mkdtemp(join(folder, 'trial-end-'));
  const lines = Array.from({ length: LINES }, (_, at): RecordLine => {
    return { type: 'note', code: 'bench', message: `${Math.sin(at)}` };
  });
  try {
    const records = Array.from({ length: users + 2 }, (_, user) => openRecordWriter(recordPath(directory, `${user}`)));
    for (const record of records) record.write(lines);
    // Packed and in the system's memory, as all but the last lines are when a trial ends.
    await new Promise((resolve) => setTimeout(resolve, 10 * users));
    const startMs = performance.now();
    await Promise.all(records.map((record) => record.close()));
    syncFolder(join(directory, 'records'));
    for (const name of ['figures', 'verdict', 'summary']) await writeJson(join(directory, `${name}.json`), { name });
    return performance.now() - startMs;
  } finally {
    await rm(directory, { recursive: true });
  }
}
