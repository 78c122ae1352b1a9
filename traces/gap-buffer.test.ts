import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GapBuffer } from './gap-buffer.ts';

test('splices as an array does, also beyond its first capacity', () => {
  const splices = fc.array(fc.record({ at: fc.nat(), deleted: fc.nat({ max: 9 }), count: fc.nat({ max: 900 }) }));
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 99 })), splices, (content, steps) => {
      const buffer = new GapBuffer(content);
      const array = [...content];
      for (const [step, { at, deleted, count }] of steps.entries()) {
        const position = at % (array.length + 1);
        const available = Math.min(deleted, array.length - position);
        const inserted = new Array(count).fill(step);
        buffer.splice(position, available, inserted);
        array.splice(position, available, ...inserted);
      }
      expect([...buffer.slice()]).toEqual(array);
      expect([...buffer.slice(-2, 5)]).toEqual(array.slice(0, 5));
      expect(array.every((value, index) => buffer.at(index) === value)).toBe(true);
    }),
  );
});

test('refuses to splice outside itself', () => {
  const buffer = new GapBuffer([1, 2, 3]);
  expect(() => buffer.splice(2, 2, [])).toThrow(RangeError);
  expect(() => buffer.splice(4, 0, [9])).toThrow(RangeError);
  expect(() => buffer.splice(-1, 0, [9])).toThrow(RangeError);
  expect([...buffer.slice()]).toEqual([1, 2, 3]);
});
