import { beforeEach, expect, test } from 'vitest';
import { NoQuill } from '../noquill/noquill.ts';
import { Cursor } from './cursor.ts';

let editor: NoQuill;
let cursor: Cursor;
beforeEach(() => {
  editor = new NoQuill();
  editor.insertText(0, 'ab🎉cd', 'user');
  editor.setSelection(0, 0, 'user');
  cursor = new Cursor(editor);
});

test('moves from where it is, and no farther than the document', () => {
  cursor.move(2);
  expect(editor.getSelection()).toEqual({ index: 2, length: 0 });
  cursor.move(-5);
  expect(editor.getSelection()).toEqual({ index: 0, length: 0 });
  cursor.move(100);
  expect(editor.getSelection()).toEqual({ index: 6, length: 0 });
});

test('a selection begins relative to the cursor, which goes on from its end', () => {
  cursor.select(1, 100);
  expect(editor.getSelection()).toEqual({ index: 1, length: 5 });
  cursor.select(0, 1);
  cursor.move(2);
  expect(editor.getSelection()).toEqual({ index: 4, length: 0 });
});

test.each([
  ['within the document', -1, 1, { index: 4, length: 1 }],
  ['before its start', -50, 2, { index: 0, length: 2 }],
  ['behind its end', 50, 2, { index: 6, length: 0 }],
  ['within a character', -2, 1, { index: 2, length: 2 }],
])('goes back after a selection that would begin %s', (_where, distance, length, selected) => {
  cursor.move(5);
  cursor.select(distance, length);
  expect(editor.getSelection()).toEqual(selected);
  cursor.unselect();
  expect(editor.getSelection()).toEqual({ index: 5, length: 0 });
});

test('never cuts a character in two', () => {
  cursor.move(3);
  expect(editor.getSelection()).toEqual({ index: 2, length: 0 });
  cursor.select(0, 1);
  expect(editor.getSelection()).toEqual({ index: 2, length: 2 });
});

test.each([
  ['behind the stretch', 5, 0, 5],
  ['before it', 0, 0, 0],
  ['behind it, and it was deleted', 5, 2, 3],
  ['before it, and it was deleted', 0, 2, 0],
])('goes back after a visit, from where it was %s', (_where, from, taken, back) => {
  cursor.move(from);
  cursor.visit(2, 2);
  expect(editor.getSelection()).toEqual({ index: 2, length: 2 });
  editor.deleteText(2, taken, 'user');
  cursor.leave(taken);
  expect(editor.getSelection()).toEqual({ index: back, length: 0 });
});

test('looks elsewhere and comes back to its place, wherever others typed and however short the document is', () => {
  cursor.move(2);
  cursor.look(-50, 1);
  expect(editor.getSelection()).toEqual({ index: 0, length: 1 });
  editor.insertText(0, 'other', 'api');
  editor.insertText(7, 'here', 'api');
  cursor.lookBack();
  expect(editor.getSelection()).toEqual({ index: 7, length: 0 });
});
