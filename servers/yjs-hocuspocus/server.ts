/** Hocuspocus, in memory, without persistence, on the project's own listener. */
import { Hocuspocus } from '@hocuspocus/server';
import { frameworkServer } from '../listen.ts';
import type { Connections } from '../server.ts';

/** Hocuspocus drops users after this much silence. If no cursors travel, silence means nothing: a day. */
const SILENCE_ALLOWED_MS = 86_400_000;

export const server = frameworkServer((connections) => {
  const hocuspocus = new Hocuspocus({
    quiet: true,
    timeout: SILENCE_ALLOWED_MS,
    // A document stays when its last user leaves: nothing else keeps it. Rejecting is how the library is told.
    beforeUnloadDocument: () => Promise.reject(),
  });
  serveOn(connections, hocuspocus);
  return () => {
    hocuspocus.flushPendingStores();
    for (const document of hocuspocus.documents.values()) document.destroy();
  };
});

/** Hands each connection to Hocuspocus. */
export function serveOn(connections: Connections, hocuspocus: Hocuspocus): void {
  connections.on('connection', (socket, request) => {
    const connection = hocuspocus.handleConnection(
      // `send` of `ws` takes what Hocuspocus sends; its type only names it otherwise.
      socket as Parameters<typeof hocuspocus.handleConnection>[0],
      new Request(new URL(request.url ?? '/', 'http://hocuspocus')),
    );
    socket.on('message', (data: Buffer) => connection.handleMessage(data));
    socket.on('close', (code, reason) => connection.handleClose({ code, reason: reason.toString() }));
  });
}
