import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { pasteText, pressBackspace, pressEnter, toggleFormat, typeText } from './keys.ts';
import { benchNoQuill } from './noquill.bench.ts';
import { NoQuill } from './noquill.ts';

test('a user without a browser types, formats and pastes', () => {
  const editor = new NoQuill();
  editor.setSelection(0);
  typeText(editor, 'a');
  toggleFormat(editor, 'bold');
  typeText(editor, 'b');
  pressEnter(editor);
  toggleFormat(editor, 'header', 2);
  pasteText(editor, 'one\ntwo');
  pressBackspace(editor);
  const header = { insert: '\n', attributes: { header: 2 } };
  expect(editor.getContents().ops).toEqual([
    { insert: 'a' },
    { insert: 'b', attributes: { bold: true } },
    { insert: '\none' },
    header,
    { insert: 'tw' },
    header,
  ]);
  expect(editor.getSelection()).toEqual({ index: 9, length: 0 });
});

test('what was before a change can be read later, when the document has gone on', () => {
  const editor = new NoQuill();
  const befores: Delta[] = [];
  editor.on('text-change', (_change, before) => befores.push(before));
  for (const text of ['a', 'b', 'c']) editor.insertText(0, text);
  expect(befores.map(({ ops }) => ops)).toEqual([[{ insert: '\n' }], [{ insert: 'a\n' }], [{ insert: 'ba\n' }]]);
});

// Quill 2.0.3 loses "a" here: README.md.
test('deleting from inside of a line to the end of the document keeps what stands before', () => {
  const editor = new NoQuill();
  editor.setContents([{ insert: 'ab\ncd\n' }]);
  editor.updateContents([{ retain: 1 }, { delete: 5 }]);
  expect(editor.getText()).toBe('a\n');
});

test('anything but text is refused', () => {
  const image = new Delta().insert({ image: 'x.png' });
  expect(() => new NoQuill().updateContents(image)).toThrow('inserts {"image":"x.png"}');
});

test('the bench measures', async () => {
  const rows = Object.values(await benchNoQuill(1));
  expect(rows).toHaveLength(4);
  for (const { keyNs, remoteNs, batchedNs } of rows) {
    for (const costNs of [keyNs ?? 1, remoteNs, batchedNs]) expect(costNs).toBeGreaterThan(0);
  }
  expect(rows.map(({ keyNs }) => keyNs === null)).toEqual([false, false, false, true]);
});
