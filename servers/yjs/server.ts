/** Yjs: the stock y-websocket server, in memory, or with its LevelDB. */
import { docs, setPersistence, setupWSConnection } from '@y/websocket-server/utils';
import { frameworkServer } from '../listen.ts';
import { ALONE_IN_MEMORY, type Backing } from '../server.ts';
import { keepInLeveldb, keepInStandIn } from './persistence.ts';

export const server = frameworkServer((connections, { store, writeDelayMs } = ALONE_IN_MEMORY) => {
  const names = new Set<string>();
  // In a simulated world this process is that of the server before, which was killed.
  if (store?.name === 'stand-in') forget(docs.keys());
  const kept = keepIn(store, writeDelayMs);
  // The library has one for the whole process.
  if (kept !== null) setPersistence(kept.persistence);
  connections.on('connection', (socket, request) => {
    const [docName = ''] = (request.url ?? '').slice(1).split('?');
    names.add(docName);
    setupWSConnection(socket, request, { docName });
  });
  // The library keeps documents as long as the process lives: a server that starts again in it would have them.
  return () => {
    forget(names);
    if (kept === null) return;
    setPersistence(null);
    return kept.close();
  };
});

function keepIn(store: Backing['store'], writeDelayMs: number) {
  if (store?.name === 'stand-in') return keepInStandIn(store);
  return store?.name === 'leveldb' ? keepInLeveldb(store.folder, writeDelayMs) : null;
}

/** Their connections, which still answer to timers, are no document's then. */
function forget(names: Iterable<string>): void {
  for (const name of [...names]) {
    docs.get(name)?.conns.clear();
    docs.get(name)?.destroy();
    docs.delete(name);
  }
}
