/** Quill as a screen: the snow theme with a button for each format that users apply. */
import Quill, { type Delta } from 'quill';
import type QuillCursors from 'quill-cursors';
import { BLOCK_FORMATS, type Editor, INLINE_FORMATS, type Screen } from '../editor.ts';
import { formattedTexts } from '../sigils.ts';
import { screenText, watchBlocks } from './blocks.ts';
import 'quill/dist/quill.snow.css';

/**
 * Quill's key bindings that do something else than write or delete the key's character. "- " makes a list, Tab indents a
 * list's line. Enter in an empty line of a list, and Backspace at the start of one, only end the list. A trace's edit must do
 * as the trace says, or the edits after it land in other places.
 */
const BINDINGS_OFF = ['list autofill', 'indent', 'outdent', 'list empty enter', 'outdent backspace'];

/**
 * Puts toolbar and editor into `container`, which it fills; the text scrolls inside.
 *
 * @param options.cursors the module that draws others' cursors (`cursors.ts`); absent: the user sees none
 */
export function createQuillScreen(container: HTMLElement, { cursors }: { cursors?: typeof QuillCursors } = {}): Screen {
  if (cursors !== undefined) Quill.register('modules/cursors', cursors, true);
  const place = document.createElement('div');
  place.style.cssText = 'flex: 1; min-height: 0;';
  container.style.cssText += 'display: flex; flex-direction: column;';
  container.replaceChildren(place);
  const quill = new Quill(place, {
    theme: 'snow',
    formats: [...new Set([...INLINE_FORMATS, ...BLOCK_FORMATS.map(({ name }) => name)])],
    modules: {
      toolbar: [[...INLINE_FORMATS], ...groups(BLOCK_FORMATS)],
      keyboard: { bindings: Object.fromEntries(BINDINGS_OFF.map((name) => [name, null])) },
      // Nobody undoes in a trial, and where people do, the framework's own undo takes this module's place, because it
      // would take back the others' edits. With its default stack it transforms up to 100 items for each remote change.
      history: { userOnly: true, maxStack: 0 },
      ...(cursors && { cursors: true }),
    },
  });
  // A dictionary that marks the trace's words would be measured with the framework.
  quill.root.spellcheck = false;
  return {
    // Quill's own types are narrower only in what a source may be.
    editor: quill as unknown as Editor,
    text: () => screenText(quill.root),
    cursorNames: () => shownNames(container),
    onShown(listener) {
      const formatted: string[] = [];
      quill.on('editor-change', (name, change) => {
        if (name === 'text-change') formatted.push(...formattedTexts(quill, change as Delta));
      });
      const takeFormatted = () => formatted.splice(0);
      watchBlocks(quill.root, takeFormatted, listener);
    },
  };
}

/** Read from what is rendered: a cursor whose place cannot be found is hidden. */
function shownNames(container: HTMLElement): string[] {
  return [...container.querySelectorAll('.ql-cursor:not(.hidden) .ql-cursor-name')].map((name) => name.textContent);
}

/** One group of the toolbar for each name: `[{header: 1}, {header: 2}]`. */
function groups(formats: typeof BLOCK_FORMATS): Record<string, unknown>[][] {
  const names = [...new Set(formats.map(({ name }) => name))];
  return names.map((name) => formats.filter((format) => format.name === name).map(({ value }) => ({ [name]: value })));
}
