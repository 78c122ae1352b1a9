/** Starts a WebSocket server on an address, and stops it with every connection. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { pathBehindToken, refuseUpgrade } from '../infra/channel/token.ts';
import { listenOn } from '../infra/network/listen-on.ts';
import type { FrameworkServer, RunningServer, Serve } from './server.ts';

/** A client that sends a larger message is cut off, with code 1009. No document of a trial comes near it. */
export const LARGEST_MESSAGE_BYTES = 16 * 2 ** 20;

/** A framework's server: its handler of connections, and their source when it listens. */
export function frameworkServer(serve: Serve): FrameworkServer & { serve: Serve } {
  return {
    serve,
    async start({ backing, ...address }) {
      const http = createServer();
      const sockets = webSocketsOn(http);
      const end = serve(sockets, backing);
      const running = await listen({ http, sockets, ...address }).catch(async (error) => {
        // Its timers would keep this process from ending, and its store would stay open.
        sockets.close();
        await end?.();
        throw error;
      });
      return {
        port: running.port,
        async stop() {
          await running.stop();
          await end?.();
        },
      };
    },
  };
}

/** WebSockets on an HTTP server, without compression: it would cost both ends more than loopback's bytes do. */
function webSocketsOn(http: Server): WebSocketServer {
  http.on('request', requireUpgrade);
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: LARGEST_MESSAGE_BYTES });
  // Refused here: `//` names no document, and whichever server parses it would end by that.
  sockets.shouldHandle = ({ url }) => URL.canParse(url ?? '/', 'ws://server');
  // An error, such as a message that is too large, is followed by a close, which the user sees. Without a listener the
  // server would end.
  sockets.on('connection', (socket) => socket.on('error', () => {}));
  // The server below tells of its own errors, such as a port that is taken; told again here, they would end the process.
  sockets.on('error', () => {});
  return sockets;
}

const UPGRADE_REQUIRED = 426;

/** Answers a request that is for no WebSocket, which would else wait for ever. */
export function requireUpgrade(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(UPGRADE_REQUIRED, { connection: 'close' }).end();
}

/** Connections that are no longer the HTTP server's, to be ended with it. */
interface OpenSockets {
  clients: Iterable<{ terminate(): void }>;
  close(): void;
}

/**
 * @param options.port 0: any free port
 * @param options.token admits only clients that know it; `http` must have all its listeners by then
 * @throws Error naming the address if it cannot listen there
 */
export async function listen(options: {
  http: Server;
  sockets: OpenSockets;
  host: string;
  port: number;
  token?: string;
}): Promise<RunningServer> {
  const { http, sockets, host, port, token } = options;
  if (token !== undefined) letInOnly(http, token);
  const listenedOn = await listenOn(http, { host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} on ${host} is taken by another program; choose another, or 0 for any free one`);
  });
  return {
    port: listenedOn,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** Puts a gate before the listeners of a server; they see the part of an address after the token. */
function letInOnly(http: Server, token: string): void {
  const gate = (event: 'request' | 'upgrade', refuse: (answer: Duplex | ServerResponse) => void) => {
    const listeners = http.listeners(event);
    http.removeAllListeners(event);
    http.on(event, (request: IncomingMessage, answer: Duplex | ServerResponse, ...rest: unknown[]) => {
      const path = pathBehindToken(request.url, token);
      if (path === null) return refuse(answer);
      request.url = path;
      for (const listener of listeners) Reflect.apply(listener, http, [request, answer, ...rest]);
    });
  };
  gate('request', (response) => (response as ServerResponse).writeHead(403).end());
  gate('upgrade', (socket) => refuseUpgrade(socket as Duplex));
}
