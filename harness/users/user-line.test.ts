import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { nowMs } from '../../infra/clock.ts';
import { NO_LINK } from '../../infra/network/link.ts';
import { listenOn } from '../../infra/network/listen-on.ts';
import { never } from '../../tests/runs.ts';
import type { Assignment } from '../trial/protocol.ts';
import type { UserClock } from './user-clock.ts';
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

test('a page is offline until the last of several such faults is over', async () => {
  const server = createServer((socket) => socket.on('error', () => {}));
  const serverUrl = `ws://127.0.0.1:${await listenOn(server)}/token`;
  const offline = (atMs: number, forMs: number) => ({ atMs, forMs, line: { kind: 'offline' } }) as const;
  const faults = [offline(10, 40), offline(30, 70)];
  const line = new UserLine();
  const assignment = { serverUrl, pageUrl: '', link: NO_LINK, faults, seed: 0, user: 0 };
  await line.open(assignment as unknown as Assignment, { foreign: null, onEnded: () => {} });
  const said: boolean[] = [];
  const driver = { sayOnline: async (isOnline: boolean) => void said.push(isOnline) };
  const clock = { fromCoordinatorMs: (ms: number) => ms } as UserClock;
  await line.carryOut(faults, { startMs: nowMs(), driver, clock, signal: never });
  expect(said).toEqual([false, true]);
  await line.close();
  server.close();
});
