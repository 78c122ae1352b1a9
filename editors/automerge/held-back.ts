/**
 * What the user did that is not in the document yet, because it becomes one Automerge change when it is sent. A change
 * names all changes that it follows, 32 bytes for each concurrent one: with a hundred users who send once per second, a
 * change for every key costs five times the bytes, and 60 % more CPU.
 */
import Delta from 'quill-delta';

export interface HeldBack {
  add(change: Delta): void;
  /** Gives all of it, against the document as it is now, and holds nothing any more. */
  take(): Delta;
  /** The document changed below it. @returns the same change, as the editor is to show it */
  rebase(change: Delta): Delta;
  /** What the editor shows when the document holds this. */
  over(contents: Delta): Delta;
}

export function createHeldBack(): HeldBack {
  let held = new Delta();
  return {
    add(change) {
      held = held.compose(change);
    },
    take() {
      const all = held;
      held = new Delta();
      return all;
    },
    rebase(change) {
      // Of two insertions at one place, the own one stays first, as the editor has it.
      const shown = held.transform(change, true);
      held = change.transform(held, false);
      return shown;
    },
    over: (contents) => contents.compose(held),
  };
}
