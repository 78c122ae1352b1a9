import { expect, test, vi } from 'vitest';
import { NoQuill } from '../noquill/noquill.ts';
import { KeptCursors } from '../noquill/screen.ts';
import { type LibraryPresence, shareCursors } from './shared-cursors.ts';

type Other = { name: string; colour: string; cursor: { anchor: number; head: number } | null };

/** A library whose places are plain indexes, and others who say what the test says. */
function open({ sendMs = 0, known }: { sendMs?: number; known?: LibraryPresence<number>['known'] } = {}) {
  const kept = new KeptCursors();
  const editor = new NoQuill({ cursors: kept });
  editor.insertText(0, 'some text', 'api');
  const told: unknown[] = [];
  const others = new Map<string, Other>();
  const cursors = shareCursors({
    editor,
    presence: {
      placeAt: (index) => index,
      indexOf: (place) => (place > editor.getLength() ? null : place),
      isSame: (one, other) => one === other,
      tell: (cursor) => told.push(cursor && [cursor.anchor, cursor.head]),
      others: () => others.entries(),
      known,
    },
    batching: { receiveMs: 0, sendMs },
  });
  const place = (name: string, anchor: number, head = anchor) =>
    others.set(name, { name, colour: 'red', cursor: { anchor, head } });
  const shown = () => kept.cursors().map(({ name, range }) => [name, range?.index, range?.length]);
  return { kept, editor, told, others, cursors, place, shown };
}

const soon = () => Promise.resolve();

test('one is told once where this user is after each event, and only where that is another place', async () => {
  const { editor, told, cursors } = open();
  await soon();
  expect(told).toEqual([null]);
  editor.setSelection(2, 3, 'user');
  // The selection first, then the text.
  editor.insertText(0, 'x', 'user');
  await soon();
  editor.setSelection(3, 3, 'user');
  await soon();
  expect(told.slice(1)).toEqual([[3, 6]]);
  cursors.tellAgain();
  await soon();
  expect(told.slice(2)).toEqual([[3, 6]]);
  cursors.stop();
  editor.setSelection(0, 0, 'user');
  await soon();
  expect(told).toHaveLength(3);
});

test('nothing is told where the library moved the cursor by itself', async () => {
  const { editor, told } = open({ known: () => ({ anchor: 4, head: 4 }) });
  await soon();
  editor.setSelection(4, 0, 'user');
  await soon();
  editor.setSelection(5, 0, 'user');
  await soon();
  expect(told).toEqual([null, [5, 5]]);
});

test('with sender batching, only the last place of a batch is told', async () => {
  vi.useFakeTimers();
  try {
    const { editor, told } = open({ sendMs: 1000 });
    for (const index of [1, 2, 3]) {
      editor.setSelection(index, 0, 'user');
      await soon();
    }
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([[3, 3]]);
  } finally {
    vi.useRealTimers();
  }
});

test('others are shown, moved only where they moved, and taken away', async () => {
  const { kept, editor, others, cursors, place, shown } = open();
  const moves = vi.spyOn(kept, 'moveCursor');
  place('Ada', 1);
  place('Ben', 2, 5);
  others.set('Cy', { name: 'Cy', colour: 'red', cursor: null });
  cursors.heard();
  await soon();
  expect(shown()).toEqual([
    ['Ada', 1, 0],
    ['Ben', 2, 3],
  ]);
  place('Ada', 4);
  others.delete('Ben');
  editor.insertText(0, 'x', 'user');
  await soon();
  expect(shown()).toEqual([['Ada', 4, 0]]);
  expect(moves).toHaveBeenCalledTimes(3);
  cursors.stop();
  expect(shown()).toEqual([]);
});

test('one beside what has not arrived stays where it was, until that comes', async () => {
  const { editor, cursors, place, shown } = open();
  place('Ada', 3);
  cursors.heard();
  await soon();
  place('Ada', 12);
  cursors.heard();
  await soon();
  expect(shown()).toEqual([['Ada', 3, 0]]);
  editor.insertText(0, 'more ', 'api');
  await soon();
  expect(shown()).toEqual([['Ada', 12, 0]]);
});
