import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { openPageProxy } from './drivers.ts';

test('a coordinator on this machine needs no proxy', async () => {
  const through = await openPageProxy('ws://127.0.0.1:1234/token/control');
  expect(through('http://127.0.0.1:1234/token/')).toBe('http://127.0.0.1:1234/token/');
});

const elsewhere = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test.skipIf(elsewhere === undefined)('pages of another machine come from the loopback interface', async () => {
  const server = createServer((request, response) => response.end(`the page at ${request.url}`));
  server.listen(0, elsewhere);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const through = await openPageProxy(`ws://${elsewhere}:${port}/token/control`);
  const url = through(`http://${elsewhere}:${port}/token/`);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/token\/$/);
  expect(await (await fetch(url)).text()).toBe('the page at /token/');
  server.closeAllConnections();
  server.close();
});
