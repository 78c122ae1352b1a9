import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../../infra/network/listen-on.ts';
import { openServerLinks, type ServerLinks, type ServerLinksOptions } from './server-links.ts';

/** Answers with what it is sent. */
async function echo(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.add(socket.pipe(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listenOn(server);
}

async function openLinks(given: Pick<ServerLinksOptions, 'count'> & Partial<ServerLinksOptions>): Promise<ServerLinks> {
  const { signal } = new AbortController();
  const alone = { needsBroker: false, brokerUrl: null, isReused: false, folder: '', signal, onLost: () => {} };
  const links = await openServerLinks({ ...alone, ...given });
  onTestFinished(() => links.stop());
  return links;
}

async function dial(address: string): Promise<{ say(text: string): void; heard(): string; isBroken(): boolean }> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => {
    heard += data;
  });
  // Before a close.
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return { say: (text) => socket.write(text), heard: () => heard, isBroken: () => socket.closed };
}

test('a server is told of those before it, by addresses of its own, and can be cut off from them', async () => {
  const ports = [await echo(), await echo()];
  const links = await openLinks({ count: 3 });
  const place = { host: '0.0.0.0', token: 'secret' };
  expect(await links.waysOf(0, { ...place, ports: [] })).toEqual({ index: 0, count: 3, peers: [] });
  const second = await links.waysOf(1, { ...place, ports: ports.slice(0, 1) });
  const third = await links.waysOf(2, { ...place, ports });
  expect(third.peers).toHaveLength(2);
  expect(new URL(third.peers[0]!).pathname).toBe('/secret');

  const [fromSecond, fromThird] = [await dial(second.peers[0]!), await dial(third.peers[0]!)];
  const between = await dial(third.peers[1]!);
  const end = links.cutOff(1);
  await expect.poll(() => [fromSecond.isBroken(), between.isBroken()]).toEqual([true, true]);
  fromThird.say('hello');
  await expect.poll(() => fromThird.heard()).toBe('hello');
  end();
  const late = await dial(second.peers[0]!);
  late.say('hello');
  await expect.poll(() => late.heard()).toBe('hello');
});

/** Like a Redis that wants a password, and by which others tell each other things, by so many channels and patterns. */
function redisWith(channels: number, patterns = 0): Promise<number> {
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      const isLoggedIn = String(data).startsWith('AUTH "sec ret"\r\n');
      const answer = String(data).includes('NUMPAT') ? `:${patterns}` : `*${channels}`;
      socket.end(isLoggedIn ? `+OK\r\n${answer}\r\n+OK\r\n` : '-WRONGPASS invalid\r\n-NOAUTH needed\r\n+OK\r\n');
    });
  });
  onTestFinished(() => void server.close());
  return listenOn(server);
}

test('a broker that somebody else runs is proved first, and is reached by lines, too', async () => {
  const by = (port: number, password = 'sec%20ret') => ({
    ...{ count: 2, needsBroker: true },
    brokerUrl: `redis://:${password}@127.0.0.1:${port}`,
  });
  const port = await redisWith(0);
  const links = await openLinks(by(port));
  expect([links.broker, links.brokerCpuMs()]).toEqual([null, null]);
  const { redis } = await links.waysOf(0, { host: '127.0.0.1', token: '', ports: [] });
  expect(redis).toMatch(/^redis:\/\/:sec%20ret@127\.0\.0\.1:\d+$/);
  expect(redis).not.toContain(`:${port}`);

  const failure = (given: ReturnType<typeof by>) => openLinks(given).catch((error: Error) => error) as Promise<Error>;
  const refused = await failure(by(port, 'wrong'));
  expect(refused).toMatchObject({ exitCode: 3 });
  expect(refused.message).toMatch(/^the Redis at 127\.0\.0\.1:\d+ refuses, .*: WRONGPASS invalid; see/);
  expect((await failure(by(1))).message).toContain('ECONNREFUSED');
  for (const used of [by(await redisWith(1)), by(await redisWith(0, 1))]) {
    expect(await failure(used)).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^others tell each other by the Redis/),
    });
    expect((await openLinks({ ...used, isReused: true })).broker).toBeNull();
  }
});
