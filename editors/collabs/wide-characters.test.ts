import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWideCharacters } from './wide-characters.ts';

test('indexes on both sides of an emoji', () => {
  const wide = createWideCharacters();
  wide.inserted(0, ['a', '😀', 'b', '😀']);
  // The units are a, two of the first emoji, b, two of the second: unit 3 is "b", element 2.
  expect([0, 1, 3, 4, 6].map(wide.toElement)).toEqual([0, 1, 2, 3, 4]);
  expect([0, 1, 2, 3, 4].map(wide.toUnit)).toEqual([0, 1, 3, 4, 6]);
});

test('indexes are those of the text, whatever was inserted and deleted before', () => {
  const character = fc.constantFrom('a', '\n', 'é', '😀', '👩');
  const edit = fc.oneof(
    fc.record({ at: fc.nat(99), insert: fc.array(character, { minLength: 1, maxLength: 4 }) }),
    fc.record({ at: fc.nat(99), remove: fc.integer({ min: 1, max: 5 }) }),
  );
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
      const wide = createWideCharacters();
      const characters: string[] = [];
      for (const step of edits) {
        const at = step.at % (characters.length + 1);
        if ('insert' in step) {
          characters.splice(at, 0, ...step.insert);
          wide.inserted(at, step.insert);
        } else {
          wide.deleted(at, characters.splice(at, step.remove).length);
        }
      }
      for (let element = 0; element <= characters.length; element++) {
        const unit = characters.slice(0, element).join('').length;
        expect(wide.toUnit(element)).toBe(unit);
        expect(wide.toElement(unit)).toBe(element);
      }
    }),
  );
});
