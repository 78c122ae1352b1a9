/** How far a trial came, by the files in its folder. */
import { existsSync } from 'node:fs';
import { glob, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRecordFile } from '../formats/record-file.ts';
import { FIGURES_FILE, recordPath } from '../formats/run-directory.ts';
import { recordsDigest, recordsProblem } from '../formats/trial-records.ts';
import { asReason, readVerdict } from './run-files.ts';

/**
 * `finished`: it has a verdict, and the records that it was judged by; `recorded`: it came to its end, and only lacks a verdict
 * that can be read; `broken-off`: the rest.
 */
export type TrialStage = 'missing' | 'broken-off' | 'recorded' | 'finished';

export async function stageOf(trialDirectory: string): Promise<TrialStage> {
  if (!existsSync(trialDirectory)) return 'missing';
  if (!(await areRecordsKept(trialDirectory))) return 'broken-off';
  if (typeof (await readVerdict(trialDirectory)) !== 'string') return 'finished';
  return (await isRecordedToItsEnd(trialDirectory)) ? 'recorded' : 'broken-off';
}

/** True if the trial was measured to its end. */
export function isMeasured(stage: TrialStage): boolean {
  return stage === 'finished' || stage === 'recorded';
}

/** How many trials were measured to their end, of a run, or of all runs whose folders lie in this one. */
export async function measuredTrials(directory: string): Promise<number> {
  const records = await Array.fromAsync(glob(['trials/*/records', '*/trials/*/records'], { cwd: directory }));
  const stages = await Promise.all(records.map((path) => stageOf(join(directory, dirname(path)))));
  return stages.filter(isMeasured).length;
}

/** True if the records are those of the trial's figures, which takes no time to see, or else are whole, which does. */
export async function areRecordsKept(trialDirectory: string): Promise<boolean> {
  const digest = await recordsDigest(trialDirectory);
  const isOfFigures = (await beginningOf(join(trialDirectory, FIGURES_FILE))).includes(`"${digest}"`);
  return isOfFigures || (await recordsProblem(trialDirectory)) === null;
}

/** More than stands before the figures, which may be millions. */
const BEGINNING_BYTES = 512;

async function beginningOf(path: string): Promise<string> {
  if (!existsSync(path)) return '';
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

/**
 * As the coordinator's record tells, or the one record of a trial in which nobody types. A failure that ended a trial is an end, too:
 * run again, it would have a second chance.
 */
async function isRecordedToItsEnd(trialDirectory: string): Promise<boolean> {
  const paths = ['coordinator', 'trial'].map((name) => recordPath(trialDirectory, name));
  const path = paths.find((each) => existsSync(each));
  if (path === undefined) return false;
  const lines = await asReason(() => Array.fromAsync(readRecordFile(path)));
  if (typeof lines === 'string') return false;
  return lines.some(
    (line) =>
      line.type === 'done' ||
      (line.type === 'phase' && line.phase === 'done') ||
      (line.type === 'fault' && line.code !== undefined),
  );
}
