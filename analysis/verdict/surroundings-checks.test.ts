import { expect } from 'vitest';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at } from '../test-data/hand-made-trial.ts';
import { judged, soundTrial } from '../test-data/sound-trial.ts';
import { judgeDocumentTrial } from '../trial/analyse-trial.ts';

type Around = RecordOf<'surroundings'>;

/** Before a trial and 40 s later, as the monotonic clock has it. */
function around(change: Partial<Around> = {}): [Around, Around] {
  const code = { commit: 'c', changed: false, sources: 's', isCodeOfRun: true };
  const before = { type: 'surroundings' as const, ...code, otherRuns: [] as number[] };
  const [uptimeMs, wallMs] = [5_000_000, 1_700_000_000_000];
  return [
    { ...before, atMs: at(-5000), uptimeMs, wallMs },
    { ...before, atMs: at(35_000), uptimeMs: uptimeMs + 40_010, wallMs: wallMs + 40_000, ...change },
  ];
}
const HOUR_MS = 3_600_000;
const [, { uptimeMs, wallMs }] = around();

const CASES: [string, Partial<Around>, { verdict: string; reasons: string[]; notes: string[] }][] = [
  ['nothing', {}, { verdict: 'valid', reasons: [], notes: [] }],
  [
    'a machine that slept',
    { uptimeMs: uptimeMs + 90_000, wallMs: wallMs + 90_000 },
    { verdict: 'invalid', reasons: ['machine-slept: slept for 90 s of the trial'], notes: [] },
  ],
  [
    'a time of day that was set',
    { wallMs: wallMs - HOUR_MS },
    { verdict: 'valid', reasons: [], notes: ['clock-jumped: set back by 3600 s'] },
  ],
  [
    'other runs',
    { otherRuns: [4591, 77] },
    { verdict: 'valid', reasons: [], notes: ['machine-shared: (process 77, 4591)'] },
  ],
  [
    'other sources',
    { isCodeOfRun: false },
    { verdict: 'valid', reasons: [], notes: ['sources-changed: since the run began'] },
  ],
];

describe('around a trial', () => {
  for (const [what, change, expected] of CASES) {
    const matches = (verdict: { verdict: string; reasons: object[]; notes: object[] }) => {
      expect(verdict.verdict).toBe(expected.verdict);
      for (const kind of ['reasons', 'notes'] as const) {
        const wanted = expected[kind].map((text) => {
          const [code, message] = text.split(': ');
          return { code, message: expect.stringContaining(message!) };
        });
        expect(verdict[kind]).toEqual(wanted);
      }
    };
    test(`${what}, where people type`, async () => matches(await judged(soundTrial({ coordinator: around(change) }))));
    test(`${what}, of documents`, () => {
      const of = { type: 'subject', schemaVersion: 2, scenario: 'replay', of: {}, version: '1', atMs: at(0) };
      const lines = [of, ...around(change), { type: 'done', atMs: at(40_000) }] as RecordLine[];
      matches(judgeDocumentTrial(lines).verdict);
    });
  }

  test('another run, beside documents that were out of time, is no failure of theirs; of another text it explains nothing', () => {
    const verdictAfter = (code: string, change: object) => {
      const failure = { type: 'failure', code, message: 'm' };
      const lines = [...around(change), failure, { type: 'done', atMs: at(40_000) }] as RecordLine[];
      const { verdict, reasons, notes } = judgeDocumentTrial(lines).verdict;
      return [verdict, reasons.map((reason) => reason.code), notes.map((note) => note.code)];
    };
    const beside = { otherRuns: [7] };
    expect(verdictAfter('out-of-time', beside)).toEqual(['invalid', ['out-of-time', 'machine-shared'], []]);
    expect(verdictAfter('wrong-content', beside)).toEqual(['failed', ['wrong-content'], ['machine-shared']]);
    expect(verdictAfter('out-of-time', {})).toEqual(['failed', ['out-of-time'], []]);
    const asleep = { uptimeMs: uptimeMs + 90_000, wallMs: wallMs + 90_000 };
    expect(verdictAfter('out-of-time', asleep)).toEqual(['invalid', ['out-of-time', 'machine-slept'], []]);
    expect(verdictAfter('wrong-content', asleep)).toEqual(['failed', ['wrong-content', 'machine-slept'], []]);
  });
});
