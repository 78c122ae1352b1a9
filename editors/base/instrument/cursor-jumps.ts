/** Tells when a change that came from others takes the cursor away from the characters beside which it stood. */
import Delta, { type Op } from 'quill-delta';
import type { Editor } from '../editor.ts';

/**
 * Follows an editor from now on. A binding may also set the cursor once it made its change, or in a later task, so the cursor is
 * looked at before anything else happens, and before the next change unless its user did something meanwhile: each look costs
 * the page.
 *
 * @param onMoved gets by how many UTF-16 units the cursor is further than it had to be; below zero: towards the start
 */
export function followCursor(editor: Editor, onMoved: (movedBy: number) => void): void {
  let places: { from: number; to: number } | null = null;
  let isUserTyping = false;
  const look = () => {
    const index = places && editor.getSelection()?.index;
    if (places !== null && index != null) {
      const movedBy = Math.min(0, index - places.from) + Math.max(0, index - places.to);
      if (movedBy !== 0) onMoved(movedBy);
    }
    places = places !== null && index != null ? { from: index, to: index } : null;
  };
  editor.on('editor-change', (_name, _now, _before, source) => {
    if (source === 'user') places = null;
  });
  for (const name of ['updateContents', 'setContents'] as const) {
    const change = editor[name];
    editor[name] = (content, source) => {
      look();
      const before = source === 'user' ? null : editor.getSelection();
      if (before === null) {
        isUserTyping = source === 'user';
        try {
          return change.call(editor, content, source);
        } finally {
          isUserTyping = false;
        }
      }
      const delta = new Delta(content);
      const whole = name === 'setContents' ? delta.concat(new Delta().delete(editor.getLength())) : delta;
      const allowed = placesAfter(whole, before.index, (index, length) => editor.getText(index, length));
      const made = change.call(editor, content, source);
      places = allowed;
      // A key's work goes on after a change that answers it, so nothing later tells whose the cursor's move is.
      if (isUserTyping) look();
      else queueMicrotask(look);
      return made;
    };
  }
}

/**
 * Where a cursor may be after a change, so that it still stands beside the same characters: it may come before what is put in
 * at its place, or after. Text that a change takes out and puts in again at once counts as unchanged.
 *
 * @param textAt gives the text that the document held before
 */
export function placesAfter(
  change: Delta,
  cursor: number,
  textAt: (index: number, length: number) => string,
): { from: number; to: number } {
  let before = 0;
  let after = 0;
  let deleted = 0;
  let inserted = '';
  for (const op of [...change.ops, { retain: Number.POSITIVE_INFINITY }] as Op[]) {
    if (typeof op.insert === 'string') inserted += op.insert;
    else if (op.insert !== undefined) inserted += '\uFFFC';
    else if (op.delete !== undefined) deleted += op.delete;
    else {
      if (cursor <= before + deleted) {
        const taken = deleted === 0 || inserted === '' ? '' : textAt(before, deleted);
        const { from, to } = placesWithin({ taken, deleted, inserted, offset: cursor - before });
        return { from: after + from, to: after + to };
      }
      before += deleted;
      after += inserted.length;
      [deleted, inserted] = [0, ''];
      const kept = Number(op.retain);
      if (cursor < before + kept) return { from: after + cursor - before, to: after + cursor - before };
      before += kept;
      after += kept;
    }
  }
  throw new RangeError('a change has no end');
}

/** The same within a stretch that is replaced. */
function placesWithin(replaced: { taken: string; deleted: number; inserted: string; offset: number }): {
  from: number;
  to: number;
} {
  const { taken, deleted, inserted, offset } = replaced;
  const shorter = Math.min(taken.length, inserted.length);
  let same = 0;
  while (same < shorter && taken[same] === inserted[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && taken.at(-1 - sameAtEnd) === inserted.at(-1 - sameAtEnd)) sameAtEnd++;
  if (offset < same) return { from: offset, to: offset };
  const fromEnd = deleted - offset;
  if (fromEnd < sameAtEnd) return { from: inserted.length - fromEnd, to: inserted.length - fromEnd };
  return { from: same, to: inserted.length - sameAtEnd };
}
