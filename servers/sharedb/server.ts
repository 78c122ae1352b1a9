/** ShareDB, with its database and its channels in memory. */
import { createServer } from 'node:http';
import WebSocketJSONStream from '@teamwork/websocket-json-stream';
import ShareDB from 'sharedb';
import { COLLECTION, SEED, TYPE } from '../../editors/sharedb/document.ts';
import { listen, webSocketsOn } from '../listen.ts';
import type { FrameworkServer } from '../server.ts';

/** RFC 6455, section 7.4.1: the server cannot go on. */
const INTERNAL_ERROR = 1011;

ShareDB.types.register(TYPE);

export const server: FrameworkServer = {
  async start(options) {
    const backend = new ShareDB();
    /** One for each document that was asked for, so that two users who come at once get one. */
    const created = new Map<string, Promise<void>>();
    const http = createServer();
    const sockets = webSocketsOn(http);
    sockets.on('connection', async (socket, request) => {
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
    const running = await listen({ http, sockets, ...options });
    return {
      ...running,
      async stop() {
        await running.stop();
        await new Promise<void>((resolve, reject) => backend.close((error) => (error ? reject(error) : resolve())));
      },
    };
  },
};

function createDocument(backend: ShareDB, id: string): Promise<void> {
  const doc = backend.connect().get(COLLECTION, id);
  return new Promise((resolve, reject) => {
    doc.create(SEED, TYPE.uri, (error) => (error ? reject(error) : resolve()));
  });
}
