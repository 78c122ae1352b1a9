import { expect, test } from 'vitest';
import { describeTrace, formatDescription } from './describe.ts';
import type { SequentialTrace } from './format.ts';

/** "ab", back to the start for "x", Delete of "a", a paste of 9 characters there: 5 edits in 4 runs, one after a move. */
const trace: SequentialTrace = {
  kind: 'sequential',
  startContent: '',
  endContent: 'x😀2345678😀b',
  txns: [
    {
      patches: [
        [0, 0, 'a'],
        [1, 0, 'b'],
      ],
    },
    { patches: [[0, 0, 'x']] },
    { patches: [[1, 1, '']] },
    { patches: [[1, 0, '😀2345678😀']] },
  ],
};

test('counts', () => {
  expect(describeTrace(trace)).toEqual({
    kind: 'sequential',
    authors: 1,
    transactions: 4,
    patches: 5,
    insertedCharacters: 12,
    deletedCharacters: 1,
    startCharacters: 0,
    endCharacters: 11,
    edits: 5,
    editsOfKind: { key: 3, paste: 1, backspace: 0, delete: 1, erase: 0 },
    moves: 1,
    meanRunLength: 1.25,
  });
});

test('aligns its figures', () => {
  const lines = formatDescription(describeTrace(trace)).split('\n');
  expect(lines[0]).toMatch(/^kind {21}sequential$/);
  expect(lines).toContain('  key                             3   60.0 %');
  expect(new Set(lines.map((line) => line.replace(/ +[\d.]+ %$/, '').length)).size).toBe(1);
});

test('describes a trace without edits', () => {
  const empty = formatDescription(describeTrace({ ...trace, endContent: '', txns: [] }));
  expect(empty).toMatch(/mean run, edits +–$/);
});
