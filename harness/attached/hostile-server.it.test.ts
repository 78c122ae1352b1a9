/** Servers that do harm to who asks them, by mistake or on purpose. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { listenOn } from '../../infra/network/listen-on.ts';
import { sayHello } from './hello.ts';

const addressOf = (port: number) => ({
  url: `ws://127.0.0.1:${port}`,
  headers: {},
  token: null,
  ca: null,
  document: 'd',
  secrets: ['s3cret-of-mine'],
});

test('frames without end wait at the server, and not in the memory of who asks', async () => {
  // It answers no ping, so that nobody reads for a while.
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  await once(server, 'listening');
  let sentMs = 0;
  server.on('connection', async (socket) => {
    while (socket.readyState === socket.OPEN) {
      await new Promise((resolve) => socket.send('é'.repeat(50_000), resolve));
      sentMs = performance.now();
    }
  });
  const asked = sayHello(addressOf((server.address() as { port: number }).port)).catch(() => {});
  await vi.waitUntil(() => sentMs > 0 && performance.now() - sentMs > 200, { timeout: 1300 });
  for (const socket of server.clients) socket.terminate();
  server.close();
  await asked;
});

test('a server that repeats the secret which it does not take tells nobody of it', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const error = { message: 'not let in: s3cret-of-mine' };
  server.on('connection', (socket) => socket.on('message', () => socket.send(JSON.stringify({ a: 'f', error }))));
  const { port } = server.address() as { port: number };
  const hello = await sayHello(addressOf(port), { expected: 'sharedb-json', isStrange: false });
  expect(hello?.denied).toBe('not let in: (token)');
  server.close();
});

test('a server whose answer comes byte by byte is not waited for without end', async () => {
  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 ');
    while (!socket.destroyed) {
      socket.write('x');
      await sleep(20);
    }
  });
  const port = await listenOn(server);
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.timeout(300));
  await expect(sayHello(addressOf(port))).rejects.toThrow('cannot be reached: no whole answer in 10 s (unavailable)');
  limit.mockRestore();
  server.close();
});
