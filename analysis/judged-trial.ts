/** One trial of a run, judged anew from its records, and its figures where they can be used. */
import { basename } from 'node:path';
import { readRecordFile } from '../results/formats/record-file.ts';
import { type PlannedTrial, recordPath } from '../results/formats/run-directory.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import type { JudgedTrial } from './cells.ts';
import { openRecords } from './database.ts';
import { asReason, readVerdict } from './run-files.ts';
import { readTrialFigures, type TrialFigures } from './trial-figures.ts';
import { unreadable } from './verdict/judge.ts';
import { judgeAnew, noteChange } from './verdict/judge-anew.ts';

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
  const recorded = await readVerdict(trialDirectory);
  const { verdict, figures } =
    typeof recorded === 'string'
      ? { verdict: unreadable(recorded), figures: null }
      : await readJudged(trialDirectory, recorded, clockErrorLimitMs);
  return {
    trial,
    verdict: verdict.verdict,
    reasons: verdict.reasons.map(({ message }) => message),
    notes: verdict.notes.map(({ message }) => message),
    converged: verdict.converged,
    version: figures?.version ?? (await readVersion(trialDirectory)),
    figures,
  };
}

interface ReadTrial {
  verdict: Verdict;
  figures: TrialFigures | null;
}

async function readJudged(
  trialDirectory: string,
  recorded: Verdict,
  clockErrorLimitMs: number | null,
): Promise<ReadTrial> {
  const trial = basename(trialDirectory);
  const read = await asReason(async (): Promise<ReadTrial> => {
    await using records = await openRecords([trialDirectory]);
    const verdict = (await judgeAnew(records, [{ trial, verdict: recorded, clockErrorLimitMs }])).get(trial)!;
    return { verdict, figures: verdict.verdict === 'valid' ? await readTrialFigures(records) : null };
  });
  return typeof read === 'string' ? { verdict: noteChange(recorded, unreadable(read)), figures: null } : read;
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
