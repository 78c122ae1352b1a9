/** Yjs: the stock y-websocket server, in memory, without persistence. */
import { setupWSConnection } from '@y/websocket-server/utils';
import { frameworkServer } from '../listen.ts';

export const server = frameworkServer((connections) => {
  connections.on('connection', (socket, request) => setupWSConnection(socket, request));
  return null;
});
