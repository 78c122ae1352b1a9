import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { foreignTarget } from '../../infra/network/line-target.ts';
import { clientFrame, openPlayedSocket, type PlayedSocket } from './played-socket.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A real server, with its side of each connection. */
async function serve(
  onConnection: (socket: WebSocket, path: string) => void,
  http: ReturnType<typeof createServer> = createServer(),
): Promise<string> {
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket, { url }) => onConnection(socket, url!));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    for (const client of sockets.clients) client.terminate();
    http.close();
  });
  return `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

async function open(url: string, onLost: (reason: string) => void = () => {}): Promise<PlayedSocket> {
  const socket = await openPlayedSocket({ url: new URL(url), onLost });
  const drain = setInterval(() => socket.drain(), 5);
  stops.push(() => {
    clearInterval(drain);
    socket.close();
  });
  return socket;
}

test('a server gets each frame as a library’s client would send it, at the path that was asked for', async () => {
  const got: unknown[] = [];
  const url = await serve((socket, path) => {
    got.push(path);
    socket.on('message', (data: Buffer, isBinary) => got.push(isBinary ? data.length : data.toString()));
  });
  const socket = await open(`${url}/room?client=3`);
  for (const frame of ['ünïcode', new Uint8Array(5), new Uint8Array(70_000), new Uint8Array(300)]) {
    socket.send(clientFrame(frame));
  }
  await socket.ping();
  expect(got).toEqual(['/room?client=3', 'ünïcode', 5, 70_000, 300]);
});

test('it answers pings among whatever else comes', async () => {
  const ponged = Promise.withResolvers<string>();
  const url = await serve((socket) => {
    for (const length of [0, 1, 125, 126, 70_000, 400_000]) socket.send(new Uint8Array(length));
    socket.ping('are you there');
    socket.on('pong', (data) => ponged.resolve(data.toString()));
  });
  await open(url);
  expect(await ponged.promise).toBe('are you there');
});

test('a message that comes in frames is one, also if the last of them is empty', async () => {
  const url = await serve((socket) => {
    socket.send('in ', { fin: false });
    socket.send('parts', { fin: false });
    socket.send('', { fin: true });
    for (const message of ['', 'whole']) socket.send(message);
  });
  const got: unknown[] = [];
  const onMessage = (message: unknown) => got.push(message) > 0;
  const socket = await openPlayedSocket({ url: new URL(url), onLost: () => {}, onMessage });
  stops.push(() => socket.close());
  await expect.poll(() => got).toEqual(['in parts', '', 'whole']);
});

test('over TLS, of which little comes at a time, a server is never kept waiting for a look', async () => {
  const testData = join(import.meta.dirname, '../attached/test-data');
  const [cert, key] = ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(testData, name), 'utf8'));
  const [messages, messageBytes] = [32, 2 ** 16];
  const sendAll = (socket: WebSocket) => {
    for (let sent = 0; sent < messages; sent++) socket.send(new Uint8Array(messageBytes));
  };
  const url = (await serve(sendAll, createTlsServer({ cert, key }))).replace('ws://127.0.0.1', 'wss://localhost');
  const target = foreignTarget({ url, headers: {}, ca: cert! }, () => {});
  const socket = await openPlayedSocket({ url: new URL(url), target, onLost: () => {} });
  // As often as readers are looked at.
  const looks = setInterval(() => socket.drain(), 250);
  stops.push(() => {
    clearInterval(looks);
    socket.close();
  });
  await expect.poll(() => socket.received, { timeout: 2000 }).toEqual({ messages, bytes: messages * messageBytes });
});

test('it says how the server ended it, or refused it', async () => {
  const onLost = vi.fn();
  await open(await serve((socket) => socket.close(4001, 'too old')), onLost);
  await expect.poll(() => onLost.mock.calls).toEqual([['the server closed its connection (4001: too old)']]);
  const cut = vi.fn();
  await open(await serve((socket) => setTimeout(() => socket.terminate())), cut);
  await expect.poll(() => cut).toHaveBeenCalledOnce();

  const refusing = createServer((_request, response) => response.writeHead(403).end('no'));
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  stops.push(() => refusing.close());
  const { port } = refusing.address() as AddressInfo;
  await expect(open(`ws://127.0.0.1:${port}`)).rejects.toThrow('the server refused the connection: HTTP/1.1 403');
});
