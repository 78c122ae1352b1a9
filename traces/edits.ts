/**
 * From patches to edits: what each author of a trace would have done with keyboard, mouse and clipboard.
 *
 * The edits rebuild the trace's text from an empty document, so a `startContent` is the first thing that its author
 * inserts. Line ends become "\n", as every rich-text editor holds them: "\r" has no width and is never typed, so the
 * edits give `endContent` without its "\r".
 */
import type { Change } from './change.ts';
import type { Trace } from './format.ts';
import { codePointsOf, GapBuffer, textOf } from './gap-buffer.ts';
import { replay } from './replay.ts';

/** Chrome's key events carry no longer text than this, in UTF-16 units. */
const MAX_KEY_UNITS = 4;
/**
 * Longer insertions are pasted. At 6 keys per second 8 keys are over a second's typing: recorded as one patch they are
 * a short word that an editor completed, or keys that a recorder gathered; beyond that it was hardly typed at all.
 */
const MAX_TYPED_CHARACTERS = 8;

/** How far back a grapheme cluster is looked for; longer ones than this are no text that people write. */
const CLUSTER_CONTEXT = 16;
/** Below this code point nothing joins with its neighbours, "\r\n" apart. */
const FIRST_COMBINING = 0x300;
/** One character that a single Backspace or Delete takes away whole and alone; marks and joiners are not. */
const PLAIN_CHARACTER = /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}\t\n]$/u;
const CARRIAGE_RETURN = 0x0d;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * @returns the edits of each author: one list for a sequential trace, one per agent for a concurrent one
 * @throws UserError (2) if the trace does not replay to its `endContent`
 */
export function editsOf(trace: Trace): Edit[][] {
  const authors = Array.from({ length: trace.kind === 'concurrent' ? trace.numAgents : 1 }, () => new Author());
  if (trace.kind === 'sequential') {
    authors[0]!.typed({ document: new GapBuffer(), position: 0, deleted: 0, inserted: trace.startContent });
  }
  replay(trace, {
    typed: (change) => authors[change.author]!.typed(change),
    received: (change) => authors[change.author]!.received(change),
  });
  return authors.map((author) => author.edits);
}

type AuthorChange = Omit<Change, 'author'>;

/** Follows one author's cursor through the changes to the author's document, and notes the edits that make them. */
export class Author {
  readonly edits: Edit[] = [];
  /** In code points. */
  #cursor = 0;

  /** The author makes a change: deletion first, then insertion. Call it before the document changes. */
  typed(change: AuthorChange): void {
    const { document, position, deleted } = change;
    const inserted = visible(change.inserted);
    const removed = visible(textOf(document.slice(position, position + deleted)));
    if (removed === '' && inserted === '') {
      this.received(change);
      return;
    }
    const move = unitsBetween(document, this.#cursor, position);
    if (removed !== '') this.edits.push(deletion(change, removed, move));
    if (inserted !== '') this.edits.push(...insertions(inserted, removed === '' ? move : 0));
    this.#cursor = position + codePointsOf(change.inserted).length;
  }

  /**
   * The document changes under the author, whose cursor keeps its place in the text. What arrives exactly at the
   * cursor ends up behind it, as in Quill.
   */
  received({ position, deleted, inserted }: AuthorChange): void {
    if (position >= this.#cursor) return;
    this.#cursor = Math.max(position, this.#cursor - deleted) + codePointsOf(inserted).length;
  }
}

/** @param move from the cursor to the start of what goes */
function deletion(change: AuthorChange, removed: string, move: number): Edit {
  if (!standsAlone(change, removed)) return { kind: 'erase', move, length: removed.length };
  return move === 0 ? { kind: 'delete', move } : { kind: 'backspace', move: move + removed.length };
}

/** True if `removed` is a plain character and a grapheme cluster by itself. */
function standsAlone({ document, position, deleted }: AuthorChange, removed: string): boolean {
  if (!PLAIN_CHARACTER.test(removed) || removed.length > 1) return false;
  const before = document.slice(position - CLUSTER_CONTEXT, position);
  const after = document.slice(position + deleted, position + deleted + 2);
  const simple = (codePoint: number | undefined) => codePoint === undefined || codePoint < FIRST_COMBINING;
  if (simple(removed.charCodeAt(0)) && simple(before.at(-1)) && after.every(simple)) return true;
  const start = visible(textOf(before));
  const cluster = characters.segment(start + removed + visible(textOf(after))).containing(start.length);
  return cluster?.index === start.length && cluster.segment === removed;
}

function insertions(text: string, move: number): Edit[] {
  const keys = keysFor(text);
  if (keys === null) return [{ kind: 'paste', move, text }];
  return keys.map((key, index) => ({ kind: 'key', move: index === 0 ? move : 0, text: key }));
}

/** The characters to type one by one; null if the text is to be pasted. */
function keysFor(text: string): string[] | null {
  if (text.length === 1) return [text];
  if (text.length > MAX_KEY_UNITS * MAX_TYPED_CHARACTERS) return null;
  const keys = Array.from(characters.segment(text), ({ segment }) => segment);
  return keys.length <= MAX_TYPED_CHARACTERS && keys.every((key) => key.length <= MAX_KEY_UNITS) ? keys : null;
}

function visible(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r', '') : text;
}

/** The way from one position to another, in UTF-16 units; negative if it leads back. */
function unitsBetween(document: GapBuffer, from: number, to: number): number {
  // Subtracted, not negated: if only "\r" lie between, the way is 0, and not -0.
  if (from > to) return 0 - unitsBetween(document, to, from);
  let units = 0;
  for (let i = from; i < to; i++) {
    const codePoint = document.at(i);
    if (codePoint !== CARRIAGE_RETURN) units += codePoint > 0xffff ? 2 : 1;
  }
  return units;
}

/**
 * An edit that a person could do in one go, as the import makes them from a trace's patches.
 *
 * `move` is how far the cursor jumps before the edit, in UTF-16 units from where the same author's edit before left it;
 * 0 if typing simply goes on. It is relative, because in a shared document absolute positions shift.
 */
export type Edit =
  /** A key that writes `text`: one user-perceived character of at most 4 UTF-16 units, "\n" for Enter, "\t" for Tab. */
  | { kind: 'key'; move: number; text: string }
  /** A text that arrives at once, from the clipboard: a longer one, or a character too long for a key. */
  | { kind: 'paste'; move: number; text: string }
  /** Backspace takes the character before the cursor, Delete the one after it: always one whole UTF-16 unit. */
  | { kind: 'backspace'; move: number }
  | { kind: 'delete'; move: number }
  /** `length` UTF-16 units from the cursor on are selected, then Backspace; the cursor ends where they began. */
  | { kind: 'erase'; move: number; length: number };
