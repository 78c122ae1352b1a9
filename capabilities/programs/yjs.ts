/** Programs of Yjs. Presence is the awareness protocol's, `y-protocols`, a package of its own by the same authors. */
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import * as Y from 'yjs';
import { type Board, type Item, type MovableList, movesAnew, nestsData } from './data.ts';
import { expectThat, judge, type Outcome, type Programs, type Stage } from './outcome.ts';
import { type HistoryStage, looksBack, type UndoableText, undoesOwn } from './past.ts';
import { type Presence, showsPresence } from './presence.ts';
import { keepsIntent, type RichText } from './rich-text.ts';
import { triesText } from './text.ts';

export const programs: Programs = {
  text: (capability) =>
    triesText<Y.Doc>(capability, 'yjs', {
      create: docWith,
      insert(doc, position, text) {
        const before = Y.encodeStateVector(doc);
        doc.getText('text').insert(position, text);
        return [doc, Y.encodeStateAsUpdate(doc, before)];
      },
      receive(doc, update) {
        Y.applyUpdate(doc, update);
        return doc;
      },
      text: textOf,
      save: (doc) => Y.encodeStateAsUpdate(doc),
      load(saved) {
        const doc = new Y.Doc();
        Y.applyUpdate(doc, saved);
        return doc;
      },
      exchange(one, other) {
        exchange(one, other);
        return [one, other];
      },
    }),
  'rich-text': (capability) => keepsIntent(capability, (text) => pair(docWith(text), richText)),
  undo: () => undoesOwn((text) => pair(docWith(text), undoableText)),
  'nested-data': () =>
    nestsData((items) => {
      const seed = new Y.Doc();
      seed.getMap('root').set('items', Y.Array.from(items.map(toMap)));
      return pair(seed, board);
    }),
  'list-move': () =>
    movesAnew({
      open(items) {
        const seed = new Y.Doc();
        seed.getArray('items').insert(0, [...items]);
        return pair(seed, movableList);
      },
      why: (anew) => `looked for move on Y.Array; deleting and inserting anew: ${anew}`,
      owner: Y.Array.prototype,
      names: ['move', 'moveTo'],
    }),
  presence: () =>
    showsPresence(() => {
      const [ada, ben] = [new Awareness(new Y.Doc()), new Awareness(new Y.Doc())];
      ben.setLocalState(null);
      ada.on('update', (change: Record<'added' | 'updated' | 'removed', number[]>) => {
        const clients = [...change.added, ...change.updated, ...change.removed];
        applyAwarenessUpdate(ben, encodeAwarenessUpdate(ada, clients), 'network');
      });
      return {
        ada: { show: (presence) => ada.setLocalState({ ...presence }), leave: () => ada.setLocalState(null) },
        seenByBen: () => [...ben.getStates().values()] as Presence[],
        saved: () => Y.encodeStateAsUpdate(ada.doc),
        close() {
          ada.destroy();
          ben.destroy();
        },
      };
    }),
  history: looksBackWithoutCollection,
  'partial-load': loadsSubdocuments,
};

function docWith(text: string): Y.Doc {
  const doc = new Y.Doc();
  doc.getText('text').insert(0, text);
  return doc;
}

function textOf(doc: Y.Doc): string {
  return doc.getText('text').toString();
}

/** @param seed the first content of both replicas */
function pair<Replica>(seed: Y.Doc, bind: (doc: Y.Doc) => Replica): Stage<Replica> {
  const [one, other] = [1, 2].map((clientId) => {
    const doc = new Y.Doc();
    doc.clientID = clientId;
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(seed));
    return doc;
  }) as [Y.Doc, Y.Doc];
  return { replicas: [bind(one), bind(other)], exchange: () => exchange(one, other) };
}

function exchange(one: Y.Doc, other: Y.Doc): void {
  const forOther = Y.encodeStateAsUpdate(one, Y.encodeStateVector(other));
  Y.applyUpdate(one, Y.encodeStateAsUpdate(other, Y.encodeStateVector(one)), 'from the other');
  Y.applyUpdate(other, forOther, 'from the other');
}

function richText(doc: Y.Doc): RichText {
  const text = doc.getText('text');
  return {
    insert: (position, typed) => text.insert(position, typed),
    insertWith: (position, typed, formats) => text.insert(position, typed, formats),
    format: (start, end, name, value) => text.format(start, end - start, { [name]: value }),
    unformat: (start, end, name) => text.format(start, end - start, { [name]: null }),
    spans: () =>
      (text.toDelta() as { insert: string; attributes?: Record<string, unknown> }[]).map(
        ({ insert, attributes = {} }) => ({ text: insert, formats: attributes }),
      ),
  };
}

