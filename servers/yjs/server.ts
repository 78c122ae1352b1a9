/** Yjs: the stock y-websocket server, in memory, without persistence. */
import { docs, setupWSConnection } from '@y/websocket-server/utils';
import { frameworkServer } from '../listen.ts';

export const server = frameworkServer((connections) => {
  const names = new Set<string>();
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
  };
});
