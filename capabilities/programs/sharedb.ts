/** Programs of ShareDB. Its rich text is the type `rich-text`, with Quill's deltas as operations. */
import richText from 'rich-text';
import ShareDB from 'sharedb';
import { Doc, types } from 'sharedb/lib/client/index.js';
import type { LocalPresence } from 'sharedb/lib/sharedb';
import { canonicalDelta } from '../../editors/base/delta.ts';
import { toDelta } from '../../editors/sharedb/document.ts';
import { type Board, type Item, judgePart, type MovableList, movesItems, nestsData } from './data.ts';
import type { Outcome, Programs } from './outcome.ts';
import { type HistoryStage, looksBack, type UndoableText, undoesOwn } from './past.ts';
import { type Presence, type PresenceStage, showsPresence } from './presence.ts';
import { keepsIntent, type RichText } from './rich-text.ts';
import { type Client, COLLECTION, done, ID, JSON_TYPE, pair, serveDocument, settled } from './sharedb/server.ts';
import { triesText } from './sharedb/text.ts';

export const programs: Programs = {
  text: triesText,
  'rich-text'(capability) {
    ShareDB.types.register(richText.type);
    return keepsIntent(capability, (text) => pair([{ insert: text }], formattedText, richText.type.uri));
  },
  undo: () =>
    undoesOwn(
      (text) => pair({ text }, undoableText),
      [
        {
          holds: 'undo' in Doc.prototype,
          otherwise:
            'there is no undo as such: the JSON type inverts an operation, and the application keeps that and transforms it past what others do',
        },
        { holds: richText.type.invert !== undefined, otherwise: 'the rich-text type inverts nothing' },
      ],
    ),
  'nested-data': () => nestsData((items) => pair({ items }, board)),
  'list-move': () => movesItems((items) => pair({ items }, movableList)),
  presence: () => showsPresence(openPresence),
  history: () => looksBack(openHistory),
  'partial-load': readsProjection,
};

function formattedText({ doc }: Client): RichText {
  const submit = (position: number, operation: Record<string, unknown>) =>
    doc.submitOp([...(position > 0 ? [{ retain: position }] : []), operation]);
  return {
    insert: (position, typed) => submit(position, { insert: typed }),
    insertWith: (position, typed, formats) => submit(position, { insert: typed, attributes: formats }),
    format: (start, end, name, value) => submit(start, { retain: end - start, attributes: { [name]: value } }),
    unformat: (start, end, name) => submit(start, { retain: end - start, attributes: { [name]: null } }),
    spans: () =>
      canonicalDelta(toDelta(doc.data)).ops.map(({ insert, attributes = {} }) => ({
        text: insert as string,
        formats: attributes,
      })),
  };
}

/** Undo as an application must build it: it keeps its own operation's inverse, and transforms that past others' operations. */
function undoableText({ doc }: Client): UndoableText {
  const type = types.map[JSON_TYPE]!;
  /** The inverse of the last own operation, transformed past others' operations since. */
  let inverse: unknown[] = [];
  doc.on('op batch', (operations, source) => {
    if (source === false) inverse = type.transform(inverse, operations, 'left');
  });
  const submit = (operations: unknown[]) => {
    inverse = type.invert!(operations);
    doc.submitOp(operations);
  };
  return {
    insert: (position, typed) => submit([{ p: ['text', position], si: typed }]),
    undo: () => submit(inverse),
    redo: () => submit(inverse),
    text: () => doc.data.text,
  };
}

function board({ doc }: Client): Board {
  const items = () => doc.data.items as Item[];
  return {
    insert: (index, item) => doc.submitOp([{ p: ['items', index], li: item }]),
    set: (index, key, value) => doc.submitOp([{ p: ['items', index, key], od: items()[index]![key], oi: value }]),
    items: () => structuredClone(items()),
  };
}

/** The JSON type has a list move. */
function movableList({ doc }: Client): MovableList {
  return {
    move: (from, to) => doc.submitOp([{ p: ['items', from], lm: to }]),
    items: () => [...doc.data.items],
  };
}

async function openPresence(): Promise<PresenceStage> {
  const server = await serveDocument({ text: '' }, JSON_TYPE, {
    presence: true,
    // The default of ShareDB's next version.
    doNotForwardSendPresenceErrorsToClient: true,
  });
  const [adaSide, benSide] = [await server.join(), await server.join()];
  const channel = 'cursors';
  const ben = benSide.connection.getPresence(channel);
  await done((callback) => ben.subscribe(callback));
  const ada: LocalPresence<Presence> = adaSide.connection.getPresence(channel).create('ada');
  return {
    ada: { show: (presence) => ada.submit(presence), leave: () => ada.destroy() },
    seenByBen: () => Object.values(ben.remotePresences) as Presence[],
    saved: () => new TextEncoder().encode(JSON.stringify(adaSide.doc.toSnapshot())),
    close: () => server.close(),
  };
}

/** The server has every operation, and makes an earlier version of them. */
async function openHistory(): Promise<HistoryStage<number>> {
  const server = await serveDocument({ text: '' });
  const client = await server.join();
  const { connection, doc } = client;
  return {
    async write(text) {
      doc.submitOp([
        { p: ['text', 0], sd: doc.data.text },
        { p: ['text', 0], si: text },
      ]);
      await settled(client);
    },
    version: () => doc.version!,
    textAt: (version) =>
      new Promise((resolve, reject) =>
        connection.fetchSnapshot(COLLECTION, ID, version, (error, snapshot) =>
          error ? reject(error) : resolve(snapshot.data.text),
        ),
      ),
    text: () => doc.data.text,
    close: () => server.close(),
  };
}

/** A projection: a server's collection that shows some fields of another's documents. */
async function readsProjection(): Promise<Outcome> {
  const server = await serveDocument({ one: 'part one', two: 'part two' });
  server.backend.addProjection('firsts', COLLECTION, { one: true });
  const [whole, part] = [await server.join(), await server.join('firsts')];
  const loaded = structuredClone(part.doc.data);
  part.doc.submitOp([{ p: ['one', 0], si: 'edited ' }]);
  await settled(part, whole);
  const edited = structuredClone(whole.doc.data);
  whole.doc.submitOp([{ p: ['two', 0], si: 'edited ' }]);
  await settled(whole, part);
  const after = structuredClone(part.doc.data);
  await server.close();
  return judgePart({ loaded, edited, after }, 'one', 'two');
}
