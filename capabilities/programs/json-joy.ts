/** Programs of json-joy. Its log of patches, kept beside a document, has its history and undoes a patch. */
import { Decoder } from 'json-joy/lib/json-crdt/codec/indexed/binary/Decoder.js';
import { Encoder } from 'json-joy/lib/json-crdt/codec/indexed/binary/Encoder.js';
import type { IndexedFields, IndexedNodeFields } from 'json-joy/lib/json-crdt/codec/indexed/binary/types.js';
import { Model, type StrNode, s } from 'json-joy/lib/json-crdt/index.js';
import { Log } from 'json-joy/lib/json-crdt/log/Log.js';
import { PartialEditFactory } from 'json-joy/lib/json-crdt/partial-edit/PartialEdit.js';
import type { Peritext } from 'json-joy/lib/json-crdt-extensions/index.js';
import { type ITimestampStruct, Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { type Board, type Item, judgePart, type MovableList, movesAnew, nestsData } from './data.ts';
import type { Outcome, Programs, Stage } from './outcome.ts';
import { type HistoryStage, looksBack, type UndoableText, undoesOwn } from './past.ts';
import { keepsIntent, type RichText } from './rich-text.ts';
import { type TextLibrary, triesText } from './text.ts';

export const programs: Programs = {
  text: (capability) => triesText(capability, 'json-joy', capability === 'encodings' ? MODEL_ALONE : LIBRARY),
  'rich-text': formatsInPeritext,
  undo: () => undoesOwn((text) => pair(modelOf({ text }), undoableText)),
  'nested-data': () => nestsData((items) => pair(modelOf({ items: [...items] }), board)),
  'list-move': () =>
    movesAnew({
      open: (items) => pair(modelOf({ items: [...items] }), movableList),
      why: (anew) => `looked for move and mov on ArrApi; deleting and inserting anew: ${anew}`,
      owner: modelOf({ items: [] }).api.arr(['items']),
      names: ['move', 'mov'],
    }),
  history: () => looksBack(openHistory),
  'partial-load': editsPart,
};

/** The replicas' identities: numbers below are reserved, and each replica takes the next. */
const FIRST_SESSION = 65_536;

interface Holder {
  model: Model;
  /** Patches that others still need; json-joy merges patches. */
  unsent: Patch[];
  /** The first content of both replicas. */
  seed: Uint8Array;
}

/** A model that holds these data. */
function modelOf(data: object): Model {
  const model = Model.create(undefined, FIRST_SESSION);
  model.api.set(data);
  model.api.flush();
  return model;
}

function textOf(model: Model): string {
  return (model.view() as { text: string }).text;
}

/** @param load as `Model.load`; a model with extensions has its own */
function pair<Replica>(
  begin: Pick<Model, 'toBinary'>,
  bind: (holder: Holder) => Replica,
  load: (seed: Uint8Array, session: number) => Model = (seed, session) => Model.load(seed, session),
): Stage<Replica> {
  const seed = begin.toBinary();
  const [one, other] = [1, 2].map((replica) => ({
    model: load(seed, FIRST_SESSION + replica),
    unsent: [],
    seed,
  })) as unknown as [Holder, Holder];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
      one.model.applyBatch(forOne);
      other.model.applyBatch(forOther);
    },
  };
}

interface Document {
  model: Model;
  /** json-joy merges patches, so an application keeps those that others may lack. */
  patches: Uint8Array[];
}

const LIBRARY: TextLibrary<Document> = {
  create: (text) => ({ model: modelOf({ text }), patches: [] }),
  insert({ model, patches }, position, text) {
    model.api.str(['text']).ins(position, text);
    const patch = model.api.flush().toBinary();
    return [{ model, patches: [...patches, patch] }, patch];
  },
  receive(document, update) {
    document.model.applyPatch(Patch.fromBinary(update));
    return document;
  },
  text: ({ model }) => textOf(model),
  save: ({ model, patches }) => packed([model.toBinary(), ...patches]),
  load(saved, replica) {
    const [state, ...patches] = unpacked(saved);
    return { model: Model.load(state!, FIRST_SESSION + replica), patches };
  },
  exchange(one, other) {
    one.model.applyBatch(other.patches.map((patch) => Patch.fromBinary(patch)));
    other.model.applyBatch(one.patches.map((patch) => Patch.fromBinary(patch)));
    return [one, other];
  },
};

/** The saved state of an older version is the model alone. */
const MODEL_ALONE: TextLibrary<Document> = {
  ...LIBRARY,
  save: ({ model }) => model.toBinary(),
  load: (saved, replica) => ({ model: Model.load(saved, FIRST_SESSION + replica), patches: [] }),
};

function packed(parts: readonly Uint8Array[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(parts.map((part) => Buffer.from(part).toString('base64'))));
}

