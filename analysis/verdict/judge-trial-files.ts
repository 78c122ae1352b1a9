/** The verdict that a run gives a trial, from the files that it left. */
import { join } from 'node:path';
import { VERDICT_FILE, writeJson } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { openRecords } from '../database.ts';
import { asReason } from '../run-files.ts';
import { judge, unreadable } from './judge.ts';

/**
 * Judges a trial whose records are closed, and writes its `verdict.json`.
 *
 * @param directory the trial's folder; its records are of this version
 */
export async function judgeTrialFiles(directory: string): Promise<Verdict> {
  const verdict = await verdictOn(directory);
  await writeJson(join(directory, VERDICT_FILE), verdict);
  return verdict;
}

async function verdictOn(directory: string): Promise<Verdict> {
  const judged = await asReason(async () => {
    await using records = await openRecords([directory]);
    const [verdict] = (await judge(records)).values();
    return verdict!;
  });
  return typeof judged === 'string' ? unreadable(judged) : judged;
}
