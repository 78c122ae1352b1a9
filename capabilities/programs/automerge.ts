/** Programs of Automerge. */
import * as Automerge from '@automerge/automerge';
import { type Board, type Item, type MovableList, movesAnew, nestsData } from './data.ts';
import { expectThat, notOffered, type Outcome, type Programs, type Stage } from './outcome.ts';
import { looksBack } from './past.ts';
import { type Format, keepsIntent, type RichText } from './rich-text.ts';
import { triesText } from './text.ts';

interface Content extends Record<string, unknown> {
  text: string;
}

const PATH = ['text'];
/** Each mark names the edges of its format that grow. */
const EXPAND: Record<Format, 'after' | 'none'> = { bold: 'after', italic: 'after', link: 'none' };

export const programs: Programs = {
  text: (capability) =>
    triesText<Automerge.Doc<Content>>(capability, 'automerge', {
      create: (text) => Automerge.from<Content>({ text }),
      insert(doc, position, text) {
        const changed = Automerge.change(doc, (draft) => Automerge.splice(draft, PATH, position, 0, text));
        return [changed, Automerge.getLastLocalChange(changed)!];
      },
      receive: (doc, update) => Automerge.applyChanges(doc, [update])[0],
      text: (doc) => doc.text,
      save: (doc) => Automerge.save(doc),
      load: (saved) => Automerge.load(saved),
      exchange(one, other) {
        const met = Automerge.merge(one, other);
        return [met, Automerge.merge(other, met)];
      },
    }),
  'rich-text': (capability) => keepsIntent(capability, (text) => pair({ text }, richText)),
  'nested-data': () => nestsData((items) => pair({ items: [...items] }, board)),
  'list-move': () =>
    movesAnew({
      open: (items) => pair({ items: [...items] }, movableList),
      why: (anew) =>
        `looked for move among what the package exports, beside insertAt and deleteAt; deleting and inserting anew: ${anew}`,
      owner: Automerge,
      names: ['move', 'moveAt'],
    }),
  // The packages that connect documents load for this program alone.
  presence: async () => (await import('./automerge-presence.ts')).presence(),
  history: () =>
    looksBack<Automerge.Heads>(() => {
      let doc = Automerge.from<Content>({ text: '' });
      return {
        write(text) {
          doc = Automerge.change(doc, (draft) => Automerge.updateText(draft, PATH, text));
        },
        version: () => Automerge.getHeads(doc),
        textAt: (heads) => Automerge.view(doc, heads).text,
        text: () => doc.text,
      };
    }),
  'partial-load': loadsAllParts,
};

interface Holder<Value> {
  /** A value: each change makes another. */
  doc: Automerge.Doc<Value>;
  change(make: (draft: Value) => void): void;
}

/** @param content first content of both replicas */
function pair<Value extends Record<string, unknown>, Replica>(
  content: Value,
  bind: (holder: Holder<Value>) => Replica,
): Stage<Replica> {
  const seed = Automerge.save(Automerge.from<Value>(content, { actor: 'ff' }));
  const [one, other] = ['01', '02'].map((actor) => {
    const holder: Holder<Value> = {
      doc: Automerge.load<Value>(seed, { actor }),
      change(make) {
        holder.doc = Automerge.change(holder.doc, make);
      },
    };
    return holder;
  }) as [Holder<Value>, Holder<Value>];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      one.doc = Automerge.merge(one.doc, other.doc);
      other.doc = Automerge.merge(other.doc, one.doc);
    },
  };
}

function richText(holder: Holder<{ text: string }>): RichText {
  return {
    insert: (position, typed) => holder.change((draft) => Automerge.splice(draft, PATH, position, 0, typed)),
    format: (start, end, name, value) =>
      holder.change((draft) =>
        Automerge.mark(draft, PATH, { start, end, expand: EXPAND[name] }, name, value as Automerge.MarkValue),
      ),
    unformat: (start, end, name) =>
      holder.change((draft) => Automerge.unmark(draft, PATH, { start, end, expand: EXPAND[name] }, name)),
    spans: () =>
      Automerge.spans(holder.doc, PATH).map((span) => {
        if (span.type !== 'text') throw new Error(`a text without blocks has a span of type ${span.type}`);
        return { text: span.value, formats: span.marks ?? {} };
      }),
  };
}

function board(holder: Holder<{ items: Item[] }>): Board {
  return {
    insert: (index, item) =>
      holder.change(({ items }) => {
        items.splice(index, 0, item);
      }),
    set: (index, key, value) =>
      holder.change(({ items }) => {
        items[index]![key] = value;
      }),
    items: () => Automerge.toJS(holder.doc).items.map(({ title, done }) => ({ title, done })),
  };
}

/** A list of Automerge cannot move an item; an application deletes it and inserts it anew. */
function movableList(holder: Holder<{ items: string[] }>): MovableList {
  return {
    move: (from, to) =>
      holder.change(({ items }) => {
        const item = items[from]!;
        items.splice(from, 1);
        items.splice(to, 0, item);
      }),
    items: () => Automerge.toJS(holder.doc).items,
  };
}

function loadsAllParts(): Outcome {
  const doc = Automerge.from({ one: 'part one', two: 'part two' });
  const loaded = Automerge.load<Record<string, string>>(Automerge.save(doc));
  expectThat(loaded.one === 'part one' && loaded.two === 'part two', 'load gives all parts');
  return notOffered(
    'looked among what the package exports for a way to save or load a path; load and loadIncremental take changes of the whole document',
    [Automerge],
    ['loadPath', 'savePath', 'loadPartial', 'saveObject', 'loadObject'],
  );
}
