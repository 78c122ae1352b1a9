/** Loro's SimpleServer on the project's own listener: in memory, or with its hooks over SQLite. */
import { SimpleServer } from 'loro-websocket/server';
import type { WebSocketServer } from 'ws';
import { ALONE_IN_MEMORY, type Connections, frameworkServer } from '../kit.ts';
import { hooksOver, openDocuments } from './documents.ts';

export const server = frameworkServer((connections, { store, writeDelayMs } = ALONE_IN_MEMORY) => {
  if (store?.name === 'stand-in') return serveOn(connections, hooksOver(store));
  if (store?.name !== 'sqlite') return serveOn(connections, {});
  const { hooks, close } = openDocuments(store.folder, writeDelayMs);
  const end = serveOn(connections, hooks);
  return async () => {
    await end();
    await close();
  };
});

type Options = Omit<ConstructorParameters<typeof SimpleServer>[0], 'host' | 'port'>;

/**
 * Hands each connection to a SimpleServer. A SimpleServer can only listen by itself, to everyone. Its own port is therefore
 * closed as soon as it is open, and until then nobody is let in.
 *
 * @returns stops it
 */
export function serveOn(connections: Connections, options: Options): () => Promise<void> {
  const simple = new SimpleServer({ ...options, host: '127.0.0.1', port: 0 });
  const opened = simple.start();
  const sockets: WebSocketServer = Reflect.get(simple, 'wss');
  sockets.shouldHandle = () => false;
  const closed = opened.then(() => sockets.close());
  connections.on('connection', (socket, request) => {
    sockets.clients.add(socket);
    socket.on('close', () => sockets.clients.delete(socket));
    sockets.emit('connection', socket, request);
  });
  return async () => {
    await closed;
    await simple.stop();
  };
}
