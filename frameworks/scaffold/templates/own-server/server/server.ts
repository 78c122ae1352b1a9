/** my-framework: its own server, in memory. */
import { setupWSConnection } from '@y/websocket-server/utils';
import { frameworkServer } from '../../../../../servers/kit.ts';

// TO WRITE: your library's server in the place of that of Yjs. It gets its connections and opens no port: in a trial
// they come from one behind a token, in the simulation of a crowd from users in this process. It keeps its documents in
// memory, and keeps them when all users left. What a client sends must not end it.
export const server = frameworkServer((connections) => {
  connections.on('connection', (socket, request) => setupWSConnection(socket, request));
  // TO WRITE: a function that ends what is left of the server, such as timers, once its connections are closed.
  return null;
});
