import fc from 'fast-check';
import Delta, { type Op } from 'quill-delta';
import { expect, test } from 'vitest';
import { quickenDeltas } from './quick-deltas.ts';

const attributes = fc.option(
  fc.dictionary(fc.constantFrom('bold', 'header'), fc.constantFrom(true, null, 1), { maxKeys: 2 }),
  { nil: undefined },
);
const formatted = <T>(members: T) =>
  attributes.map((formats) => (formats ? { ...members, attributes: formats } : members));
const operation: fc.Arbitrary<Op> = fc.oneof(
  fc.string({ minLength: 1, maxLength: 4 }).chain((insert) => formatted({ insert })),
  fc.nat(5).chain((retain) => formatted({ retain: retain + 1 })),
  fc.nat(3).map((deleted) => ({ delete: deleted + 1 })),
);
const change = fc.array(operation, { maxLength: 12 });

function composed(changes: Op[][]): { pushed: Op[][]; composed: Op[] } {
  const deltas = changes.map((ops) => ops.reduce((delta, op) => delta.push({ ...op }), new Delta()));
  return { pushed: deltas.map(({ ops }) => ops), composed: deltas.reduce((all, next) => all.compose(next)).ops };
}

test('quickened, deltas are built and composed to what they are in the stock library, and none is changed in place', () => {
  const samples = fc.sample(fc.array(change, { minLength: 1, maxLength: 5 }), { numRuns: 2_000, seed: 1 });
  const before = structuredClone(samples);
  const stock = samples.map(composed);
  quickenDeltas();
  expect(samples.map(composed)).toEqual(stock);
  expect(samples).toEqual(before);
});
