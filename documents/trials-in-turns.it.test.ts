import { expect, test } from 'vitest';
import { judgeDocumentTrial } from '../analysis/trial/analyse-trial.ts';
import { type RecordLine, SCHEMA_VERSION } from '../results/formats/records.ts';
import { TrialsInTurns } from './trials-in-turns.ts';

const about = { type: 'subject', schemaVersion: SCHEMA_VERSION, scenario: 'replay', version: '', atMs: 1 } as const;
const PRINTED: RecordLine[] = ['one', 'other'].flatMap((engine, value): RecordLine[] => [
  { ...about, of: { engine } },
  { type: 'figure', figure: 'applyMs', value },
]);

test('a machine that slept while subjects took turns spoils the trials of all, whichever was asked for first', async () => {
  const trials = new TrialsInTurns(() => {});
  const script = `console.log(${JSON.stringify(PRINTED.map((line) => JSON.stringify(line)).join('\n'))})`;
  const together = {
    command: [process.execPath, '--eval', script],
    ...{ subjects: ['one', 'other'], limitMs: 20_000, signal: new AbortController().signal, seed: 1 },
  };
  for (const [value, subject] of together.subjects.entries()) {
    const lines = await trials.linesOf(subject, together);
    expect(lines).toContainEqual({ type: 'figure', figure: 'applyMs', value });
    const [before, after] = lines.filter((line) => line.type === 'surroundings');
    // Nothing happened around the trial itself, if it only took what was measured.
    const own = [1, 2].map((later) => ({ ...after!, atMs: after!.atMs + later, uptimeMs: after!.uptimeMs + later }));
    const slept = { ...before!, uptimeMs: before!.uptimeMs - 60_000 };
    const record = [{ ...about, of: {} }, own[0]!, slept, after!, own[1]!, { type: 'done', atMs: 9 } as const];
    expect(judgeDocumentTrial(record).verdict).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'machine-slept' }],
    });
  }
});
