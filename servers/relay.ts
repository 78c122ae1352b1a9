/**
 * An ordered-log relay, for frameworks without a server of their own: it keeps every message of a document in the order
 * of arrival, hands a newcomer the log and then an empty message, and passes each new message to all the others.
 */
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { listen } from './listen.ts';
import type { FrameworkServer } from './server.ts';

interface Room {
  log: Buffer[];
  members: Set<WebSocket>;
}

export const relay: FrameworkServer = {
  start(options) {
    const rooms = new Map<string, Room>();
    const http = createServer();
    const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
    sockets.on('connection', (socket, request) => {
      const name = request.url ?? '/';
      const room = rooms.get(name) ?? { log: [], members: new Set() };
      rooms.set(name, room);
      for (const message of room.log) socket.send(message, { binary: true });
      socket.send(Buffer.alloc(0), { binary: true });
      room.members.add(socket);
      socket.on('message', (data: Buffer) => {
        room.log.push(data);
        for (const member of room.members) {
          if (member !== socket) member.send(data, { binary: true });
        }
      });
      socket.on('close', () => room.members.delete(socket));
      // A broken socket closes next; the one who sees the loss is the user.
      socket.on('error', () => room.members.delete(socket));
    });
    return listen({ http, sockets, ...options });
  },
};
