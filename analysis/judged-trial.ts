/** One trial of a run: the verdict that the run gave it, and the figures of its records where they can be used. */
import { readRecordFile } from '../results/formats/record-file.ts';
import { type PlannedTrial, recordPath } from '../results/formats/run-directory.ts';
import type { JudgedTrial } from './cells.ts';
import { openRecords } from './database.ts';
import { asReason, readVerdict } from './run-files.ts';
import { readDefects, readTrialFigures, type TrialFigures } from './trial-figures.ts';

export interface TrialLimits {
  /** How well a user's clock must be known against the coordinator's, in ms; null for any. */
  clockErrorMs: number | null;
}

/**
 * The verdict that the run gave, or `unknown` where what the analysis needs to follow it cannot be read, or contradicts
 * it. What is missing without making the figures wrong is a note.
 */
export async function judgeTrial(
  { trial }: PlannedTrial,
  trialDirectory: string,
  limits: TrialLimits,
): Promise<JudgedTrial> {
  const verdict = await readVerdict(trialDirectory);
  const judged = {
    trial,
    verdict: verdict.verdict,
    reasons: verdict.reasons.map(({ message }) => message),
    notes: verdict.notes.map(({ message }) => message),
    converged: verdict.converged,
  };
  if (verdict.verdict !== 'valid') {
    return { ...judged, version: await readVersion(trialDirectory), figures: null };
  }
  const read = await asReason(() => readRecords(trialDirectory));
  const reasons = typeof read === 'string' ? [read] : 'defects' in read ? read.defects : uncertainClock(read, limits);
  if (typeof read !== 'string' && !('defects' in read) && reasons.length === 0) {
    return { ...judged, notes: [...judged.notes, ...notesOn(read)], version: read.version, figures: read };
  }
  return { ...judged, verdict: 'unknown', reasons, version: await readVersion(trialDirectory), figures: null };
}

async function readRecords(trialDirectory: string): Promise<TrialFigures | { defects: string[] }> {
  await using records = await openRecords([trialDirectory]);
  const defects = await readDefects(records);
  return defects.length > 0 ? { defects } : await readTrialFigures(records);
}

/** The run looked at each measurement of a clock by itself; here they are held against each other as well. */
function uncertainClock({ worstClock }: TrialFigures, { clockErrorMs }: TrialLimits): string[] {
  if (worstClock === null || clockErrorMs === null || worstClock.errorMs <= clockErrorMs) return [];
  const { process, errorMs } = worstClock;
  return [
    `the clocks disagree: what was measured of the clock of ${process} fits together only within ${errorMs.toFixed(1)} ms (limit ${clockErrorMs} ms)`,
  ];
}

function notesOn({ hasServer }: TrialFigures): string[] {
  return hasServer
    ? []
    : [
        'the server left no record, or one without a measurement of its clock, so its CPU, memory and network are not known',
      ];
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
