/** ShareDB: in memory, with a database that does not copy documents; or over Postgres, where several servers may share documents. */
import WebSocketJSONStream from '@teamwork/websocket-json-stream';
import ShareDB from 'sharedb';
import { COLLECTION, SEED, TYPE } from '../../editors/sharedb/document.ts';
import { frameworkServer } from '../listen.ts';
import { ALONE_IN_MEMORY, type Connections, type FrameworkServer } from '../server.ts';
import { openStored } from './postgres.ts';
import { ShallowSnapshots } from './shallow-snapshots.ts';

/** RFC 6455, section 7.4.1: the server cannot go on. */
const INTERNAL_ERROR = 1011;
/** Of a reason, some less than section 5.5.1 allows, for a character that is cut. */
const MOST_REASON_BYTES = 120;
/** A server before this one, or one that shares the database, was quicker. */
const ALREADY_CREATED: unknown = 'ERR_DOC_ALREADY_CREATED';

ShareDB.types.register(TYPE);

export const server: FrameworkServer = shareDbServer(() => new ShallowSnapshots());

/** @param openDatabase a database in memory, for each start without a store, and for simulated worlds */
export function shareDbServer(openDatabase: () => InstanceType<typeof ShareDB.MemoryDB>): FrameworkServer {
  return frameworkServer((connections, { store, writeDelayMs, together } = ALONE_IN_MEMORY) => {
    if (store?.name !== 'postgres' && store?.name !== 'stand-in') {
      const backend = newBackend({ db: openDatabase() });
      serveOn(connections, (id) => withDocument(backend, id, { isStored: false }));
      return () => closed(backend);
    }
    const opening = openStored({ store, openDatabase, redis: together?.redis, writeDelayMs }).then(newBackend);
    // Each who connects is told why it failed.
    opening.catch(() => {});
    serveOn(connections, async (id) => withDocument(await opening, id, { isStored: true }));
    return () => opening.then(closed, () => {});
  });
}

type Options = ConstructorParameters<typeof ShareDB>[0] & { writeDelayMs?: number };

function newBackend({ writeDelayMs = 0, ...options }: Options): ShareDB {
  const backend = new ShareDB({
    ...options,
    // Costs nothing as long as no client tells of a cursor.
    presence: true,
    // The default of ShareDB's next version.
    doNotForwardSendPresenceErrorsToClient: true,
  });
  if (writeDelayMs > 0) backend.use('commit', (_write, next) => setTimeout(next, writeDelayMs));
  return backend;
}

function closed(backend: ShareDB): Promise<void> {
  return new Promise((resolve, reject) => backend.close((error) => (error ? reject(error) : resolve())));
}

/** @param open makes the document if it is not there; called once for each, so that two users who come at once get one */
function serveOn(connections: Connections, open: (id: string) => Promise<ShareDB>): void {
  const opened = new Map<string, Promise<ShareDB>>();
  connections.on('connection', async (socket, request) => {
    // It keeps what the user sends in the meantime.
    const stream = new WebSocketJSONStream(socket);
    // It closes the socket itself, with the reason.
    stream.on('error', () => {});
    const id = (request.url ?? '/').slice(1);
    const opening = opened.get(id) ?? open(id);
    opened.set(id, opening);
    try {
      const backend = await opening;
      backend.listen(stream);
    } catch (error) {
      // It may be there for the next one.
      opened.delete(id);
      socket.close(INTERNAL_ERROR, Buffer.from(String(error)).subarray(0, MOST_REASON_BYTES).toString());
    }
  });
}

/** @param options.isStored true: it may be there; ShareDB would log that it cannot be created */
function withDocument(backend: ShareDB, id: string, { isStored }: { isStored: boolean }): Promise<ShareDB> {
  const doc = backend.connect().get(COLLECTION, id);
  return new Promise((resolve, reject) => {
    const create = () =>
      doc.create(SEED, TYPE.uri, (error) => {
        if (error && error.code !== ALREADY_CREATED) reject(error);
        else resolve(backend);
      });
    if (!isStored) return create();
    doc.fetch((error) => {
      if (error) reject(error);
      else if (doc.type === null) create();
      else resolve(backend);
    });
  });
}
