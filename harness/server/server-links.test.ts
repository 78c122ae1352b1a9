import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../../infra/network/listen-on.ts';
import { ServerLinks } from './server-links.ts';
import { BackingFailure } from './trial-store.ts';

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

async function openLinks(count: number): Promise<ServerLinks> {
  const { signal } = new AbortController();
  const links = await ServerLinks.open({ count, needsBroker: false, folder: '', signal, onLost: () => {} });
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
  const links = await openLinks(3);
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

test('without a broker there is none to be ended', async () => {
  const links = await openLinks(2);
  expect(links.brokerCpuMs()).toBeNull();
  await expect(links.killBroker()).rejects.toBeInstanceOf(BackingFailure);
});