function undoableText(doc: Y.Doc): UndoableText {
  const text = doc.getText('text');
  const manager = new Y.UndoManager(text, { captureTimeout: 0 });
  return {
    insert: (position, typed) => text.insert(position, typed),
    undo: () => manager.undo(),
    redo: () => manager.redo(),
    text: () => text.toString(),
  };
}

function toMap(item: Item): Y.Map<unknown> {
  return new Y.Map(Object.entries(item));
}

function board(doc: Y.Doc): Board {
  const list = doc.getMap('root').get('items') as Y.Array<Y.Map<unknown>>;
  return {
    insert: (index, item) => list.insert(index, [toMap(item)]),
    set: (index, key, value) => list.get(index).set(key, value),
    items: () => list.toJSON().map(({ title, done }: Item) => ({ title, done })),
  };
}

/** An array of Yjs cannot move an item; an application deletes it and inserts it anew. */
function movableList(doc: Y.Doc): MovableList {
  const list = doc.getArray<string>('items');
  return {
    move: (from, to) =>
      doc.transact(() => {
        const item = list.get(from);
        list.delete(from);
        list.insert(to, [item]);
      }),
    items: () => list.toArray(),
  };
}

async function looksBackWithoutCollection(): Promise<Outcome> {
  const usual = historyOf(new Y.Doc());
  usual.write('first');
  const first = usual.version();
  usual.write('second');
  let refusal = '';
  try {
    await usual.textAt(first);
  } catch (error) {
    refusal = (error as Error).message;
  }
  return looksBack(
    () => historyOf(new Y.Doc({ gc: false })),
    [
      {
        holds: refusal === '',
        otherwise: `only of a document that keeps all that was ever deleted, which is not the default ("${refusal}")`,
      },
    ],
  );
}

function historyOf(doc: Y.Doc): HistoryStage<Y.Snapshot> {
  const text = doc.getText('text');
  return {
    write(written) {
      text.delete(0, text.length);
      text.insert(0, written);
    },
    version: () => Y.snapshot(doc),
    textAt: (snapshot) => textOf(Y.createDocFromSnapshot(doc, snapshot)),
    text: () => text.toString(),
  };
}

/** Subdocuments: parts that were made documents of their own when the document was made. */
function loadsSubdocuments(): Outcome {
  const whole = new Y.Doc();
  const chapters = whole.getMap<Y.Doc>('chapters');
  for (const name of ['one', 'two']) chapters.set(name, docWith(`chapter ${name}`));
  const saved = {
    whole: Y.encodeStateAsUpdate(whole),
    one: Y.encodeStateAsUpdate(chapters.get('one')!),
  };

  const reader = new Y.Doc();
  Y.applyUpdate(reader, saved.whole);
  const parts = reader.getMap<Y.Doc>('chapters');
  const [one, two] = [parts.get('one'), parts.get('two')];
  expectThat(one !== undefined && two !== undefined, 'the document names its parts');
  const before = textOf(one);
  one.load();
  Y.applyUpdate(one, saved.one);
  const loaded = [textOf(one), textOf(two)];
  one.getText('text').insert(0, 'edited ');
  Y.applyUpdate(chapters.get('one')!, Y.encodeStateAsUpdate(one));
  const edited = textOf(chapters.get('one')!);

  return judge([
    {
      holds: before === '' && loaded[0] === 'chapter one' && loaded[1] === '',
      otherwise: `its parts are "${loaded.join('", "')}"`,
    },
    { holds: edited === 'edited chapter one', otherwise: `after an edit of the part it is "${edited}"` },
    {
      holds: partOfOrdinaryDocument() === 'a',
      otherwise:
        'only parts that were made subdocuments beforehand; the state of an ordinary document is loaded as a whole',
    },
  ]);
}

/** The text of a reader who asks a state for a part of it; a state vector is the only thing to ask with. */
function partOfOrdinaryDocument(): string {
  const doc = new Y.Doc();
  doc.getText('one').insert(0, 'a');
  doc.getText('two').insert(0, 'b');
  const reader = new Y.Doc();
  Y.applyUpdate(reader, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(reader)));
  return reader.getText('one').toString() + reader.getText('two').toString();
}
