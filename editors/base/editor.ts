/**
 * The part of Quill's surface that bindings use. Quill 2 satisfies it, and so does NoQuill, so a framework's binding
 * is written once. Positions and lengths count UTF-16 units, as Quill's do; the document always ends with "\n".
 */
import type Delta from 'quill-delta';
import type { Op } from 'quill-delta';

/** Author of a change: `user`, `api`, `silent`, or a binding itself (y-quill passes its own object). */
export type Source = unknown;
export interface Selection {
  index: number;
  length: number;
}
export type Formats = Record<string, unknown>;

export type TextChangeHandler = (delta: Delta, before: Delta, source: Source) => void;
/** As Quill emits it: for every change of text or selection, the event's name first. */
export type EditorChangeHandler = (name: 'text-change' | 'selection-change', ...details: unknown[]) => void;

/** @see https://quilljs.com/docs/api, whose meaning each member has */
export interface Editor {
  getContents(index?: number, length?: number): Delta;
  getLength(): number;
  getText(index?: number, length?: number): string;
  getFormat(index: number, length?: number): Formats;
  getSelection(): Selection | null;
  setSelection(index: number, length?: number, source?: Source): void;
  updateContents(delta: Delta | Op[], source?: Source): Delta;
  setContents(delta: Delta | Op[], source?: Source): Delta;
  insertText(index: number, text: string, source?: Source): Delta;
  insertText(index: number, text: string, formats: Formats, source?: Source): Delta;
  deleteText(index: number, length: number, source?: Source): Delta;
  /** Formats the selection; if it is empty, the text typed there next (inline) or its line (block). */
  format(name: string, value: unknown, source?: Source): Delta;
  formatText(index: number, length: number, formats: Formats, source?: Source): Delta;
  formatLine(index: number, length: number, formats: Formats, source?: Source): Delta;
  getModule(name: string): unknown;
  on(event: 'text-change', handler: TextChangeHandler): unknown;
  on(event: 'editor-change', handler: EditorChangeHandler): unknown;
  off(event: 'text-change', handler: TextChangeHandler): unknown;
  off(event: 'editor-change', handler: EditorChangeHandler): unknown;
}

/**
 * Where others' cursors are put: an editor whose users see one another has one as its module `cursors`, of which bindings
 * use this part.
 *
 * @see https://github.com/reedsy/quill-cursors, whose meaning each member has
 */
export interface Cursors {
  /** Does nothing if there is one of that id. */
  createCursor(id: string, name: string, colour: string): unknown;
  moveCursor(id: string, range: Selection): void;
  removeCursor(id: string): void;
  cursors(): readonly ShownCursor[];
}

export interface ShownCursor {
  id: string;
  name: string;
  color: string;
  /** Null, or absent: it stands nowhere yet. */
  range?: Selection | null;
}

/** The formats that users apply; Quill's toolbar has a button for each. */
export const INLINE_FORMATS = ['bold', 'italic'] as const;
export const BLOCK_FORMATS = [
  { name: 'header', value: 1 },
  { name: 'header', value: 2 },
  { name: 'list', value: 'ordered' },
  { name: 'list', value: 'bullet' },
] as const;

/** True if a format applies to whole lines; it is then an attribute of the line's "\n". */
export function isBlockFormat(name: string): boolean {
  return BLOCK_FORMATS.some((format) => format.name === name);
}

/** An editor as its user sees it. Quill's is the DOM that Chrome renders; NoQuill renders nothing. */
export interface Screen {
  editor: Editor;
  /** The text that the screen shows, read from what is rendered, not from the editor's own books. */
  text(): string;
  /** The names at the others' cursors that the screen shows; where nothing is rendered, of those that it would show. */
  cursorNames(): string[];
  /**
   * Calls `listener` for each frame that changed text on the screen, once it was presented; where there are no frames,
   * for each change, in the task after it. What was on the screen before the call of `onShown` is not reported.
   */
  onShown(listener: (shown: Shown) => void): void;
}

/**
 * Changes of one frame: the stretches of text that it took from the screen or altered, as they were, and those that it
 * altered or put there, as they are. Text that merely moved is in both, or in neither. A stretch reaches far enough around a
 * change to hold a sigil that the change completed.
 */
export interface Shown {
  before: readonly string[];
  after: readonly string[];
  /** The text around each stretch of which it changed formats, as far around as that. */
  formatted: readonly string[];
  /** When it was presented, or all was done with it, in milliseconds since the epoch on this process's own clock. */
  atMs: number;
}
