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
import { SIGIL_LENGTH } from '../sigils.ts';
import { attachButton, attachKeyboard } from './keyboard.ts';
import { NoQuill } from './noquill.ts';

/** A sigil that a change completes has at most all of its other characters beside the change. */
const REACH = SIGIL_LENGTH - 1;

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
      const report = stampTasks<Shown['after']>((after, atMs) => listener({ before: [], after, atMs }));
      editor.on('editor-change', (name, change) => {
        if (name !== 'text-change') return;
        // Read now: bindings hear of the change later, and what they do may change the text again.
        const after = stretches(editor, change as Delta);
        if (after.length > 0) report(after);
      });
    },
  };
}

/**
 * The text around each insertion and deletion of a change. A stretch reaches only a little beyond its place, and never back
 * into an earlier stretch. So the change completed every sigil in it, no sigil is in two stretches, and nothing needs to be
 * remembered from before the change.
 */
function stretches(editor: NoQuill, change: Delta): Shown['after'] {
  const found: string[] = [];
  let index = 0;
  let lastEnd = 0;
  for (const op of change.ops) {
    const inserted = typeof op.insert === 'string' ? op.insert.length : 0;
    const end = index + inserted;
    if (inserted > 0 || op.delete !== undefined) {
      const from = Math.max(index - REACH, lastEnd);
      found.push(editor.getText(from, end + REACH - from));
      lastEnd = end;
    }
    index = end + (typeof op.retain === 'number' ? op.retain : 0);
  }
  return found;
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
