/**
 * Binds an editor to a document that speaks deltas. What the user does goes to the document at once, within the editor's
 * own event; what others did comes as one delta for all that arrived together. So document and editor never differ.
 */
import type { Op } from 'quill-delta';
import Delta from 'quill-delta';
import type { Editor, EditorChangeHandler, Source } from '../editor.ts';
import { packLineFormats, unpackLineFormats } from './line-formats.ts';
import { wholeCharacters } from './whole-characters.ts';

/** The source of the changes that the binding itself makes in the editor. */
const SOURCE = 'binding';

export interface EditorBinding {
  /** Shows a change that others made to the document. */
  show(change: Delta): void;
  unbind(): void;
}

/**
 * Line formats cross as `line-formats.ts` packs them.
 *
 * @param options.contents the document now; the editor shows it from then on
 * @param options.onChange gets each change of the user, against the document as it is then
 */
export function bindEditor(options: {
  editor: Editor;
  contents: Delta;
  onChange: (change: Delta) => void;
}): EditorBinding {
  const { editor, contents, onChange } = options;
  editor.setContents(unpackLineFormats(contents), SOURCE);
  const onTextChange = (change: Delta, before: Delta, source: unknown) => {
    if (source !== SOURCE) onChange(packLineFormats(wholeCharacters(change, before)));
  };
  editor.on('text-change', onTextChange);
  return {
    show(change) {
      if (change.ops.length > 0) editor.updateContents(unpackLineFormats(change), SOURCE);
    },
    unbind: () => editor.off('text-change', onTextChange),
  };
}

/** The part of Quill that such bindings use. */
export type PackedEditor = Pick<Editor, 'getModule' | 'getSelection' | 'updateContents' | 'setContents'> & {
  on(event: 'editor-change', handler: EditorChangeHandler): void;
  off(event: 'editor-change', handler: EditorChangeHandler): void;
};

/**
 * An editor for a library's own Quill binding: line formats packed and changes in whole characters, as `bindEditor` gives
 * them to the project's own bindings. Positions are the editor's own, since a format has no length.
 */
export function packedEditor(editor: Editor): PackedEditor {
  /** Sources that the binding names for its own changes. */
  const ownChanges = new Set<unknown>();
  const wrappers = new Map<EditorChangeHandler, EditorChangeHandler>();
  const unpacked = (delta: Delta | Op[]) => unpackLineFormats(new Delta(delta));
  return {
    getModule: (name) => editor.getModule(name),
    getSelection: () => editor.getSelection(),
    updateContents(delta: Delta | Op[], source?: Source) {
      ownChanges.add(source);
      return editor.updateContents(unpacked(delta), source);
    },
    setContents: (delta: Delta | Op[], source?: Source) => editor.setContents(unpacked(delta), source),
    on(event, handler) {
      const wrapper: EditorChangeHandler = (name, ...details) => {
        if (name !== 'text-change') return handler(name, ...details);
        const [change, before, ...rest] = details as [Delta, Delta, ...unknown[]];
        // A change from the document cuts no character; to check that would read the whole text for every remote change.
        const whole = ownChanges.has(rest[0]) ? change : wholeCharacters(change, before);
        handler(name, packLineFormats(whole), before, ...rest);
      };
      wrappers.set(handler, wrapper);
      editor.on(event, wrapper);
    },
    off(event, handler) {
      const wrapper = wrappers.get(handler);
      if (wrapper !== undefined) editor.off(event, wrapper);
      wrappers.delete(handler);
    },
  };
}
