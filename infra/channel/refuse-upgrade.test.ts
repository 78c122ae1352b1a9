import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refuseUpgrade } from './refuse-upgrade.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

let http: ReturnType<typeof createServer>;
let port: number;
beforeEach(async () => {
  http = createServer();
  http.on('upgrade', (_request, socket) => refuseUpgrade(socket));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  ({ port } = http.address() as AddressInfo);
});
afterEach(() => new Promise<void>((resolve) => http.close(() => resolve())));

test('says so, and lets go, also of a caller that keeps its half open', async () => {
  const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  caller.write(REQUEST);
  const [answer] = (await once(caller, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /);
  await new Promise<void>((resolve) => http.close(() => resolve()));
  caller.destroy();
});

test('a caller that breaks off at once does no harm', async () => {
  for (let times = 0; times < 5; times++) {
    const caller = connect(port, '127.0.0.1');
    const asked = once(http, 'upgrade');
    await new Promise<void>((resolve) => caller.write(REQUEST, () => resolve()));
    caller.resetAndDestroy();
    const [, socket] = await asked;
    if (!socket.closed) await once(socket, 'close');
  }
});
