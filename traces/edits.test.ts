import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlainEditor } from '../tests/traces/plain-editor.ts';
import { sequentialTrace } from '../tests/traces/random-traces.ts';
import { type Edit, editsOf } from './edits.ts';
import type { Patch, SequentialTrace } from './format.ts';

const FAMILY = '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}';

/** The edits of the one `patch` made on `startContent`, whose author's cursor stands at its end. */
function editsOfPatch(startContent: string, patch: Patch): Edit[] {
  const codePoints = [...startContent];
  codePoints.splice(patch[0], patch[1], patch[2]);
  const trace: SequentialTrace = { kind: 'sequential', startContent, endContent: codePoints.join(''), txns: [] };
  const before = editsOf({ ...trace, endContent: startContent })[0]!.length;
  return editsOf({ ...trace, txns: [{ patches: [patch] }] })[0]!.slice(before);
}

test('performed on a plain editor, the edits of a random trace give its endContent', () => {
  fc.assert(
    fc.property(sequentialTrace, (trace) => {
      const editor = new PlainEditor();
      for (const edit of editsOf(trace)[0]!) editor.perform(edit);
      expect(editor.text).toBe(trace.endContent.replaceAll('\r', ''));
    }),
    { numRuns: 500 },
  );
});

test('no key is longer than what Chrome takes, none is empty, and no move is -0', () => {
  fc.assert(
    fc.property(sequentialTrace, (trace) => {
      for (const edit of editsOf(trace)[0]!) {
        expect(Object.is(edit.move, -0)).toBe(false);
        if (edit.kind === 'key') expect(edit.text.length).toSatisfy((units: number) => units >= 1 && units <= 4);
        if (edit.kind === 'paste') expect(edit.text).not.toBe('');
        if (edit.kind === 'erase') expect(edit.length).toBeGreaterThan(0);
      }
    }),
    {
      // A way back over nothing but "\r" once came out as -0.
      examples: [
        [
          {
            kind: 'sequential',
            startContent: 'a',
            endContent: 'a\r',
            txns: [{ patches: [[0, 1, '\r']] }, { patches: [[0, 0, 'a']] }],
          },
        ],
      ],
    },
  );
});

test.each<[string, string, Patch, Edit[]]>([
  ['a character', 'ab', [2, 0, 'c'], [{ kind: 'key', move: 0, text: 'c' }]],
  ['an emoji, after a jump', 'ab', [1, 0, '😀'], [{ kind: 'key', move: -1, text: '😀' }]],
  ['a flag, of 4 units', 'ab', [2, 0, '🇩🇪'], [{ kind: 'key', move: 0, text: '🇩🇪' }]],
  ['a family, too long for a key', 'ab', [2, 0, FAMILY], [{ kind: 'paste', move: 0, text: FAMILY }]],
  [
    'a short text',
    'ab',
    [0, 0, 'xe\u0301'],
    [
      { kind: 'key', move: -2, text: 'x' },
      { kind: 'key', move: 0, text: 'e\u0301' },
    ],
  ],
  ['a text of 9 characters', 'ab', [2, 0, '123456789'], [{ kind: 'paste', move: 0, text: '123456789' }]],
  ['a Windows line end', 'ab', [2, 0, '\r\n'], [{ kind: 'key', move: 0, text: '\n' }]],
  ['nothing that shows', 'ab', [1, 0, '\r'], []],
])('inserts %s', (_, startContent, patch, edits) => {
  expect(editsOfPatch(startContent, patch)).toEqual(edits);
});

test('types 8 characters, and pastes more', () => {
  expect(editsOfPatch('', [0, 0, '12345678']).map((edit) => edit.kind)).toEqual(new Array(8).fill('key'));
  expect(editsOfPatch('', [0, 0, '😀'.repeat(9)])).toEqual([{ kind: 'paste', move: 0, text: '😀'.repeat(9) }]);
});

test.each<[string, string, Patch, Edit[]]>([
  ['before the cursor', 'abc', [2, 1, ''], [{ kind: 'backspace', move: 0 }]],
  ['elsewhere', 'abc', [0, 1, ''], [{ kind: 'backspace', move: -2 }]],
  ['of two units', 'ab😀', [2, 1, ''], [{ kind: 'erase', move: -2, length: 2 }]],
  ['elsewhere, past one of two units', 'a😀b', [0, 1, ''], [{ kind: 'backspace', move: -3 }]],
  ['with its mark', 'ae\u0301', [1, 2, ''], [{ kind: 'erase', move: -2, length: 2 }]],
  ['that leaves its mark', 'ae\u0301', [1, 1, ''], [{ kind: 'erase', move: -2, length: 1 }]],
  ['that is a mark', 'ae\u0301', [2, 1, ''], [{ kind: 'erase', move: -1, length: 1 }]],
  ['after a whole cluster', 'e\u0301x', [2, 1, ''], [{ kind: 'backspace', move: 0 }]],
  ['that ends a joined emoji', '\u{1f469}\u200d\u2764', [2, 1, ''], [{ kind: 'erase', move: -1, length: 1 }]],
  ['that is a Windows line end', 'a\r\n', [1, 2, ''], [{ kind: 'backspace', move: 0 }]],
  ['among several', 'abcd', [1, 2, ''], [{ kind: 'erase', move: -3, length: 2 }]],
])('deletes a character %s', (_, startContent, patch, edits) => {
  expect(editsOfPatch(startContent, patch)).toEqual(edits);
});

test('deletes what stands after the cursor with Delete', () => {
  const patches: Patch[] = [
    [1, 0, 'X'],
    [2, 1, ''],
    [2, 1, ''],
  ];
  const trace: SequentialTrace = {
    ...{ kind: 'sequential', startContent: 'abcd', endContent: 'aXd' },
    txns: patches.map((patch) => ({ patches: [patch] })),
  };
  expect(editsOf(trace)[0]!.slice(4)).toEqual([
    { kind: 'key', move: -3, text: 'X' },
    { kind: 'delete', move: 0 },
    { kind: 'delete', move: 0 },
  ]);
});

test('replaces by deleting, then inserting', () => {
  expect(editsOfPatch('one two', [4, 3, 'three'])).toMatchObject([
    { kind: 'erase', move: -3, length: 3 },
    { kind: 'key', move: 0, text: 't' },
    ...[...'hree'].map((text) => ({ kind: 'key', move: 0, text })),
  ]);
});

test('begins with startContent', () => {
  const trace: SequentialTrace = {
    kind: 'sequential',
    startContent: 'a longer start',
    endContent: 'a longer start',
    txns: [],
  };
  expect(editsOf(trace)).toEqual([[{ kind: 'paste', move: 0, text: 'a longer start' }]]);
});
