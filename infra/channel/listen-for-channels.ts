/** Listens for those who know a token, and has a channel with each; serves pages to them beside it, if there are any. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSealedServer } from 'node:https';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { listenOn } from '../network/listen-on.ts';
import { Channel, type ChannelOptions, LARGEST_MESSAGE_BYTES } from './channel.ts';
import { sealOfListener } from './seal.ts';
import { isToken, pathBehindToken, redact, refuseUpgrade } from './token.ts';

export interface ChannelListener {
  port: number;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

/**
 * The token stands in a request's path, before all else, or in its header as `Authorization: Bearer <token>`. It is taken
 * out of every message that arrives, because what processes say ends up in files and on screens.
 *
 * @param options.secrets   are taken out of messages, too
 * @param options.host      the interface to listen on
 * @param options.port      0 or absent: any free one
 * @param options.isSealed  true: only for callers that open a sealed channel with the same token; see seal.ts
 * @param options.onRefused is told of an address whose caller has another token
 * @param options.path      where channels are opened, behind the token; absent: anywhere
 * @param options.most      how many are let in altogether; absent: any number
 * @param options.pages     answers requests that are for no channel; what it sees of an address is what follows the token
 * @param options.onChannel must give the channel its receiver
 * @throws the system's error if it cannot listen there
 */
export async function listenForChannels<In, Out>(
  options: ChannelOptions<In> & {
    host: string;
    port?: number;
    token: string;
    secrets?: readonly string[];
    isSealed?: boolean;
    onRefused?: (address: string) => void;
    path?: string;
    most?: number;
    maxMessageBytes?: number;
    pages?: RequestListener;
    onChannel(channel: Channel<In, Out>): void;
  },
): Promise<ChannelListener> {
  const { host, port = 0, token, path, most = Number.POSITIVE_INFINITY, pages, onChannel } = options;
  const { isSealed = false, onRefused, secrets = [] } = options;
  // As they stand in JSON.
  const hidden = [token, ...secrets.map((secret) => JSON.stringify(secret).slice(1, -1))];
  let admitted = 0;
  const answer: RequestListener = (request, response) => {
    if (pages === undefined) {
      response.writeHead(426).end('there are no pages here');
      return;
    }
    const asked = pathOf(request, token);
    if (asked === null) {
      response.writeHead(403).end('this address needs its token');
      return;
    }
    request.url = asked;
    pages(request, response);
  };
  const http = isSealed ? createSealedServer(sealOfListener(token), answer) : createServer(answer);
  const connections = new Set<Socket>();
  http.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  http.on('tlsClientError', (_error, socket) => {
    if (socket.remoteAddress !== undefined) onRefused?.(socket.remoteAddress);
    socket.destroy();
  });
  const maxPayload = options.maxMessageBytes ?? LARGEST_MESSAGE_BYTES;
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload });
  http.on('upgrade', (request, socket, head) => {
    const asked = pathOf(request, token);
    if (asked === null || (path !== undefined && asked !== path) || admitted >= most) {
      refuseUpgrade(socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      admitted++;
      const remoteAddress = request.socket.remoteAddress ?? null;
      onChannel(
        new Channel<In, Out>(opened, { ...options, remoteAddress, readText: (text) => redact(text, ...hidden) }),
      );
    });
  });
  const listenedOn = await listenOn(http, { host, port });
  return {
    port: listenedOn,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      // Also those that have not said yet what they are.
      for (const socket of connections) socket.destroy();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** The path that a request with the token asks for; null for any other request. */
function pathOf({ url = '/', headers }: IncomingMessage, token: string): string | null {
  const [, given] = /^Bearer (.*)$/.exec(headers.authorization ?? '') ?? [];
  if (given === undefined) return pathBehindToken(url, token);
  return isToken(given, token) ? url : null;
}
