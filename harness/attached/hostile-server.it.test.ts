/** Servers that do harm to who asks them, by mistake or on purpose. */
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { listenOn } from '../../infra/network/listen-on.ts';
import { sayHello } from './hello.ts';
import { startWebSockets } from './test-data/foreign-servers.ts';

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
  let sentMs = 0;
  const sendOn = async (socket: WebSocket) => {
    while (socket.readyState === socket.OPEN) {
      await new Promise((resolve) => socket.send('é'.repeat(50_000), resolve));
      sentMs = performance.now();
    }
  };
  const server = await startWebSockets(sendOn, { autoPong: false });
  const asked = sayHello(addressOf(server.port)).catch(() => {});
  await vi.waitUntil(() => sentMs > 0 && performance.now() - sentMs > 200, { timeout: 1300 });
  await server.stop();
  await asked;
});

test('a server that repeats the secret which it does not take tells nobody of it', async () => {
  const said = JSON.stringify({ a: 'f', error: { message: 'not let in: s3cret-of-mine' } });
  const server = await startWebSockets((socket) => socket.on('message', () => socket.send(said)));
  const hello = await sayHello(addressOf(server.port), { expected: 'sharedb-json', isStrange: false });
  expect(hello?.denied).toBe('not let in: (token)');
  await server.stop();
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
