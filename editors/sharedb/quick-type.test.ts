import fc from 'fast-check';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { TYPE, toDelta } from './document.ts';
import { QUICK_TYPE } from './quick-type.ts';

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
