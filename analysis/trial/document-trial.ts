/** One trial of a document scenario: its verdict and its figures, from its one record alone. */
import { readRecordFile } from '../../results/formats/record-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { recordPath } from '../../results/formats/run-directory.ts';
import type { Reason, Verdict } from '../../results/formats/verdict.ts';
import { asReason } from '../../results/run-folder/run-files.ts';
import { unreadable } from '../verdict/judge.ts';
import type { TrialAnalysis } from './figures-file.ts';

/** The name of the one record of a document scenario's trial. */
export const DOCUMENT_RECORD = 'trial';

/** If the record cannot be read, the verdict is `unknown`, with the reason. */
export async function analyseDocumentTrial(directory: string): Promise<TrialAnalysis> {
  const lines = await asReason(() => Array.fromAsync(readRecordFile(recordPath(directory, DOCUMENT_RECORD))));
  return typeof lines === 'string'
    ? { verdict: unreadable(lines), version: null, measured: null }
    : judgeDocumentTrial(lines);
}

/** By the record's lines: a trial that is not done is not valid, and neither is one that tells of a failure or a fault. */
export function judgeDocumentTrial(lines: readonly RecordLine[]): TrialAnalysis {
  const all = <Type extends RecordLine['type']>(type: Type) =>
    lines.filter((line): line is Extract<RecordLine, { type: Type }> => line.type === type);
  const [subject] = all('subject');
  const notes = all('note').map(({ code, message }) => ({ code, message }));
  const given = (verdict: Verdict['verdict'], reasons: Reason[]): TrialAnalysis => ({
    verdict: { schemaVersion: 1, verdict, reasons, notes, converged: null },
    version: subject?.version ?? null,
    measured: {
      columns: Object.fromEntries(all('figure').map(({ figure, value }) => [figure, value])),
      samples: {},
      buckets: [],
      faults: [],
      curves: Object.fromEntries(all('curve').map(({ curve, x, y }) => [curve, { x, y }])),
    },
  });
  const faults = all('fault').map(({ code = 'fault', message }) => ({ code, message }));
  if (faults.length > 0) return given('invalid', faults);
  const failures = all('failure').map(({ code, message }) => ({ code, message }));
  if (failures.length > 0) return given('failed', failures);
  if (all('done').length === 0 || subject === undefined) {
    return given('invalid', [{ code: 'cut-off', message: 'its record ends before the trial did' }]);
  }
  return given('valid', []);
}
