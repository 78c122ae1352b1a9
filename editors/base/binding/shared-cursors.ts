/**
 * Cursors of libraries that have presence, but no binding that shows it in Quill. The others are told this user's cursor, and
 * their cursors are put in place again after each change of the text.
 */
import type { Cursors, Editor, Selection } from '../editor.ts';
import type { Batching, Presence } from '../framework.ts';
import { createBatcher, gatherReceived } from './batching.ts';

/** A selection between two places, which are the library's own: each stays beside its character whatever is typed. */
export interface PlacedCursor<Place> {
  anchor: Place;
  head: Place;
}

/** A library's own presence, of the user that joined. */
export interface LibraryPresence<Place = unknown> {
  placeAt(index: number): Place;
  /** Null if the document does not hold yet what the place is beside. */
  indexOf(place: Place): number | null;
  isSame(one: Place, other: Place): boolean;
  /** Tells the others where this user's cursor is; null: nowhere. */
  tell(cursor: PlacedCursor<Place> | null): void;
  /** Where the others take it to be, of a library that moves it with the text by itself; absent: where it was told last. */
  known?(): PlacedCursor<Place> | null;
  /** All others who are there, as they told last, by an id of each. */
  others(): Iterable<readonly [id: string, other: Presence & { cursor: PlacedCursor<Place> | null }]>;
}

export interface SharedCursors {
  /** The others told something. */
  heard(): void;
  /** The others may have forgotten this user. */
  tellAgain(): void;
  /** Takes the others' cursors away. What is to be told to them is the caller's. */
  stop(): void;
}

/**
 * @param options.editor   has the module `cursors`
 * @param options.batching as for the text: a cursor is told at most once in `sendMs`, and shown with a receive batch
 */
export function shareCursors<Place>(options: {
  editor: Editor;
  presence: LibraryPresence<Place>;
  batching: Batching;
}): SharedCursors {
  const { editor, presence, batching } = options;
  const shown = createShownCursors(editor.getModule('cursors') as Cursors);
  let sent: PlacedCursor<Place> | null = null;
  let hasTold = false;
  const telling = createBatcher<null>(batching.sendMs, () => {
    const selection = editor.getSelection();
    const now = selection && placesOf(presence, selection);
    if (hasTold && isSameCursor(presence, now, presence.known === undefined ? sent : presence.known())) return;
    hasTold = true;
    sent = now;
    presence.tell(now);
  });
  let isDue = false;
  let isOver = false;
  const changed = () => {
    if (isDue) return;
    isDue = true;
    // After the editor's event: only then do text, selection and document belong together.
    queueMicrotask(() => {
      isDue = false;
      if (isOver) return;
      telling.add(null);
      shown.show(selectionsOf(presence));
    });
  };
  const hearing = gatherReceived<null>(batching, changed);
  editor.on('editor-change', changed);
  changed();
  return {
    heard: () => hearing.add(null),
    tellAgain() {
      hasTold = false;
      changed();
    },
    stop() {
      isOver = true;
      editor.off('editor-change', changed);
      telling.stop();
      hearing.stop();
      shown.show([]);
    },
  };
}

/** One of the others, where it is in the text now; null: that is not known yet, and it stays where it is shown. */
type PlacedUser = Presence & { id: string; selection: Selection | null };

/** All others who have a cursor. */
function selectionsOf<Place>(presence: LibraryPresence<Place>): PlacedUser[] {
  return [...presence.others()].flatMap(([id, { name, colour, cursor }]) => {
    if (cursor === null) return [];
    const anchor = presence.indexOf(cursor.anchor);
    const head = presence.isSame(cursor.anchor, cursor.head) ? anchor : presence.indexOf(cursor.head);
    const selection = anchor === null || head === null ? null : { index: anchor, length: head - anchor };
    return [{ id, name, colour, selection }];
  });
}

function placesOf<Place>(presence: LibraryPresence<Place>, { index, length }: Selection): PlacedCursor<Place> {
  const anchor = presence.placeAt(index);
  return { anchor, head: length === 0 ? anchor : presence.placeAt(index + length) };
}

function isSameCursor<Place>(
  { isSame }: LibraryPresence<Place>,
  one: PlacedCursor<Place> | null,
  other: PlacedCursor<Place> | null,
): boolean {
  if (one === null || other === null) return one === other;
  return isSame(one.anchor, other.anchor) && isSame(one.head, other.head);
}

/** The cursors that an editor shows; it is asked only for what changes. */
function createShownCursors(cursors: Cursors) {
  const shown = new Map<string, Selection>();
  return {
    /** Shows these, and no others. */
    show(users: readonly PlacedUser[]): void {
      for (const { id, name, colour, selection } of users) {
        if (selection === null) continue;
        const before = shown.get(id);
        if (before?.index === selection.index && before.length === selection.length) continue;
        cursors.createCursor(id, name, colour);
        cursors.moveCursor(id, selection);
        shown.set(id, selection);
      }
      const ids = new Set(users.map(({ id }) => id));
      for (const id of [...shown.keys()].filter((id) => !ids.has(id))) {
        cursors.removeCursor(id);
        shown.delete(id);
      }
    },
  };
}
