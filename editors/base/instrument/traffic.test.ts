import { expect, test } from 'vitest';
import { SentKeeper } from './traffic.ts';

test('what sockets behind a server’s address sent is kept as plain data, in order', async () => {
  const keeper = new SentKeeper();
  const send = keeper.open('ws://server/document?client=1');
  keeper.open('ws://elsewhere/document')('not this');
  const bytes = new Uint8Array([1, 2, 255]);
  send('text');
  send(bytes);
  send(new Blob([bytes]));
  // A library may use its buffer again.
  bytes.fill(0);
  const [socket, ...others] = await keeper.sent('ws://server');
  expect(others).toEqual([]);
  expect(socket!.path).toBe('/document?client=1');
  expect(socket!.frames).toEqual([
    { atMs: expect.any(Number), text: 'text' },
    { atMs: expect.any(Number), base64: 'AQL/' },
    { atMs: expect.any(Number), base64: 'AQL/' },
  ]);
});
