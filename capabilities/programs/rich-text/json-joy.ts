/** With json-joy's Peritext extension, through its editor where that has a means: it decides which edges of a format grow. */

import type { Model } from 'json-joy/lib/json-crdt/index.js';
import type { Peritext } from 'json-joy/lib/json-crdt-extensions/index.js';
import { ext, ModelWithExt, peritext } from 'json-joy/lib/json-crdt-extensions/index.js';
import type { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { FIRST_SESSION } from '../json-joy/sessions.ts';
import type { Program } from '../outcome.ts';
import { keepsIntent, type RichText, type Stage } from './rich-text.ts';

/** Many of them may overlap; of bold and italic there is one. */
const LINK = 'link';

export const program: Program = (capability) => keepsIntent(capability, open);

interface Replica {
  model: Model;
  unsent: Patch[];
}

function open(text: string): Stage {
  const seed = ModelWithExt.create(ext.peritext.new(text), FIRST_SESSION);
  seed.api.flush();
  const [one, other] = [1, 2].map((replica) => ({
    model: ModelWithExt.load(seed.toBinary(), FIRST_SESSION + replica),
    unsent: [],
  })) as unknown as [Replica, Replica];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
      one.model.applyBatch(forOne);
      other.model.applyBatch(forOther);
    },
  };
}

function bind({ model, unsent }: Replica): RichText {
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
