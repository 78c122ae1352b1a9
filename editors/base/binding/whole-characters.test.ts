import fc from 'fast-check';
import Delta from 'quill-delta';
import { describe, expect, test } from 'vitest';
import { canonicalDelta } from '../delta.ts';
import { wholeCharacters } from './whole-characters.ts';

/** 🎉 and 🏽 begin with the same UTF-16 unit, D83C; 👍 begins with D83D. */
const document = fc
  .array(fc.record({ text: fc.stringMatching(/^(a|🎉|🏽|👍){1,4}$/u), bold: fc.boolean() }), { maxLength: 5 })
  .map((runs) =>
    runs.reduce((all, { text, bold }) => all.insert(text, bold ? { bold } : {}), new Delta()).insert('\n'),
  );

const isWhole = ({ ops }: Delta, before: Delta) => {
  let index = 0;
  const text = before.ops.map(({ insert }) => insert).join('');
  return ops.every(({ insert, retain, delete: deleted }) => {
    if (typeof insert === 'string') return insert.isWellFormed();
    index += Number(retain ?? deleted);
    return text.slice(0, index).isWellFormed();
  });
};

describe('a change in whole characters', () => {
  test('an emoji before one that begins alike is one insert', () => {
    const before = new Delta().insert('🎉\n');
    const told = new Delta().retain(1).insert('\uDFFD\uD83C');
    expect(isWhole(told, before)).toBe(false);
    expect(wholeCharacters(told, before)).toEqual(new Delta().insert('🏽'));
  });

  test('taking it away again is one delete', () => {
    const before = new Delta().insert('🏽🎉\n');
    expect(wholeCharacters(new Delta().retain(1).delete(2), before)).toEqual(new Delta().delete(2));
  });

  test('whatever the documents, it makes the same one and cuts nothing', () => {
    fc.assert(
      // With the place of the cursor, as Quill does it, the comparison cuts characters.
      fc.property(document, document, fc.nat(20), (before, after, cursor) => {
        const told = before.diff(after, cursor);
        const whole = wholeCharacters(told, before);
        expect(canonicalDelta(before.compose(whole))).toEqual(canonicalDelta(after));
        expect(isWhole(whole, before)).toBe(true);
      }),
    );
  });

  test('such changes are told', () => {
    const told = fc.sample(fc.tuple(document, document, fc.nat(20)), 500);
    expect(told.some(([before, after, cursor]) => !isWhole(before.diff(after, cursor), before))).toBe(true);
  });

  test('a change that cuts nothing stays as it is', () => {
    const before = new Delta().insert('words and 🎉 more\n');
    const change = new Delta().retain(2).delete(3).retain(5, { bold: true }).insert('👍');
    expect(wholeCharacters(change, before)).toBe(change);
  });
});
