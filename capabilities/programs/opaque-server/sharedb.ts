/** Asks the server to keep what it cannot read, in the frames that its client would send; and looks at what it reads. */
import ShareDB from 'sharedb';
import type { Connection } from 'sharedb/lib/client/index.js';
import { expectThat, judge, type Program } from '../outcome.ts';
import { COLLECTION, JSON_TYPE, serveDocument, settled } from '../sharedb/server.ts';

const UNKNOWN_TYPE = 'https://example.org/types/enciphered';

/** What a server says to a document of a type. */
type Answer = { error?: { message: string } };

export const program: Program = async () => {
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
    { holds: !readByServer.includes('secret'), otherwise: 'what is typed stands in it in clear text' },
  ]);
};

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
