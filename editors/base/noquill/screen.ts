/** NoQuill as a screen: in Chrome a toolbar and an element that takes the keys; without a browser the editor alone. */
import type Delta from 'quill-delta';
import {
  BLOCK_FORMATS,
  type Cursors,
  INLINE_FORMATS,
  type Screen,
  type Selection,
  type Shown,
  type ShownCursor,
} from '../editor.ts';
import { stampTasks } from '../frames.ts';
import { formattedTexts, SIGIL_REACH } from '../sigils.ts';
import { attachButton, attachKeyboard } from './keyboard.ts';
import { NoQuill } from './noquill.ts';

export interface NoQuillScreen extends Screen {
  editor: NoQuill;
}

/**
 * @param container where the toolbar and the element go; null if there is no browser
 * @param options.hasCursors true if others' cursors are kept
 */
export function createNoQuillScreen(
  container: HTMLElement | null,
  { hasCursors = false }: { hasCursors?: boolean } = {},
): NoQuillScreen {
  const cursors = hasCursors ? new KeptCursors() : undefined;
  const editor = new NoQuill({ cursors });
  if (container !== null) build(container, editor);
  return {
    editor,
    text: () => editor.getText(),
    cursorNames: () => cursors?.cursors().flatMap(({ name, range }) => (range ? [name] : [])) ?? [],
    onShown(listener) {
      const report = stampTasks<Omit<Shown, 'atMs'>>((shown, atMs) => listener({ ...shown, atMs }));
      editor.on('editor-change', (name, ...details) => {
        if (name !== 'text-change') return;
        const [change, old] = details as [Delta, Delta];
        // Read now: bindings hear of the change later, and what they do may change the text again.
        const shown = { ...stretches(editor, change, old), formatted: formattedTexts(editor, change) };
        if (shown.after.length + shown.formatted.length > 0) report(shown);
      });
    },
  };
}

/**
 * The text around each part of a change, before it and after. It reaches only a little beyond its place: so the change completed or
 * broke every sigil in it. No sigil is in two.
 */
function stretches(editor: NoQuill, change: Delta, old: Delta): Pick<Shown, 'before' | 'after'> {
  const [before, after] = [[] as string[], [] as string[]];
  for (const { from, to, oldFrom, oldTo, isInsertion } of partsOf(change)) {
    const start = Math.max(0, from - SIGIL_REACH);
    const text = editor.getText(start, to + SIGIL_REACH - start);
    after.push(text);
    // Of an insertion, nothing has to be looked up in the whole document.
    before.push(
      isInsertion
        ? text.slice(0, from - start) + text.slice(to - start)
        : textOf(old.slice(Math.max(0, oldFrom - SIGIL_REACH), oldTo + SIGIL_REACH)),
    );
  }
  return { before, after };
}

/** Insertions and deletions, as one where a sigil could lie in the reach of two. */
function partsOf({ ops }: Delta) {
  const parts: { from: number; to: number; oldFrom: number; oldTo: number; isInsertion: boolean }[] = [];
  let [index, oldIndex] = [0, 0];
  for (const { insert, retain, delete: deleted = 0 } of ops) {
    const inserted = typeof insert === 'string' ? insert.length : 0;
    const kept = typeof retain === 'number' ? retain : 0;
    if (inserted + deleted > 0) {
      const last = parts.at(-1);
      const [to, oldTo] = [index + inserted, oldIndex + deleted];
      if (last !== undefined && index - last.to < 2 * SIGIL_REACH)
        Object.assign(last, { to, oldTo, isInsertion: false });
      else parts.push({ from: index, to, oldFrom: oldIndex, oldTo, isInsertion: deleted === 0 });
    }
    index += inserted + kept;
    oldIndex += deleted + kept;
  }
  return parts;
}

function textOf({ ops }: Delta): string {
  return ops.map(({ insert }) => insert).join('');
}

function build(container: HTMLElement, editor: NoQuill): void {
  const toolbar = document.createElement('div');
  toolbar.className = 'ql-toolbar ql-snow';
  toolbar.setAttribute('role', 'toolbar');
  // The sizes of Quill's snow theme, so that the mouse moves as far.
  toolbar.style.cssText = 'box-sizing: border-box; padding: 8px; border: 1px solid #ccc; height: 42px;';
  const element = document.createElement('div');
  element.className = 'noquill';
  element.contentEditable = 'true';
  element.tabIndex = 0;
  element.spellcheck = false;
  element.style.cssText = 'flex: 1; outline: none; caret-color: transparent;';
  const addButton = (format: string, value = '') => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = `ql-${format}`;
    button.value = value;
    button.title = `${format} ${value}`.trim();
    button.style.cssText = 'width: 28px; height: 24px; padding: 3px 5px; float: left;';
    attachButton(button, editor, element);
    toolbar.append(button);
  };
  for (const format of INLINE_FORMATS) addButton(format);
  for (const { name, value } of BLOCK_FORMATS) addButton(name, String(value));
  container.style.cssText += 'display: flex; flex-direction: column;';
  container.replaceChildren(toolbar, element);
  attachKeyboard(element, editor);
  // As in Quill, a click restores the selection.
  element.addEventListener('focus', () => editor.focus());
}

/** Others' cursors without rendering: kept as Quill's module `cursors` keeps them, and drawn nowhere. */
export class KeptCursors implements Cursors {
  readonly #kept = new Map<string, ShownCursor>();

  createCursor(id: string, name: string, color: string): void {
    if (!this.#kept.has(id)) this.#kept.set(id, { id, name, color });
  }

  moveCursor(id: string, range: Selection): void {
    const cursor = this.#kept.get(id);
    if (cursor !== undefined) cursor.range = range;
  }

  removeCursor(id: string): void {
    this.#kept.delete(id);
  }

  cursors(): ShownCursor[] {
    return [...this.#kept.values()];
  }
}
