/** ShareDB's clients merge through their server, which knows the types of its documents. */
import richText from 'rich-text';
import ShareDB from 'sharedb';
import type { Connection } from 'sharedb/lib/client/index.js';
import { toDelta } from '../../../editors/sharedb/document.ts';
import { staysReadable } from '../encodings.ts';
import { expectThat, judge, type Outcome, type Program } from '../outcome.ts';
import { holdsEnciphered, type ValueClient } from '../text.ts';
import { type Client, COLLECTION, done, ID, JSON_TYPE, pair, serveDocument, settled } from './server.ts';

const PROGRAMS: Readonly<Record<string, () => Promise<Outcome>>> = {
  'offline-merge': mergesOffline,
  'opaque-server': agreesThroughOpaqueServer,
  encodings: staysReadableAsSnapshot,
};

export const triesText: Program = (capability) => PROGRAMS[capability]!();

const insert = (position: number, text: string) => [{ p: ['text', position], si: text }];

/** Its clients merge through the server only; `text0` is the text type within JSON documents. */
async function mergesOffline(): Promise<Outcome> {
  const server = await serveDocument({ text: 'middle' });
  const [one, other] = [await server.join(), await server.join()];
  one.cut();
  one.doc.submitOp(insert(0, 'first '));
  other.doc.submitOp(insert('middle'.length, ' last'));
  await settled(other);
  await one.rejoin();
  await settled(one, other);
  const merged: string[] = [one.doc.data.text, other.doc.data.text];

  other.cut();
  other.doc.submitOp(insert(0, 'very '));
  // A restart: all that is left is what can be saved of it, and all that it can save is the document's snapshot.
  const saved = JSON.parse(JSON.stringify(other.doc.toSnapshot()));
  const connection = server.backend.connect();
  const restarted = connection.get(COLLECTION, ID);
  await done((callback) => restarted.ingestSnapshot(saved, callback));
  await done((callback) => restarted.subscribe(callback));
  await settled({ doc: restarted }, one);
  const afterRestart: string = one.doc.data.text;
  await server.close();

  return judge([
    { holds: merged[0] === merged[1], otherwise: 'replicas end apart', isEssential: true },
    { holds: merged[0] === 'first middle last', otherwise: `edits made offline give "${merged[0]}"` },
    {
      holds: afterRestart === 'very first middle last',
      otherwise:
        'edits made offline wait in memory, and a client that restarts before it meets the server has lost them',
    },
  ]);
}

const UNKNOWN_TYPE = 'https://example.org/types/enciphered';

/** A server's answer to a document of a type. */
type Answer = { error?: { message: string } };

/**
 * Asks the server to keep what it cannot read, in the frames that its client would send; and looks at what it reads, unless the
 * application enciphers the values of a JSON document.
 */
async function agreesThroughOpaqueServer(): Promise<Outcome> {
  // It would print what it refuses.
  ShareDB.logger.setMethods({ info() {}, warn() {}, error() {} });
  const server = await serveDocument({ text: '' });
  let readByServer = '';
  server.backend.use('afterWrite', ({ snapshot }, next) => {
    readByServer += JSON.stringify(snapshot?.data);
    next();
  });
  const client = await server.join();
  client.doc.submitOp([{ p: ['text', 0], si: 'secret' }]);
  await settled(client);

  const known = await create(client.connection, 'known', JSON_TYPE);
  expectThat(known.error === undefined, 'a document of a type that the server knows is taken');
  const { error } = await create(client.connection, 'enciphered', UNKNOWN_TYPE);
  await server.close();

  return judge([
    {
      holds: error === undefined,
      otherwise: `it refuses a document of a type that it does not know ("${error?.message}")`,
    },
    {
      holds: !readByServer.includes('secret'),
      otherwise: 'what is typed stands in it in clear text, unless the application enciphers it',
      isHalf: true,
    },
    ...(await holdsEnciphered((begin) => pair(begin, heldValues))),
  ]);
}

function heldValues({ doc }: Client): ValueClient {
  return {
    put: (key, value) => doc.submitOp([{ p: [key], od: doc.data[key], oi: value }]),
    values: () => new Map(Object.entries(doc.data)),
  };
}

function create(connection: Connection, id: string, type: string): Promise<Answer> {
  const answered = new Promise<Answer>((resolve) => {
    connection.on('receive', (request) => {
      if (request.data?.a !== 'op' || request.data.d !== id) return;
      resolve(request.data);
      // The client has no such document.
      request.data = null;
    });
  });
  connection.send({
    a: 'op',
    c: COLLECTION,
    d: id,
    v: 0,
    src: connection.id,
    seq: connection.seq++,
    create: { type, data: 'MTIzNDU2Nzg5' },
  });
  return answered;
}

/** The saved state is a document's snapshot, of the type for rich text, as a database keeps it; another server loads it. */
async function staysReadableAsSnapshot(): Promise<Outcome> {
  ShareDB.types.register(richText.type);
  const closing: (() => Promise<void>)[] = [];
  const open = async (data: unknown, type: string): Promise<Client> => {
    const server = await serveDocument(data, type);
    closing.push(server.close);
    return server.join();
  };
  const outcome = await staysReadable<Client>(
    {
      create: (text) => open([{ insert: text }], richText.type.uri!),
      async insert(client, position, text) {
        client.doc.submitOp(position > 0 ? [{ retain: position }, { insert: text }] : [{ insert: text }]);
        await settled(client);
        return client;
      },
      text: ({ doc }) =>
        toDelta(doc.data)
          .ops.map(({ insert }) => insert)
          .join(''),
      save: ({ doc }) => new TextEncoder().encode(JSON.stringify(doc.toSnapshot())),
      load(saved) {
        const { data, type } = JSON.parse(new TextDecoder().decode(saved));
        return open(data, type);
      },
    },
    'sharedb',
  );
  for (const close of closing) await close();
  return outcome;
}
