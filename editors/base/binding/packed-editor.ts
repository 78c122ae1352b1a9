/**
 * An editor as a library's own Quill binding is to see it: line formats packed (`line-formats.ts`) and changes in whole
 * characters (`whole-characters.ts`), as `bindEditor` gives them to the project's own bindings.
 */
import Delta, { type Op } from 'quill-delta';
import type { Editor, EditorChangeHandler, Source } from '../editor.ts';
import { packLineFormats, unpackLineFormats } from './line-formats.ts';
import { wholeCharacters } from './whole-characters.ts';

/** The part of Quill that such bindings use. */
export type PackedEditor = Pick<Editor, 'getModule' | 'getSelection' | 'updateContents' | 'setContents'> & {
  on(event: 'editor-change', handler: EditorChangeHandler): void;
  off(event: 'editor-change', handler: EditorChangeHandler): void;
};

/** Deltas into and out of it are packed; positions are the editor's own, since a format has no length. */
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
