import fc from 'fast-check';
import type { Op } from 'quill-delta';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { TYPE, toDelta } from './document.ts';
import { QUICK_TYPE, quickenDeltas } from './quicken.ts';

const edits = fc.array(
  fc.record({ at: fc.nat(), insert: fc.string({ maxLength: 3 }), deleted: fc.nat(3), bold: fc.boolean() }),
  { maxLength: 1_100 },
);

test('holds what the stock type holds, whenever it is asked', () => {
  fc.assert(
    fc.property(edits, fc.nat(1_100), (changes, askedEvery) => {
      let stock = TYPE.create([{ insert: 'some text\n' }]);
      let quick = QUICK_TYPE.create([{ insert: 'some text\n' }]);
      for (const [index, { at, insert, deleted, bold }] of changes.entries()) {
        const length = toDelta(stock).length();
        const place = at % length;
        const change = new Delta()
          .retain(place)
          .insert(insert, bold ? { bold } : {})
          .delete(Math.min(deleted, length - place - 1));
        stock = TYPE.apply(stock, change.ops);
        quick = QUICK_TYPE.apply(quick, change.ops);
        if (index % (askedEvery + 1) === 0) expect(toDelta(quick).ops).toEqual(toDelta(stock).ops);
      }
      expect(toDelta(quick).ops).toEqual(toDelta(stock).ops);
      expect(JSON.parse(JSON.stringify({ data: quick }))).toEqual({ data: stock });
    }),
    { numRuns: 50 },
  );
});

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
