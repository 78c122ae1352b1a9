/** Without the library, which is only there where it was asked for: what its events say, as a delta. */
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { deltaOf } from './rich-text.ts';

const bold = { bold: true };

test('ranges of one event are changes one after the other', () => {
  const delta = deltaOf({
    isLocal: false,
    ranges: [
      { operation: 0, position: 2, segment: { cachedLength: 3, text: 'new', properties: bold }, propertyDeltas: {} },
      { operation: 1, position: 5, segment: { cachedLength: 4, text: 'gone' }, propertyDeltas: {} },
    ],
  });
  expect(delta).toEqual(new Delta().retain(2).insert('new', bold).delete(4));
});

test('a format that was taken off is null, and what it was before does not matter', () => {
  const annotated = { cachedLength: 2, text: 'ab', properties: { italic: true } };
  const delta = deltaOf({
    isLocal: false,
    ranges: [{ operation: 2, position: 1, segment: annotated, propertyDeltas: { bold: true, italic: null } }],
  });
  expect(delta).toEqual(new Delta().retain(1).retain(2, { bold: null, italic: true }));
});
