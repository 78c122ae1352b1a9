/** The verdict that a run gives a trial, from the files that it left. */
import { join } from 'node:path';
import { VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { keepReading, readTrial } from './trial-reading.ts';

/**
 * Judges a trial whose records are closed, and writes its `verdict.json`.
 *
 * @param directory the trial's folder; its records are of this version
 */
export async function judgeTrialFiles(directory: string): Promise<Verdict> {
  const reading = await readTrial(directory, null);
  await writeJson(join(directory, VERDICT_FILE), reading.verdict);
  // The run sums it up next.
  await keepReading(directory, reading);
  return reading.verdict;
}
