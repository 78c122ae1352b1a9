/** One trial of a run, judged anew from its records, and its figures where they can be used. */
import { readRecordFile } from '../../results/formats/record-file.ts';
import { type PlannedTrial, recordPath } from '../../results/formats/run-directory.ts';
import { asReason, readVerdict } from '../../results/run-folder/run-files.ts';
import { keptReading, readTrial, type TrialReading } from '../trial/trial-reading.ts';
import { SHORT_OF_CORES } from '../verdict/checks.ts';
import { unreadable } from '../verdict/judge.ts';
import { noteChange } from '../verdict/judge-anew.ts';
import type { JudgedTrial } from './cells.ts';

/**
 * The verdict of today's checks, with the figures of a valid trial; `unknown` where the run gave none, or the records
 * cannot be read.
 *
 * @param clockErrorLimitMs as the plan has it; null for any
 */
export async function judgeTrial(
  { trial }: PlannedTrial,
  trialDirectory: string,
  clockErrorLimitMs: number | null,
): Promise<JudgedTrial> {
  const { verdict, figures } = await readAnew(trialDirectory, clockErrorLimitMs);
  return {
    trial,
    verdict: verdict.verdict,
    reasons: verdict.reasons.map(({ message }) => message),
    notes: verdict.notes.map(({ message }) => message),
    converged: verdict.converged,
    version: figures?.version ?? (await readVersion(trialDirectory)),
    figures,
    isShortOfCores: verdict.notes.some(({ code }) => SHORT_OF_CORES.some((short) => short === code)),
  };
}

async function readAnew(trialDirectory: string, clockErrorLimitMs: number | null): Promise<TrialReading> {
  const recorded = await readVerdict(trialDirectory);
  if (typeof recorded === 'string') return { verdict: unreadable(recorded), figures: null };
  const reading =
    (await keptReading(trialDirectory)) ?? (await readTrial(trialDirectory, { verdict: recorded, clockErrorLimitMs }));
  return { ...reading, verdict: noteChange(recorded, reading.verdict) };
}

/** The framework's version as the coordinator wrote it, null where its record cannot be read. */
async function readVersion(trialDirectory: string): Promise<string | null> {
  const version = await asReason(async () => {
    for await (const line of readRecordFile(recordPath(trialDirectory, 'coordinator'))) {
      if (line.type === 'process') return { version: line.frameworkVersion };
    }
    return { version: null };
  });
  return typeof version === 'string' ? null : version.version;
}
