/**
 * Binds an editor to a document that speaks deltas. What the user does goes to the document at once, within the editor's
 * own event; what others did comes as one delta for all that arrived together. So document and editor never differ.
 */
import type Delta from 'quill-delta';
import type { Editor } from '../editor.ts';
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
