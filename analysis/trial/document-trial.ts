/** One trial of a document scenario: its verdict and its figures, from its record alone. */
import { existsSync } from 'node:fs';
import type { Parameters } from '../../results/formats/document-records.ts';
import { readRecordFile } from '../../results/formats/record-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { recordPath } from '../../results/formats/run-directory.ts';
import type { Reason, Verdict } from '../../results/formats/verdict.ts';
import { asReason } from '../../results/run-folder/run-files.ts';

/** The name of the one record of a document scenario's trial. */
export const DOCUMENT_RECORD = 'trial';

export interface DocumentTrialResult {
  verdict: Verdict;
  /** Null where the record does not tell. */
  of: Parameters | null;
  version: string | null;
  /** Empty where the trial is not valid. */
  figures: Readonly<Record<string, number>>;
  curves: Readonly<Record<string, { x: number[]; y: number[] }>>;
}

/** What cannot be read is `unknown`, with the reason. */
export async function readDocumentTrial(directory: string): Promise<DocumentTrialResult> {
  const path = recordPath(directory, DOCUMENT_RECORD);
  const lines = existsSync(path) ? await asReason(() => Array.fromAsync(readRecordFile(path))) : `there is no ${path}`;
  if (typeof lines === 'string') return unusable('unknown', [{ code: 'unreadable', message: lines }]);
  return judgeDocumentTrial(lines);
}

/** By the record's lines: what is not done is not valid, and neither is what told of a failure or a fault. */
export function judgeDocumentTrial(lines: readonly RecordLine[]): DocumentTrialResult {
  const all = <Type extends RecordLine['type']>(type: Type) =>
    lines.filter((line): line is Extract<RecordLine, { type: Type }> => line.type === type);
  const [subject] = all('subject');
  const identity = { of: subject?.of ?? null, version: subject?.version ?? null };
  const notes = all('note').map(({ code, message }) => ({ code, message }));
  const faults = all('fault').map(({ code = 'fault', message }) => ({ code, message }));
  if (faults.length > 0) return { ...unusable('invalid', faults, notes), ...identity };
  const failures = all('failure').map(({ code, message }) => ({ code, message }));
  if (failures.length > 0) return { ...unusable('failed', failures, notes), ...identity };
  if (all('done').length === 0 || subject === undefined) {
    const message = 'its record ends before the trial did';
    return { ...unusable('invalid', [{ code: 'cut-off', message }], notes), ...identity };
  }
  return {
    ...identity,
    verdict: { schemaVersion: 1, verdict: 'valid', reasons: [], notes, converged: null },
    figures: Object.fromEntries(all('figure').map(({ figure, value }) => [figure, value])),
    curves: Object.fromEntries(all('curve').map(({ curve, x, y }) => [curve, { x, y }])),
  };
}

function unusable(verdict: Verdict['verdict'], reasons: Reason[], notes: Reason[] = []): DocumentTrialResult {
  return {
    verdict: { schemaVersion: 1, verdict, reasons, notes, converged: null },
    of: null,
    version: null,
    figures: {},
    curves: {},
  };
}
