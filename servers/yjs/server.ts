/** Yjs: the stock y-websocket server, in memory, without persistence. */
import { createServer } from 'node:http';
import { setupWSConnection } from '@y/websocket-server/utils';
import { listen, webSocketsOn } from '../listen.ts';
import type { FrameworkServer } from '../server.ts';

export const server: FrameworkServer = {
  start(options) {
    const http = createServer();
    const sockets = webSocketsOn(http);
    sockets.on('connection', (socket, request) => setupWSConnection(socket, request));
    return listen({ http, sockets, ...options });
  },
};
