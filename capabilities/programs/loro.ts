/** Programs of Loro. */
import { EphemeralStore, type Frontiers, LoroDoc, LoroList, LoroMap, UndoManager, type Value } from 'loro-crdt';
import { type Board, type Item, type MovableList, movesItems, nestsData } from './data.ts';
import { expectThat, notOffered, type Outcome, type Programs, type Stage } from './outcome.ts';
import { type HistoryStage, looksBack, type UndoableText, undoesOwn } from './past.ts';
import { type Presence, showsPresence } from './presence.ts';
import { keepsIntent, type RichText } from './rich-text.ts';
import { triesText } from './text.ts';

export const programs: Programs = {
  text: (capability) =>
    triesText<LoroDoc>(capability, 'loro', {
      create(text) {
        const doc = new LoroDoc();
        doc.getText('text').insert(0, text);
        return doc;
      },
      insert(doc, position, text) {
        const before = doc.version();
        doc.getText('text').insert(position, text);
        return [doc, doc.export({ mode: 'update', from: before })];
      },
      receive(doc, update) {
        doc.import(update);
        return doc;
      },
      text: (doc) => doc.getText('text').toString(),
      save: (doc) => doc.export({ mode: 'snapshot' }),
      load: (saved) => LoroDoc.fromSnapshot(saved),
      exchange(one, other) {
        exchange(one, other);
        return [one, other];
      },
    }),
  'rich-text': (capability) =>
    keepsIntent(capability, (text) => pair((doc) => doc.getText('text').insert(0, text), richText)),
  undo: () => undoesOwn((text) => pair((doc) => doc.getText('text').insert(0, text), undoableText)),
  'nested-data': () =>
    nestsData((items) =>
      pair((doc) => {
        const list = doc.getMap('root').setContainer('items', new LoroList());
        for (const [index, item] of items.entries()) insertMap(list, index, item);
      }, board),
    ),
  'list-move': () =>
    movesItems((items) =>
      pair((doc) => {
        for (const item of items) doc.getMovableList('items').push(item);
      }, movableList),
    ),
  presence: () =>
    showsPresence(() => {
      const doc = new LoroDoc();
      doc.getText('text').insert(0, 'text');
      const [ada, ben] = [new EphemeralStore(), new EphemeralStore()];
      ada.subscribeLocalUpdates((update) => ben.apply(update));
      return {
        ada: { show: (presence) => ada.set('ada', { ...presence }), leave: () => ada.delete('ada') },
        seenByBen: () => Object.values(ben.getAllStates()) as unknown as Presence[],
        saved: () => doc.export({ mode: 'snapshot' }),
        close() {
          ada.destroy();
          ben.destroy();
        },
      };
    }),
  history: () => looksBack(() => historyOf(new LoroDoc())),
  'partial-load': loadsAllParts,
};

/** @param begin writes the first content of both replicas */
function pair<Replica>(begin: (doc: LoroDoc) => void, bind: (doc: LoroDoc) => Replica): Stage<Replica> {
  const seed = new LoroDoc();
  seed.setPeerId(99n);
  begin(seed);
  const saved = seed.export({ mode: 'snapshot' });
  const [one, other] = [1n, 2n].map((peer) => {
    const doc = new LoroDoc();
    doc.setPeerId(peer);
    doc.import(saved);
    return doc;
  }) as [LoroDoc, LoroDoc];
  return { replicas: [bind(one), bind(other)], exchange: () => exchange(one, other) };
}

function exchange(one: LoroDoc, other: LoroDoc): void {
  const forOther = one.export({ mode: 'update', from: other.version() });
  one.import(other.export({ mode: 'update', from: one.version() }));
  other.import(forOther);
}

function richText(doc: LoroDoc): RichText {
  doc.configTextStyle({ bold: { expand: 'after' }, italic: { expand: 'after' }, link: { expand: 'none' } });
  const text = doc.getText('text');
  return {
    insert: (position, typed) => text.insert(position, typed),
    format: (start, end, name, value) => text.mark({ start, end }, name, value),
    unformat: (start, end, name) => text.unmark({ start, end }, name),
    spans: () =>
      text.toDelta().map(({ insert, attributes = {} }) => ({ text: insert as string, formats: { ...attributes } })),
  };
}

function undoableText(doc: LoroDoc): UndoableText {
  const text = doc.getText('text');
  const manager = new UndoManager(doc, { mergeInterval: 0 });
  return {
    insert(position, typed) {
      text.insert(position, typed);
      doc.commit();
    },
    undo: () => manager.undo(),
    redo: () => manager.redo(),
    text: () => text.toString(),
  };
}

function insertMap(list: LoroList, index: number, item: Item): void {
  const map = list.insertContainer(index, new LoroMap());
  for (const [key, value] of Object.entries(item)) map.set(key, value);
}

function board(doc: LoroDoc): Board {
  const list = doc.getMap('root').get('items') as LoroList;
  return {
    insert: (index, item) => insertMap(list, index, item),
    set: (index, key, value) => (list.get(index) as LoroMap).set(key, value as Exclude<Value, undefined>),
    items: () => (list.toJSON() as Item[]).map(({ title, done }) => ({ title, done })),
  };
}

function movableList(doc: LoroDoc): MovableList {
  const list = doc.getMovableList('items');
  return { move: (from, to) => list.move(from, to), items: () => list.toJSON() };
}

function historyOf(doc: LoroDoc): HistoryStage<Frontiers> {
  const text = doc.getText('text');
  return {
    write(written) {
      text.delete(0, text.length);
      text.insert(0, written);
      doc.commit();
    },
    version: () => doc.frontiers(),
    textAt(frontiers) {
      doc.checkout(frontiers);
      const earlier = text.toString();
      doc.checkoutToLatest();
      return earlier;
    },
    text: () => text.toString(),
  };
}

function loadsAllParts(): Outcome {
  const doc = new LoroDoc();
  doc.getText('one').insert(0, 'part one');
  doc.getText('two').insert(0, 'part two');
  doc.commit();
  const reader = new LoroDoc();
  reader.import(doc.export({ mode: 'shallow-snapshot', frontiers: doc.frontiers() }));
  const seen = reader.toJSON();
  expectThat(seen.one === 'part one' && seen.two === 'part two', 'a shallow snapshot holds all parts');
  return notOffered(
    'looked on LoroDoc for an export or import of one container; a shallow snapshot leaves out history and holds all parts',
    [LoroDoc.prototype],
    ['exportContainer', 'importContainer', 'exportPartial', 'importPartial'],
  );
}