function unpacked(bytes: Uint8Array): Uint8Array[] {
  const parts = JSON.parse(new TextDecoder().decode(bytes)) as string[];
  return parts.map((part) => new Uint8Array(Buffer.from(part, 'base64')));
}

/** Many of them may overlap; of bold and italic there is one. */
const LINK = 'link';

/** Its Peritext extension, through its editor if that has a means: the editor decides which edges of a format grow. */
async function formatsInPeritext(capability: string): Promise<Outcome> {
  // For this program alone.
  const { ext, ModelWithExt, peritext } = await import('json-joy/lib/json-crdt-extensions/index.js');
  return keepsIntent(capability, (text) => {
    const seed = ModelWithExt.create(ext.peritext.new(text), FIRST_SESSION);
    seed.api.flush();
    return pair(
      seed,
      (holder) => richText(holder, holder.model.api.in().asExt(peritext)),
      (saved, session) => ModelWithExt.load(saved, session),
    );
  });
}

function richText({ model, unsent }: Holder, { txt, editor }: Pick<Peritext, 'editor'> & { txt: Peritext }): RichText {
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

function undoableText({ model, unsent, seed }: Holder): UndoableText {
  const log = new Log(() => Model.load(seed), model);
  let last: Patch;
  const apply = (patch: Patch) => {
    model.applyLocalPatch(patch);
    unsent.push(patch);
  };
  return {
    insert(position, typed) {
      model.api.str(['text']).ins(position, typed);
      last = model.api.flush();
      unsent.push(last);
    },
    undo: () => apply(log.undo(last)),
    redo: () => apply(last.rebase(model.clock.time)),
    text: () => textOf(model),
  };
}

function openHistory(): HistoryStage<ITimestampStruct> {
  const model = Model.create(undefined, FIRST_SESSION);
  model.api.set({ text: '' });
  const log = Log.fromNewModel(model);
  let last: ITimestampStruct;
  return {
    write(written) {
      const node = log.end.api.str(['text']);
      if (node.length() > 0) node.del(0, node.length());
      node.ins(0, written);
      last = log.end.api.flush().getId()!;
    },
    version: () => last,
    textAt: (version) => textOf(log.replayTo(version)),
    text: () => textOf(log.end),
  };
}

function board({ model, unsent }: Holder): Board {
  const change = (make: () => void) => {
    make();
    unsent.push(model.api.flush());
  };
  return {
    insert: (index, item) => change(() => model.api.arr(['items']).ins(index, [item])),
    // As a constant: a string would be a text that others edit.
    set: (index, key, value) => change(() => model.api.obj(['items', index]).set({ [key]: s.con(value) })),
    items: () => (model.view() as { items: Item[] }).items.map(({ title, done }) => ({ title, done })),
  };
}

/** An array of json-joy cannot move an item; an application deletes it and inserts it anew. */
function movableList({ model, unsent }: Holder): MovableList {
  const items = () => (model.view() as { items: string[] }).items;
  return {
    move(from, to) {
      const item = items()[from]!;
      const list = model.api.arr(['items']);
      list.del(from, 1);
      list.ins(to, [s.con(item)]);
      unsent.push(model.api.flush());
    },
    items: () => [...items()],
  };
}

/**
 * The indexed encoding has a field for each node, so a part is the fields that an application asks for. Nothing reads their names
 * but the whole: whoever wants a part must know it, as by an index of the application's own.
 */
function editsPart(): Outcome {
  const whole = modelOf({ one: 'part one', two: 'part two' });
  const stored = new Encoder().encode(whole);
  const { id } = whole.api.str(['one']).node;

  const decoder = new Decoder();
  // A decoder knows the clock that the fields refer to only once it has decoded it.
  decoder.decode({ c: stored.c });
  const partial = new PartialEditFactory(decoder, new Encoder()).startPartialEdit(stored.c);
  const name = `0_${id.time.toString(36)}` as keyof IndexedNodeFields;
  const part = partial.loadPartialModel({ [name]: stored[name]! });
  const nodes = () => {
    const views: unknown[] = [];
    part.index.forEach(({ v: node }) => {
      views.push(node.view());
    });
    return views;
  };
  // All that it holds.
  const held = () => (nodes().length === 1 ? { one: nodes()[0] } : nodes());
  const loaded = held();
  part.api.wrap(part.index.get(id) as StrNode).ins(0, 'edited ');
  const patch = part.api.flush();
  partial.populateClockTable();
  const edited = new Decoder().decode({ ...stored, ...partial.getFieldEdits().updates } as IndexedFields).view();

  const other = Model.load(whole.toBinary(), FIRST_SESSION + 1);
  other.applyPatch(patch);
  other.api.str(['two']).ins(0, 'edited ');
  part.applyPatch(other.api.flush());
  return judgePart({ loaded, edited, after: held() }, 'one', 'two');
}
