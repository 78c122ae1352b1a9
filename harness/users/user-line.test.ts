import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { NO_LINK } from '../../infra/network/link.ts';
import { listenOn } from '../../infra/network/listen-on.ts';
import type { Assignment } from '../trial/protocol.ts';
import { UserLine } from './user-line.ts';

test('whoever lacks the trial’s token has none of the user’s rights at a server that somebody else runs', async () => {
  // It sends back what it gets.
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {}).pipe(socket);
  });
  const foreign = {
    url: `ws://127.0.0.1:${await listenOn(server)}/there`,
    headers: { Authorization: 'Bearer s3cret' },
    ca: null,
    token: null,
  };
  const line = new UserLine();
  const assignment = { pageUrl: 'http://127.0.0.1:2/token/', link: NO_LINK, faults: [], seed: 0, user: 0 };
  const url = new URL(await line.open(assignment as unknown as Assignment, { foreign, onEnded: () => {} }));
  const ask = async (path: string) => {
    const socket = createConnection(Number(url.port), '127.0.0.1');
    // As a page in any browser of this machine could.
    socket.write(`GET ${path} HTTP/1.1\r\nOrigin: http://elsewhere\r\n\r\n`);
    const [heard] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['nothing'])]);
    socket.destroy();
    return String(heard);
  };
  const silent = createConnection(Number(url.port), '127.0.0.1');
  await once(silent, 'connect');
  expect(await ask('/')).toBe('nothing');
  expect(await ask('/tokens/document')).toBe('nothing');
  // It does not hear of them either.
  expect(connections).toBe(0);
  silent.destroy();
  expect(await ask(`${url.pathname}/document`)).toMatch(/^GET \/there HTTP.*Bearer s3cret/s);
  await line.close();
  server.close();
});
