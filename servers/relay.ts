/**
 * An ordered-log relay, for frameworks without a server of their own: it keeps every message of a document in the order
 * of arrival, hands a newcomer the log and then an empty message, and passes each new message to all the others.
 */
import { createServer } from 'node:http';
import type { WebSocket } from 'ws';
import { listen, webSocketsOn } from './listen.ts';
import type { FrameworkServer } from './server.ts';

interface Room {
  /** What `compact` made of the messages before the log; null before the first time. */
  savedState: Uint8Array | null;
  log: Uint8Array[];
  members: Set<WebSocket>;
}

/**
 * @param options.compact turns a saved state and the messages after it into one saved state. Where it is given, a
 *        newcomer gets that instead of the log; it is made when one comes, so that passing messages on costs no more.
 */
export function createRelay(
  options: { compact?: (savedState: Uint8Array | null, log: readonly Uint8Array[]) => Uint8Array } = {},
): FrameworkServer {
  const { compact } = options;
  return {
    start(address) {
      const rooms = new Map<string, Room>();
      const http = createServer();
      const sockets = webSocketsOn(http);
      sockets.on('connection', (socket, request) => {
        const name = request.url ?? '/';
        const room = rooms.get(name) ?? { savedState: null, log: [], members: new Set() };
        rooms.set(name, room);
        if (compact !== undefined && room.log.length > 0) {
          room.savedState = compact(room.savedState, room.log);
          room.log = [];
        }
        for (const message of room.savedState === null ? room.log : [room.savedState, ...room.log]) {
          socket.send(message, { binary: true });
        }
        socket.send(Buffer.alloc(0), { binary: true });
        room.members.add(socket);
        socket.on('message', (data: Buffer) => {
          room.log.push(data);
          for (const member of room.members) {
            if (member !== socket) member.send(data, { binary: true });
          }
        });
        socket.on('close', () => room.members.delete(socket));
      });
      return listen({ http, sockets, ...address });
    },
  };
}

export const relay: FrameworkServer = createRelay();
