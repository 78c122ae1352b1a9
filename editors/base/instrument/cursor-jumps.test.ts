import Delta from 'quill-delta';
import { describe, expect, test } from 'vitest';
import { NoQuill } from '../noquill/noquill.ts';
import { followCursor, placesAfter } from './cursor-jumps.ts';

const TEXT = 'abcdef';
const places = (change: Delta, cursor: number) =>
  placesAfter(change, cursor, (index, length) => TEXT.slice(index, index + length));
const only = (place: number) => ({ from: place, to: place });

describe('where a cursor may be after a change', () => {
  test('what others put in before it pushes it on, what they put in behind leaves it', () => {
    expect(places(new Delta().retain(1).insert('xy'), 3)).toEqual(only(5));
    expect(places(new Delta().retain(4).insert('xy'), 3)).toEqual(only(3));
  });

  test('at its own place it may come before or after', () => {
    expect(places(new Delta().retain(3).insert('xy'), 3)).toEqual({ from: 3, to: 5 });
    expect(places(new Delta().insert('xy'), 0)).toEqual({ from: 0, to: 2 });
  });

  test('what is taken out around it leaves it where that was', () => {
    expect(places(new Delta().retain(1).delete(4), 3)).toEqual(only(1));
    expect(places(new Delta().retain(1).delete(4), 6)).toEqual(only(2));
    expect(places(new Delta().delete(2), 2)).toEqual(only(0));
  });

  test('formats leave it', () => {
    expect(places(new Delta().retain(5, { bold: true }), 3)).toEqual(only(3));
  });

  test('of a text that is replaced, what is the same stays the same', () => {
    const change = new Delta().insert('abXdef').delete(6);
    expect([0, 1, 2, 3, 4, 6].map((cursor) => places(change, cursor))).toEqual([
      only(0),
      only(1),
      { from: 2, to: 3 },
      { from: 2, to: 3 },
      only(4),
      only(6),
    ]);
  });
});

describe('an editor that is followed', () => {
  function typing() {
    const editor = new NoQuill();
    editor.setContents(new Delta().insert(`${TEXT}\n`), 'binding');
    editor.setSelection(4, 0, 'user');
    const moves: number[] = [];
    followCursor(editor, (movedBy) => moves.push(movedBy));
    return { editor, moves };
  }

  test('says nothing of what others do beside the cursor, nor of what its user does', () => {
    const { editor, moves } = typing();
    editor.updateContents(new Delta().retain(1).insert('xy'), 'binding');
    editor.updateContents(new Delta().retain(6).insert('z'), 'binding');
    editor.updateContents(new Delta().retain(2).delete(5), 'binding');
    editor.setContents(new Delta().insert('new\n'), 'user');
    expect(moves).toEqual([]);
  });

  test('says once if a binding sets the cursor after its change, and nothing if the user does later', async () => {
    const { editor, moves } = typing();
    editor.updateContents(new Delta().insert('xy'), 'binding');
    editor.setSelection(0, 0, 'silent');
    await Promise.resolve();
    expect(moves).toEqual([-6]);
    editor.updateContents(new Delta().insert('x'), 'binding');
    editor.setSelection(3, 0, 'silent');
    editor.updateContents(new Delta().insert('x'), 'binding');
    expect(moves).toEqual([-6, 2]);
    await Promise.resolve();
    editor.setSelection(5, 0, 'user');
    await Promise.resolve();
    expect(moves).toEqual([-6, 2]);
  });

  test('says so if a binding sets the cursor in a later task, unless its user did something after the change', async () => {
    const { editor, moves } = typing();
    const others = async () => {
      editor.updateContents(new Delta().insert('x'), 'binding');
      await Promise.resolve();
    };
    await others();
    editor.setSelection(0, 0, 'silent');
    await others();
    expect(moves).toEqual([-5]);
    editor.setSelection(2, 0, 'user');
    await others();
    editor.updateContents(new Delta().retain(3).insert('y'), 'user');
    await others();
    expect(moves).toEqual([-5]);
  });

  test('says how far the cursor was taken where the whole text came anew', async () => {
    const { editor, moves } = typing();
    editor.setContents(new Delta().insert(`${TEXT}\n`), 'binding');
    expect(editor.getSelection()!.index).toBe(0);
    await Promise.resolve();
    expect(moves).toEqual([-4]);
  });
});
