import { createConnection, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startDelayLine } from './delay-line.ts';

test('chunks arrive in order, whole, and no sooner than the delay in each direction', async () => {
  const echo = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const port = (echo.address() as { port: number }).port;
  const line = await startDelayLine({ target: { host: '127.0.0.1', port }, oneWayDelayMs: 30 });
  const socket: Socket = createConnection({ host: '127.0.0.1', port: line.port });
  const sent = Array.from({ length: 200 }, (_, index) => `${index};`).join('');
  const startMs = performance.now();
  let firstMs = 0;
  let received = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      firstMs ||= performance.now() - startMs;
      received += chunk;
      if (received.length === sent.length) resolve();
    });
  });
  for (const part of sent.match(/.{1,7}/gs)!) socket.write(part);
  await done;
  expect(received).toBe(sent);
  // Timers may fire up to 1 ms early by their own rounding.
  expect(firstMs).toBeGreaterThanOrEqual(58);
  socket.destroy();
  await line.stop();
  await new Promise((resolve) => echo.close(resolve));
});

test('a server that goes away is noticed through the line', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.address() as { port: number }).port;
  const line = await startDelayLine({ target: { host: '127.0.0.1', port }, oneWayDelayMs: 1 });
  const socket = createConnection({ host: '127.0.0.1', port: line.port });
  await new Promise((resolve) => socket.once('close', resolve));
  await line.stop();
  await new Promise((resolve) => server.close(resolve));
});
