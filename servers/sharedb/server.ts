/** ShareDB, in memory, with a database that does not copy documents. */
import WebSocketJSONStream from '@teamwork/websocket-json-stream';
import ShareDB from 'sharedb';
import { COLLECTION, SEED, TYPE } from '../../editors/sharedb/document.ts';
import { frameworkServer } from '../listen.ts';
import type { Connections, FrameworkServer } from '../server.ts';
import { ShallowSnapshots } from './shallow-snapshots.ts';

/** RFC 6455, section 7.4.1: the server cannot go on. */
const INTERNAL_ERROR = 1011;

ShareDB.types.register(TYPE);

export const server: FrameworkServer = shareDbServer(() => new ShallowSnapshots());

/** @param openDatabase a database in memory, for each start */
export function shareDbServer(openDatabase: () => InstanceType<typeof ShareDB.MemoryDB>): FrameworkServer {
  return frameworkServer((connections) => {
    const backend = new ShareDB({
      db: openDatabase(),
      // Costs nothing as long as no client tells of a cursor.
      presence: true,
      // The default of ShareDB's next version.
      doNotForwardSendPresenceErrorsToClient: true,
    });
    serveOn(connections, backend);
    return () => new Promise<void>((resolve, reject) => backend.close((error) => (error ? reject(error) : resolve())));
  });
}

function serveOn(connections: Connections, backend: ShareDB): void {
  /** One for each document that was asked for, so that two users who come at once get one. */
  const created = new Map<string, Promise<void>>();
  connections.on('connection', async (socket, request) => {
    // It keeps what the user sends in the meantime.
    const stream = new WebSocketJSONStream(socket);
    // It closes the socket itself, with the reason.
    stream.on('error', () => {});
    const id = (request.url ?? '/').slice(1);
    const creation = created.get(id) ?? createDocument(backend, id);
    created.set(id, creation);
    try {
      await creation;
      backend.listen(stream);
    } catch (error) {
      socket.close(INTERNAL_ERROR, String(error));
    }
  });
}

function createDocument(backend: ShareDB, id: string): Promise<void> {
  const doc = backend.connect().get(COLLECTION, id);
  return new Promise((resolve, reject) => {
    doc.create(SEED, TYPE.uri, (error) => (error ? reject(error) : resolve()));
  });
}
