import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeTrace } from './describe.ts';
import { editsOf } from './edits.ts';
import { replay } from './replay.ts';
import { syntheticTrace } from './synthetic.ts';
import { RUN_LENGTHS, SOURCE } from './synthetic-figures.ts';

const trace = syntheticTrace();
const description = describeTrace(trace);

test('is the same for the same seed, and another for another', () => {
  expect(syntheticTrace({ seed: 7, edits: 500 })).toEqual(syntheticTrace({ seed: 7, edits: 500 }));
  expect(syntheticTrace({ seed: 8, edits: 500 })).not.toEqual(syntheticTrace({ seed: 7, edits: 500 }));
  // Results name this trace: if it must change, say so where results are compared.
  expect(createHash('sha256').update(JSON.stringify(trace)).digest('hex')).toMatchInlineSnapshot(
    `"208ca550c82a091bd8f033676ca4274bff1708dea79de4072ed9618cd4fe2e58"`,
  );
});

test('replays to its end, in patches of one character', () => {
  expect(() => replay(trace)).not.toThrow();
  expect(trace.txns.length).toBeGreaterThanOrEqual(30_000);
  expect(trace.txns.flatMap((txn) => txn.patches).every(([, deleted, text]) => deleted + text.length === 1)).toBe(true);
  expect(trace.endContent).toMatch(/^[A-Za-z ,.\n]+$/);
});

test("lies near its source's share of deletes, of edits that follow on, and mean run of typing", () => {
  const { patches, deletedCharacters, moves, edits } = description;
  // 77,463 of 259,778 edits of the source delete: 29.8 %.
  expect(100 * (deletedCharacters / patches - SOURCE.deletes / SOURCE.edits)).toSatisfy(within(1.5));
  expect(100 * ((edits - moves) / edits - SOURCE.followOnShare)).toSatisfy(within(0.3));
  expect(meanInsertRun() / SOURCE.meanInsertRun - 1).toSatisfy(within(0.05));
});

test("other seeds lie near the source's share of deletes too", () => {
  for (const seed of [11, 12, 13, 14]) {
    const { patches, deletedCharacters } = describeTrace(syntheticTrace({ seed }));
    expect(100 * (deletedCharacters / patches - SOURCE.deletes / SOURCE.edits)).toSatisfy(within(4));
  }
});

test("the jumps' distances lie near the source's, a little shorter as the document is", () => {
  const distances = editsOf(trace)[0]!.flatMap(({ move }) => (move === 0 ? [] : [Math.abs(move)]));
  distances.sort((a, b) => a - b);
  for (const [index, quartile] of SOURCE.jumpQuartiles.entries()) {
    const seen = distances[Math.floor((distances.length * (index + 1)) / 4)]!;
    expect(seen / quartile).toSatisfy((ratio: number) => ratio > 0.6 && ratio < 1.2);
  }
});

test('the tabulated runs have the mean that was measured', () => {
  const { insert } = RUN_LENGTHS;
  expect(insert.reduce((sum, length) => sum + length, 0) / insert.length).toBeCloseTo(SOURCE.meanInsertRun, 1);
});

function within(tolerance: number): (difference: number) => boolean {
  return (difference) => Math.abs(difference) <= tolerance;
}

/** Keys ÷ runs of keys, where a jump or a deletion ends a run. */
function meanInsertRun(): number {
  const edits = editsOf(trace)[0]!;
  const keys = edits.filter((edit) => edit.kind === 'key').length;
  const starts = edits.filter((edit, index) => {
    return edit.kind === 'key' && (edit.move !== 0 || edits[index - 1]?.kind !== 'key');
  });
  return keys / starts.length;
}
