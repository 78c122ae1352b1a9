/** json-joy's Peritext extension, through its editor if that has a means: the editor decides which edges of a format grow. */
import type { Peritext } from 'json-joy/lib/json-crdt-extensions/index.js';
import { ext, ModelWithExt, peritext } from 'json-joy/lib/json-crdt-extensions/index.js';
import type { Program } from '../outcome.ts';
import { FIRST_SESSION, type Holder, pair } from '../pairs/json-joy.ts';
import { keepsIntent, type RichText } from './rich-text.ts';

/** Many of them may overlap; of bold and italic there is one. */
const LINK = 'link';

export const program: Program = (capability) =>
  keepsIntent(capability, (text) => {
    const seed = ModelWithExt.create(ext.peritext.new(text), FIRST_SESSION);
    seed.api.flush();
    return pair(seed, bind, (saved, session) => ModelWithExt.load(saved, session));
  });

function bind({ model, unsent }: Holder): RichText {
  const { txt, editor } = model.api.in().asExt(peritext);
  const change = (make: () => void) => {
    txt.refresh();
    make();
    unsent.push(model.api.flush());
  };
  return {
    insert: (position, typed) => change(() => txt.insAt(position, typed)),
    format: (start, end, name, value) =>
      change(() => {
        const range = txt.rangeAt(start, end - start);
        if (name === LINK) editor.saved.insStack(name, { href: value }, [range]);
        else editor.toggleExclFmt(name, undefined, undefined, [range]);
      }),
    unformat: (start, end, name) =>
      change(() => editor.toggleExclFmt(name, undefined, undefined, [txt.rangeAt(start, end - start)])),
    spans: () => spansOf(txt),
  };
}

function spansOf(txt: Peritext): ReturnType<RichText['spans']> {
  txt.refresh();
  return txt.blocks.root.children.flatMap((block) =>
    [...block.texts()].map((inline) => ({
      text: inline.text(),
      formats: Object.fromEntries(Object.keys(inline.attr()).map((name) => [name, true])),
    })),
  );
}
