/** Yjs: the stock y-websocket server, in memory, or with its LevelDB. */
import { docs, setPersistence, setupWSConnection } from '@y/websocket-server/utils';
import { frameworkServer } from '../listen.ts';
import { ALONE_IN_MEMORY } from '../server.ts';
import { keepInLeveldb } from './persistence.ts';

export const server = frameworkServer((connections, { store, writeDelayMs } = ALONE_IN_MEMORY) => {
  const names = new Set<string>();
  const kept = store?.name === 'leveldb' ? keepInLeveldb(store.folder, writeDelayMs) : null;
  // The library has one for the whole process.
  if (kept !== null) setPersistence(kept.persistence);
  connections.on('connection', (socket, request) => {
    const [docName = ''] = (request.url ?? '').slice(1).split('?');
    names.add(docName);
    setupWSConnection(socket, request, { docName });
  });
  // The library keeps documents as long as the process lives: a server that starts again in it would have them.
  return () => {
    for (const name of names) {
      docs.get(name)?.destroy();
      docs.delete(name);
    }
    if (kept === null) return;
    setPersistence(null);
    return kept.close();
  };
});
