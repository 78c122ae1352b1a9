/**
 * NoQuill: an editor with Quill's surface and behaviour that renders nothing. An edit costs O(log n) in the length of
 * the document. Where it differs from Quill on purpose, README.md in this folder says so.
 */
import Delta, { type Op } from 'quill-delta';
import {
  type Cursors,
  type Editor,
  type EditorChangeHandler,
  type Formats,
  isBlockFormat,
  type Selection,
  type Source,
  type TextChangeHandler,
} from '../editor.ts';
import { applyDelta, type Changed, normalizeNewlines, splitLines } from './change.ts';
import { type Attributes, formatBlock, formatInline, outermost, PLAIN } from './formats.ts';
import { characterAt, lengthOf, newlineIndex, newlinesBefore, type Runs, runsOf, visitRuns } from './runs.ts';

interface Handlers {
  'text-change': TextChangeHandler;
  'editor-change': EditorChangeHandler;
}

export class NoQuill implements Editor {
  #runs: Runs = runsOf('\n', PLAIN);
  #selection: Selection | null = null;
  /** Where the selection was last, for `focus`. */
  #savedSelection: Selection = { index: 0, length: 0 };
  /** Formats of the next text typed at the cursor, if they were chosen; null: those of the text there. */
  #pending: Attributes | null = null;
  readonly #handlers = {
    'text-change': new Set<TextChangeHandler>(),
    'editor-change': new Set<EditorChangeHandler>(),
  };
  readonly #cursors: Cursors | undefined;

  /** @param options.cursors where others' cursors go; absent: its user sees nobody's */
  constructor({ cursors }: { cursors?: Cursors } = {}) {
    this.#cursors = cursors;
  }

  getLength(): number {
    return lengthOf(this.#runs);
  }

  getContents(index = 0, length = this.getLength() - index): Delta {
    return contentsOf(this.#runs, index, index + length);
  }

  getText(index = 0, length = this.getLength() - index): string {
    let text = '';
    visitRuns(this.#runs, index, index + length, (piece) => {
      text += piece;
    });
    return text;
  }

  /** The formats common to a range, or those at a place: of the character before it on its line, and of its line. */
  getFormat(index: number, length = 0): Formats {
    const block = common(this.#lineEnds(index, length).map((end) => this.#attributesAt(end)));
    if (length === 0) return { ...block, ...(this.#pendingAt(index) ?? this.#inlineAt(index)) };
    const inline: Attributes[] = [];
    visitRuns(this.#runs, index, index + length, (text, attributes) => {
      if (/[^\n]/.test(text)) inline.push(formatInline(PLAIN, attributes));
    });
    return { ...block, ...common(inline) };
  }

  /** From the line's first character to its "\n". */
  getLine(index: number): { start: number; end: number } {
    const at = Math.min(Math.max(index, 0), this.getLength() - 1);
    const line = newlinesBefore(this.#runs, at);
    return { start: newlineIndex(this.#runs, line - 1) + 1, end: newlineIndex(this.#runs, line) };
  }

  getSelection(): Selection | null {
    return this.#selection && { ...this.#selection };
  }

  setSelection(index: number, length = 0, source: Source = 'api'): void {
    const selection = this.#clamp({ index: Math.max(0, index), length });
    // Chosen formats belong to a place: the cursor that goes elsewhere leaves them behind.
    if (!isSame(selection, this.#selection)) this.#pending = null;
    this.#select(selection, source);
  }

  /** Takes the selection up again where it was last. */
  focus(): Selection {
    if (this.#selection === null) this.#select(this.#clamp(this.#savedSelection), 'api');
    return { ...this.#selection! };
  }

  /** True if the next typed text gets formats of its own, chosen at the cursor. */
  hasPendingFormats(): boolean {
    return this.#pending !== null;
  }

  updateContents(delta: Delta | Op[], source: Source = 'api'): Delta {
    const changed = applyDelta(this.#runs, new Delta(delta));
    return this.#commit(changed, source, (at) => changed.change.transformPosition(at, true));
  }

  /** The cursor goes to the start, where Quill's goes too when its whole text is replaced. */
  setContents(delta: Delta | Op[], source: Source = 'api'): Delta {
    const contents = new Delta(delta);
    const { runs, change } = applyDelta(null, contents);
    this.#pending = null;
    return this.#commit({ runs, change: change.delete(this.getLength()) }, source, () => 0);
  }

  insertText(index: number, text: string, formats?: Formats | Source, source?: Source): Delta {
    return typeof formats === 'object' && formats !== null
      ? this.#insertText(index, text, formats as Formats, source ?? 'api')
      : this.#insertText(index, text, {}, formats ?? 'api');
  }

  deleteText(index: number, length: number, source: Source = 'api'): Delta {
    const changed = applyDelta(this.#runs, new Delta().retain(index).delete(length));
    return this.#commit(changed, source, (at) => (at < index ? at : Math.max(index, at - length)));
  }

  format(name: string, value: unknown, source: Source = 'api'): Delta {
    const { index, length } = this.focus();
    if (isBlockFormat(name)) return this.formatLine(index, length, { [name]: value }, source);
    if (length > 0) return this.formatText(index, length, { [name]: value }, source);
    this.#pending = formatInline(this.#pending ?? this.#inlineAt(index), { [name]: value });
    return new Delta();
  }

  formatText(index: number, length: number, formats: Formats, source: Source = 'api'): Delta {
    const changed = applyDelta(this.#runs, new Delta().retain(index).retain(length, formats));
    return this.#commit(changed, source, (at) => at);
  }

  formatLine(index: number, length: number, formats: Formats, source: Source = 'api'): Delta {
    const delta = new Delta();
    let done = 0;
    for (const end of this.#lineEnds(index, length)) {
      delta.retain(end - done).retain(1, formats);
      done = end + 1;
    }
    return this.#commit(applyDelta(this.#runs, delta), source, (at) => at);
  }

  /** The only one of Quill's modules that it may have: `cursors`. */
  getModule(name: string): Cursors | undefined {
    return name === 'cursors' ? this.#cursors : undefined;
  }

  on<Event extends keyof Handlers>(event: Event, handler: Handlers[Event]): this {
    (this.#handlers[event] as Set<Handlers[Event]>).add(handler);
    return this;
  }

  off<Event extends keyof Handlers>(event: Event, handler: Handlers[Event]): this {
    (this.#handlers[event] as Set<Handlers[Event]>).delete(handler);
    return this;
  }

  /**
   * As Quill's: text takes the formats of the character that it comes to stand before. At a line's end, Quill puts it into
   * the outermost element only: it takes one format of the character behind it.
   */
  #insertText(index: number, inserted: string, formats: Formats, source: Source): Delta {
    const text = normalizeNewlines(inserted);
    const at = Math.min(index, this.getLength());
    const next = characterAt(this.#runs, at);
    const following = next !== null && next.character !== '\n' ? next.attributes : null;
    let inline = following ?? (next === null ? PLAIN : outermost(this.#inlineAt(at)));
    const line = text.includes('\n') && next !== null ? this.#attributesAt(this.getLine(at).end) : PLAIN;
    const delta = new Delta().retain(at);
    for (const piece of splitLines(text)) {
      delta.insert(piece, { ...(piece === '\n' ? formatBlock(line, formats) : formatInline(inline, formats)) });
      if (piece === '\n') inline = following ?? PLAIN;
    }
    const stays = (position: number) => position < index || (position === index && source === 'user');
    return this.#commit(applyDelta(this.#runs, delta), source, (position) =>
      stays(position) ? position : position + text.length,
    );
  }

  /** Makes a change the document's state, moves the selection by `shift`, and tells the listeners, in Quill's order. */
  #commit({ runs, change }: Changed, source: Source, shift: (position: number) => number): Delta {
    const before = this.#runs;
    this.#runs = runs;
    if (this.#selection !== null) {
      const { index, length } = this.#selection;
      const start = shift(index);
      this.#select(this.#clamp({ index: start, length: shift(index + length) - start }), 'silent');
    }
    if (change.ops.length === 0) return change;
    const old = new LazyContents(before);
    this.#emit('text-change', change, old, source);
    if (source !== 'silent') for (const handler of [...this.#handlers['text-change']]) handler(change, old, source);
    return change;
  }

  #select(selection: Selection, source: Source): void {
    const old = this.#selection;
    this.#selection = selection;
    this.#savedSelection = selection;
    if (!isSame(selection, old)) this.#emit('selection-change', { ...selection }, old && { ...old }, source);
  }

  #emit(name: 'text-change' | 'selection-change', ...details: unknown[]): void {
    for (const handler of [...this.#handlers['editor-change']]) handler(name, ...details);
  }

  /** The selection may reach to the last "\n", never past it. */
  #clamp({ index, length }: Selection): Selection {
    const last = this.getLength() - 1;
    const start = Math.min(index, last);
    return { index: start, length: Math.min(index + length, last) - start };
  }

  #attributesAt(index: number): Attributes {
    return characterAt(this.#runs, index)?.attributes ?? PLAIN;
  }

  #pendingAt(index: number): Attributes | null {
    return this.#selection?.length === 0 && this.#selection.index === index ? this.#pending : null;
  }

  /** Formats that typing at `index` continues: of the character before it, or of the line's first one. */
  #inlineAt(index: number): Attributes {
    const { start } = this.getLine(index);
    const character = characterAt(this.#runs, index > start ? index - 1 : index);
    return character === null || character.character === '\n' ? PLAIN : character.attributes;
  }

  /** Where the lines that a range touches end. */
  #lineEnds(index: number, length: number): number[] {
    const ends: number[] = [];
    const to = Math.min(index + Math.max(length, 1), this.getLength());
    for (let line = newlinesBefore(this.#runs, index), start = index; start < to; line++) {
      const end = newlineIndex(this.#runs, line);
      ends.push(end);
      start = end + 1;
    }
    return ends;
  }
}

function contentsOf(runs: Runs, from: number, to: number): Delta {
  const ops: Op[] = [];
  let last: Attributes | null = null;
  visitRuns(runs, from, to, (text, attributes) => {
    const op = ops.at(-1);
    if (op !== undefined && attributes === last) op.insert = `${op.insert}${text}`;
    else ops.push(attributes === PLAIN ? { insert: text } : { insert: text, attributes: { ...attributes } });
    last = attributes;
  });
  return new Delta(ops);
}

/** The contents of an earlier state, written out only if a listener asks for them, and only the part that it asks for. */
class LazyContents extends Delta {
  readonly #runs: Runs;
  #written: Op[] | null = null;

  static {
    // Delta has `ops` as a field; a getter of every object of its own would cost more than an edit should.
    Object.defineProperty(LazyContents.prototype, 'ops', {
      get(this: LazyContents) {
        this.#written ??= contentsOf(this.#runs, 0, lengthOf(this.#runs)).ops;
        return this.#written;
      },
      set() {},
    });
  }

  declare ops: Op[];

  constructor(runs: Runs) {
    super();
    this.#runs = runs;
  }

  override slice(start = 0, end = lengthOf(this.#runs)): Delta {
    return contentsOf(this.#runs, start, end);
  }
}

/** Formats that all have; if values differ, the list of them, as Quill's `getFormat` answers. */
function common(all: readonly Attributes[]): Formats {
  const [first, ...others] = all;
  let formats: Formats = { ...first };
  for (const other of others) {
    const next: Formats = {};
    for (const [name, value] of Object.entries(formats)) {
      if (other[name] === undefined) continue;
      const values = [value].flat();
      next[name] = values.includes(other[name]) ? value : [...values, other[name]];
    }
    formats = next;
  }
  return formats;
}

function isSame(a: Selection, b: Selection | null): boolean {
  return b !== null && a.index === b.index && a.length === b.length;
}
