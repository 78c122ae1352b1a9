/** A trial's records, read once for both: today's verdict, and the figures of a valid trial. */
import { basename, resolve } from 'node:path';
import type { Verdict } from '../../results/formats/verdict.ts';
import { asReason, fingerprintOf } from '../../results/run-folder/run-files.ts';
import { judge, unreadable } from '../verdict/judge.ts';
import { completeVersion1, type RecordedThen } from '../verdict/version-1.ts';
import { openRecords } from '../views/database.ts';
import { readTrialFigures, type TrialFigures } from './trial-figures.ts';

export interface TrialReading {
  verdict: Verdict;
  /** Null for a trial that is not valid. */
  figures: TrialFigures | null;
}

/**
 * Reads a trial; where its records cannot be read, it is `unknown`.
 *
 * @param earlier what its run judged, and on which terms; null where it is judged for the first time
 */
export async function readTrial(
  trialDirectory: string,
  earlier: Omit<RecordedThen, 'trial'> | null,
): Promise<TrialReading> {
  const trial = basename(trialDirectory);
  const read = await asReason(async (): Promise<TrialReading> => {
    await using records = await openRecords([trialDirectory]);
    if (earlier !== null) await completeVersion1(records, [{ trial, ...earlier }]);
    const verdict = (await judge(records)).get(trial)!;
    return { verdict, figures: verdict.verdict === 'valid' ? await readTrialFigures(records) : null };
  });
  return typeof read === 'string' ? { verdict: unreadable(read), figures: null } : read;
}

/** What was read last: a run judges a trial, and then sums up its cell. */
let kept: { directory: string; fingerprint: string; reading: TrialReading } | null = null;

/** Remembers a reading of files that are complete. */
export async function keepReading(trialDirectory: string, reading: TrialReading): Promise<void> {
  kept = { directory: resolve(trialDirectory), fingerprint: await fingerprintOf(trialDirectory), reading };
}

/** The reading, if these files are those that were read last; else null. */
export async function keptReading(trialDirectory: string): Promise<TrialReading | null> {
  const isSame =
    kept?.directory === resolve(trialDirectory) && kept.fingerprint === (await fingerprintOf(trialDirectory));
  return isSame ? kept!.reading : null;
}
