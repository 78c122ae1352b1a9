import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { foreignTarget, targetAt } from './line-target.ts';

test('an address without a name is not told to the server as one', async () => {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const warned = vi.spyOn(process, 'emitWarning');
  const address = { url: `wss://127.0.0.1:${port}/x`, headers: {}, ca: null };
  const socket = foreignTarget(address, () => {}).connect();
  const hello = await new Promise<Buffer>((resolve) => server.on('connection', (peer) => peer.once('data', resolve)));
  expect(hello.includes('127.0.0.1')).toBe(false);
  expect(warned).not.toHaveBeenCalled();
  socket.destroy();
  server.close();
  vi.restoreAllMocks();
});

test('an IPv6 address loses its brackets, and a port that is not named is the usual one', async () => {
  // Nothing listens there, and some machines have no IPv6; in brackets it would be looked up as a name.
  const [error] = await once(targetAt(new URL('redis://[::1]'), 9).connect(), 'error');
  expect(error).toMatchObject({ syscall: 'connect', address: '::1', port: 9 });
});
