import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { compressedAlone, PageErrors } from './last-words.ts';

test('messages shrink to what a WebSocket with permessage-deflate sends of them', async () => {
  const messages = Array.from({ length: 40 }, (_, index) =>
    Buffer.from(JSON.stringify({ op: [{ retain: index * 7 }, { insert: 'x' }], version: index, source: 'user' })),
  );
  const { bytes, deflatedBytes } = await compressedAlone(messages);
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: { threshold: 0 } });
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(client, 'open');
  const [connection] = (await accepted) as [WebSocket & { _socket: Socket }];
  const halfway = messages.length / 2;
  let written = 0;
  for (const [index, message] of messages.entries()) {
    if (index === halfway) written = connection._socket.bytesWritten;
    await new Promise((resolve) => connection.send(message, resolve));
  }
  // Each has a header of two bytes, from the server.
  expect(connection._socket.bytesWritten - written - 2 * halfway).toBe(deflatedBytes);
  expect(bytes).toBe(messages.slice(halfway).reduce((sum, { length }) => sum + length, 0));
  expect(deflatedBytes).toBeLessThan(bytes / 2);
  client.terminate();
  server.close();
});

test('what cannot be compressed grows by little, and nothing is nothing', async () => {
  const { bytes, deflatedBytes } = await compressedAlone([randomBytes(1000), randomBytes(1000)]);
  expect(bytes).toBe(1000);
  expect(deflatedBytes).toBeGreaterThanOrEqual(1000);
  expect(deflatedBytes).toBeLessThan(1020);
  expect(await compressedAlone([])).toEqual({ bytes: 0, deflatedBytes: 0 });
});

test('counts all errors, keeps the first message, and tells once', () => {
  const errors = new PageErrors();
  expect(errors.take()).toEqual([]);
  errors.add(5, `first ${'x'.repeat(1000)}`);
  errors.add(6, 'second');
  expect(errors.take()).toEqual([
    { type: 'page-errors', atMs: 6, errors: 2, message: expect.stringMatching(/^first x{494}$/) },
  ]);
  expect(errors.take()).toEqual([]);
  errors.add(7, 'third');
  expect(errors.take()).toMatchObject([{ errors: 3, message: expect.stringContaining('first') }]);
});
