/** Programs of Collabs. */
import { AbstractDoc, CList, CMap, CPresence, CRichText, CRuntime, CText, CValueMap, CVar } from '@collabs/collabs';
import { type Board, type Item, type MovableList, movesItems, nestsData } from './data.ts';
import { expectThat, notOffered, type Outcome, type Programs, type Stage } from './outcome.ts';
import { type Presence, showsPresence } from './presence.ts';
import { keepsIntent, type RichText } from './rich-text.ts';
import { triesText } from './text.ts';

export const programs: Programs = {
  text: (capability) =>
    triesText<Holder<CText>>(capability, 'collabs', {
      create(text) {
        const document = open(plainText);
        document.runtime.transact(() => document.content.insert(0, text));
        return document;
      },
      insert(document, position, text) {
        document.runtime.transact(() => document.content.insert(position, text));
        return [document, document.unsent.pop()!];
      },
      receive(document, update) {
        document.runtime.receive(update);
        return document;
      },
      text: ({ content }) => content.toString(),
      save: ({ runtime }) => runtime.save(),
      load(saved) {
        const document = open(plainText);
        document.runtime.load(saved);
        return document;
      },
      exchange(one, other) {
        const forOther = one.runtime.save();
        one.runtime.load(other.runtime.save());
        other.runtime.load(forOther);
        return [one, other];
      },
    }),
  'rich-text': (capability) =>
    keepsIntent(capability, (text) =>
      pair({ register: formattedText, begin: (content) => content.insert(0, text, {}), bind: richText }),
    ),
  'nested-data': () =>
    nestsData((items) =>
      pair({
        register: nestedItems,
        begin(root) {
          root.set('items');
          for (const [index, item] of items.entries()) insertMap(root, index, item);
        },
        bind: board,
      }),
    ),
  'list-move': () =>
    movesItems((items) =>
      pair({
        register: list,
        begin(content) {
          for (const item of items) content.push(item);
        },
        bind: movableList,
      }),
    ),
  presence: () =>
    showsPresence(() => {
      const [adaSide, benSide] = [open(cursors), open(cursors)];
      adaSide.runtime.on('Send', ({ message }) => benSide.runtime.receive(message));
      benSide.runtime.on('Send', ({ message }) => adaSide.runtime.receive(message));
      const [ada, ben] = [adaSide.content, benSide.content];
      benSide.runtime.transact(() => {
        ben.setOurs({ name: 'Ben', cursor: 0 });
        ben.connect();
      });
      return {
        ada: {
          show: (presence) =>
            adaSide.runtime.transact(() => {
              ada.setOurs({ ...presence });
              ada.connect();
            }),
          leave: () => adaSide.runtime.transact(() => ada.disconnect()),
        },
        seenByBen: () => [...ben.values()].filter(({ name }) => name !== 'Ben'),
        saved: () => adaSide.runtime.save(),
        close() {
          ada.disconnect();
          ben.disconnect();
        },
      };
    }),
  'partial-load': loadsAllParts,
};

interface Holder<Content> {
  runtime: CRuntime;
  content: Content;
  unsent: Uint8Array[];
}

/** @param name of the replica; random by default */
function open<Content>(register: (runtime: CRuntime) => Content, name?: string): Holder<Content> {
  const runtime = new CRuntime(name === undefined ? {} : { debugReplicaID: name });
  const content = register(runtime);
  const unsent: Uint8Array[] = [];
  runtime.on('Send', ({ message }) => unsent.push(message));
  return { runtime, content, unsent };
}

/**
 * @param options.register makes a replica's collab
 * @param options.begin    writes the first content of both replicas
 */
function pair<Content, Replica>(options: {
  register(runtime: CRuntime): Content;
  begin(content: Content): void;
  bind(holder: Holder<Content>): Replica;
}): Stage<Replica> {
  const { register, begin, bind } = options;
  const seed = open(register, 'seed');
  seed.runtime.transact(() => begin(seed.content));
  const [one, other] = [open(register, 'a'), open(register, 'b')];
  for (const { runtime } of [one, other]) runtime.load(seed.runtime.save());
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
      for (const message of forOne) one.runtime.receive(message);
      for (const message of forOther) other.runtime.receive(message);
    },
  };
}

function plainText(runtime: CRuntime): CText {
  return runtime.registerCollab('text', (init) => new CText(init));
}

function formattedText(runtime: CRuntime) {
  return runtime.registerCollab(
    'text',
    (init) => new CRichText<Record<string, unknown>>(init, { noGrowAtEnd: ['link'] }),
  );
}

/** An insert always names its formats. */
function richText({ runtime, content: text }: Holder<ReturnType<typeof formattedText>>): RichText {
  return {
    insert: (position, typed) => runtime.transact(() => text.insert(position, typed, {})),
    insertWith: (position, typed, formats) => runtime.transact(() => text.insert(position, typed, formats)),
    format: (start, end, name, value) => runtime.transact(() => text.format(start, end, name, value)),
    unformat: (start, end, name) => runtime.transact(() => text.format(start, end, name, undefined)),
    spans: () => text.formatted().map(({ values, format }) => ({ text: values, formats: format })),
  };
}

type Root = ReturnType<typeof nestedItems>;

function nestedItems(runtime: CRuntime) {
  return runtime.registerCollab(
    'root',
    (init) =>
      new CMap<string, CList<CValueMap<string, unknown>, []>, []>(
        init,
        (listInit) => new CList(listInit, (mapInit) => new CValueMap<string, unknown>(mapInit)),
      ),
  );
}

function insertMap(root: Root, index: number, item: Item): void {
  const map = root.get('items')!.insert(index);
  for (const [key, value] of Object.entries(item)) map.set(key, value);
}

function board({ runtime, content: root }: Holder<Root>): Board {
  return {
    insert: (index, item) => runtime.transact(() => insertMap(root, index, item)),
    set: (index, key, value) =>
      runtime.transact(() => {
        root.get('items')!.get(index).set(key, value);
      }),
    items: () =>
      [...root.get('items')!.values()].map((map) => ({
        title: map.get('title') as string,
        done: map.get('done') as boolean,
      })),
  };
}

function list(runtime: CRuntime) {
  return runtime.registerCollab(
    'items',
    (init) => new CList<CVar<string>, [string]>(init, (itemInit, item) => new CVar(itemInit, item)),
  );
}

function movableList({ runtime, content: items }: Holder<ReturnType<typeof list>>): MovableList {
  return {
    move: (from, to) =>
      runtime.transact(() => {
        // It counts the place with the item still where it was.
        items.move(from, to > from ? to + 1 : to);
      }),
    items: () => [...items.values()].map(({ value }) => value),
  };
}

function cursors(runtime: CRuntime) {
  return runtime.registerCollab('presence', (init) => new CPresence<Presence & Record<string, unknown>>(init));
}

function loadsAllParts(): Outcome {
  const parts = (runtime: CRuntime) =>
    ['one', 'two'].map((name) => runtime.registerCollab(name, (init) => new CText(init)));
  const doc = open(parts);
  doc.runtime.transact(() => {
    for (const [index, text] of ['part one', 'part two'].entries()) doc.content[index]!.insert(0, text);
  });
  const reader = open(parts);
  reader.runtime.load(doc.runtime.save());
  expectThat(reader.content.join() === 'part one,part two', 'load gives all parts');
  return notOffered(
    'looked on CRuntime and AbstractDoc for a way to save or load one collab; a saved state is loaded as a whole',
    [CRuntime.prototype, AbstractDoc.prototype],
    ['saveCollab', 'loadCollab', 'loadPartial', 'lazyLoad'],
  );
}
