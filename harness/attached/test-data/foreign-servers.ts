/** Servers as others start them, from their packages, for tests. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { type PeerId, Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { Server as Hocuspocus } from '@hocuspocus/server';
import WebSocketJSONStream from '@teamwork/websocket-json-stream';
import { SimpleServer } from 'loro-websocket/server';
import richText from 'rich-text';
import ShareDB from 'sharedb';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { Child } from '../../../infra/process/child.ts';
import { PROJECT_ROOT } from '../../../infra/project.ts';

export const CERTIFICATE = join(import.meta.dirname, 'certificate.pem');
const KEY = join(import.meta.dirname, 'key.pem');

export interface Foreign {
  port: number;
  stop(): Promise<unknown>;
}

/** As `npx y-websocket` does. */
export async function startYWebsocket(): Promise<Foreign & { pid: number }> {
  const port = await freePort();
  const child = new Child({
    command: [process.execPath, join(PROJECT_ROOT, 'node_modules/@y/websocket-server/src/server.js')],
    environment: { ...process.env, HOST: '127.0.0.1', PORT: String(port) },
  });
  const stop = () => {
    child.kill();
    return child.ended;
  };
  await untilListening(port);
  return { port, pid: child.pid, stop };
}

/** As Hocuspocus’ documentation does, with a hook that tells tokens apart. */
export async function startHocuspocus(tokens: { writer: string; reader: string }): Promise<Foreign> {
  const server = new Hocuspocus({
    quiet: true,
    address: '127.0.0.1',
    port: await freePort(),
    async onAuthenticate({ token, connectionConfig }) {
      if (token === tokens.reader) connectionConfig.readOnly = true;
      else if (token !== tokens.writer) throw new Error('who is that?');
    },
  });
  await server.listen();
  return { port: server.address.port, stop: () => server.destroy() };
}

/** As ShareDB’s example of rich text does. */
export async function startShareDb({ delayMs = 0 }: { delayMs?: number } = {}): Promise<Foreign> {
  ShareDB.types.register(richText.type);
  const backend = new ShareDB({ presence: true, doNotForwardSendPresenceErrorsToClient: true });
  return startWebSockets((socket) => {
    const send = socket.send.bind(socket) as (...message: unknown[]) => void;
    if (delayMs > 0) socket.send = (...message: unknown[]) => void setTimeout(send, delayMs, ...message);
    const stream = new WebSocketJSONStream(socket);
    stream.on('error', () => {});
    backend.listen(stream);
  });
}

/** As automerge-repo-sync-server does, without its store. */
export async function startAutomergeRepo(): Promise<Foreign> {
  const sockets = await webSocketServer();
  const adapter = new WebSocketServerAdapter(sockets as never);
  const repo = new Repo({ network: [adapter], peerId: 'storage-server' as PeerId, sharePolicy: async () => false });
  const stop = async () => {
    await repo.shutdown();
    sockets.close();
  };
  return { port: portOf(sockets), stop };
}

/** As loro-websocket's README does; the token `reader` may only read, another than `writer` nothing. */
export async function startLoro(): Promise<Foreign> {
  const port = await freePort();
  const rights: Readonly<Record<string, 'read' | 'write'>> = { reader: 'read', writer: 'write' };
  const authenticate = async (_room: string, _crdt: unknown, auth: Uint8Array) =>
    rights[new TextDecoder().decode(auth)] ?? null;
  const server = new SimpleServer({ host: '127.0.0.1', port, authenticate });
  await server.start();
  return { port, stop: () => server.stop() };
}

/** As a y-websocket server whose store is late: it greets with an empty document, and hands on what it loads. */
export async function startLateStore(update: Uint8Array, afterMs: number): Promise<Foreign> {
  let isLoaded = false;
  return startWebSockets((socket) => {
    if (isLoaded) socket.send(Uint8Array.of(0, 1, update.length, ...update));
    else socket.send(Uint8Array.of(0, 0, 1, 0));
    setTimeout(() => {
      isLoaded = true;
      socket.send(Uint8Array.of(0, 2, update.length, ...update));
    }, afterMs);
  });
}

/** A server of WebSockets that does no more than this with each. */
export async function startWebSockets(
  onConnection: (socket: WebSocket, request: IncomingMessage) => void,
  options: ServerOptions = {},
): Promise<Foreign> {
  const sockets = await webSocketServer(options);
  sockets.on('connection', onConnection);
  const stop = () => {
    for (const socket of sockets.clients) socket.terminate();
    return new Promise((resolve) => sockets.close(resolve));
  };
  return { port: portOf(sockets), stop };
}

async function webSocketServer(options: ServerOptions = {}): Promise<WebSocketServer> {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
  await new Promise((resolve) => sockets.on('listening', resolve));
  return sockets;
}

const portOf = (sockets: WebSocketServer) => (sockets.address() as AddressInfo).port;

/** Ends TLS before another server, as a proxy does; its certificate is for `localhost`. */
export async function startTls(before: number): Promise<Foreign> {
  const options = { cert: readFileSync(CERTIFICATE), key: readFileSync(KEY) };
  const server = createTlsServer(options, (near) => {
    const far = connect(before, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far])
      socket.on('error', () => {}).on('close', () => [near, far].map((each) => each.destroy()));
  });
  return listening(server);
}

/** Answers every request so. */
export async function startAnswering(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Foreign> {
  const server = createServer(answer);
  server.on('upgrade', (request, socket) => {
    const response = { status: 0 };
    answer(request, {
      writeHead(status: number) {
        response.status = status;
        return this;
      },
      end: () => socket.end(`HTTP/1.1 ${response.status} No\r\ncontent-length: 0\r\n\r\n`),
    } as unknown as ServerResponse);
  });
  return listening(server);
}

async function listening(server: NetServer): Promise<Foreign> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { port: (server.address() as AddressInfo).port, stop };
}

async function freePort(): Promise<number> {
  const { port, stop } = await listening(createServer());
  await stop();
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.end());
    });
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
