/** Starts a WebSocket server on an address, and stops it with every connection. */
import type { Server } from 'node:http';
import { WebSocketServer } from 'ws';
import type { RunningServer } from './server.ts';

/** A client that sends a larger message is cut off, with code 1009. No document of a trial comes near it. */
export const LARGEST_MESSAGE_BYTES = 16 * 2 ** 20;

/** WebSockets on an HTTP server, without compression: it would cost both ends more than loopback's bytes do. */
export function webSocketsOn(http: Server): WebSocketServer {
  return new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: LARGEST_MESSAGE_BYTES });
}

/**
 * @param options.port 0: any free port
 * @throws Error naming the address where it cannot listen there
 */
export async function listen(options: {
  http: Server;
  sockets: WebSocketServer;
  host: string;
  port: number;
}): Promise<RunningServer> {
  const { http, sockets, host, port } = options;
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} on ${host} is taken by another program; choose another, or 0 for any free one`)
          : error,
      );
    });
    http.listen(port, host, resolve);
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on TCP');
  return {
    port: address.port,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
