/** automerge-repo with documents in files, or as one of several servers, each of which is a peer of the others. */
import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  type Chunk,
  type DocumentId,
  type PeerId,
  Repo,
  type StorageAdapterInterface,
  type StorageKey,
} from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import type { WebSocketServer } from 'ws';
import { SEED } from '../../editors/automerge/rich-text.ts';
import { documentIdOf } from '../../editors/automerge-repo/document-id.ts';
import { SteadyAdapter } from '../../editors/automerge-repo/steady-adapter.ts';
import { messageOf } from '../../results/user-error.ts';
import type { Backing, Connections, StandIn, StorePlace } from '../server.ts';

/** RFC 6455, section 7.4.1: the server cannot go on. */
const INTERNAL_ERROR = 1011;
/** How the names of servers begin; clients draw theirs. */
const SERVER = 'server-';

export function serveBacked(connections: Connections, backing: Backing): () => Promise<void> {
  const arrivals = new Arrivals(connections);
  const opening = openRepo(arrivals, backing);
  const documents = new Map<DocumentId, Promise<void>>();
  connections.on('connection', async (socket, request) => {
    // Nothing is asked of the repository before it has the document: it would answer that there is none.
    socket.pause();
    try {
      const { repo, storage } = await opening;
      await arrivals.areHeard;
      arrivals.emit('connection', socket, request);
      // Another server names none.
      const name = (request.url ?? '/').slice(1);
      if (name !== '') await once(documents, documentIdOf(name), (docId) => open(repo, storage, docId));
    } catch (error) {
      console.error(`no document ${request.url}: ${messageOf(error)}`);
      socket.close(INTERNAL_ERROR, 'the document cannot be opened');
    }
    socket.resume();
  });
  return async () => (await opening).repo.shutdown();
}

/** Connections, in the form in which the library's adapter takes them, once it does: it first reads a file. */
class Arrivals extends EventEmitter {
  readonly areHeard: Promise<void>;
  readonly clients: unknown;

  constructor(connections: Connections) {
    super();
    const sockets = connections as unknown as WebSocketServer;
    this.clients = sockets.clients;
    sockets.on('close', () => this.emit('close'));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.areHeard = promise;
    this.on('newListener', (event) => {
      if (event === 'connection') resolve();
    });
  }
}

type AdapterSockets = ConstructorParameters<typeof WebSocketServerAdapter>[0];

async function openRepo(arrivals: Arrivals, { store, together, writeDelayMs }: Backing) {
  const peers = together?.peers ?? [];
  const storage = store === undefined ? undefined : await openStore(store, together?.index ?? 0, writeDelayMs);
  const repo = new Repo({
    storage,
    // Documents are announced to servers, which all have all of them; clients ask.
    sharePolicy: async (peerId) => peerId.startsWith(SERVER),
    peerId: together === undefined ? undefined : (`${SERVER}${together.index}` as PeerId),
    network: [
      new WebSocketServerAdapter(arrivals as unknown as AdapterSockets),
      ...peers.map((peer) => new SteadyAdapter(`${peer}/`)),
    ],
  });
  return { repo, storage };
}

async function openStore(store: StorePlace, server: number, writeDelayMs: number): Promise<StorageAdapterInterface> {
  if (store.name === 'stand-in') return keepingIn(store, server);
  if (store.name !== 'files') throw new Error(`automerge-repo keeps no documents in ${store.name}`);
  const { NodeFSStorageAdapter } = await import('@automerge/automerge-repo-storage-nodefs');
  const files = new NodeFSStorageAdapter(store.folder);
  if (writeDelayMs === 0) return files;
  const save = files.save.bind(files);
  files.save = async (...chunk) => {
    await setTimeout(writeDelayMs);
    await save(...chunk);
  };
  return files;
}

/** In a simulated world, whose servers have documents of their own each. */
function keepingIn(standIn: StandIn, server: number): StorageAdapterInterface {
  const pathOf = (key: StorageKey) => `${[server, ...key].join('/')}/`;
  const ask = <Answer>(act: (chunks: Map<string, Chunk>) => Answer) =>
    standIn.ask((held) => act(held as Map<string, Chunk>));
  const under = (chunks: Map<string, Chunk>, prefix: StorageKey) =>
    [...chunks].filter(([path]) => path.startsWith(pathOf(prefix)));
  return {
    load: (key) => ask((chunks) => chunks.get(pathOf(key))?.data),
    async save(key, data) {
      await ask((chunks) => chunks.set(pathOf(key), { key, data }));
    },
    async remove(key) {
      await ask((chunks) => chunks.delete(pathOf(key)));
    },
    loadRange: (prefix) => ask((chunks) => under(chunks, prefix).map(([, chunk]) => chunk)),
    removeRange: (prefix) =>
      ask((chunks) => {
        for (const [path] of under(chunks, prefix)) chunks.delete(path);
      }),
  };
}

/**
 * Begins the document unless the storage has it. Other servers are not asked: each would ask all others first, and three wait for one
 * another. What they have merges with the beginning, which is the same everywhere.
 */
async function open(repo: Repo, storage: StorageAdapterInterface | undefined, docId: DocumentId): Promise<void> {
  const isKept = storage !== undefined && (await storage.loadRange([docId, 'snapshot'])).length > 0;
  if (isKept) await repo.find(docId);
  else repo.import(SEED, { docId });
}

function once<Key>(done: Map<Key, Promise<void>>, key: Key, work: (key: Key) => Promise<void>): Promise<void> {
  const doing = done.get(key) ?? work(key);
  done.set(key, doing);
  // It may be there for the next one.
  doing.catch(() => done.delete(key));
  return doing;
}
