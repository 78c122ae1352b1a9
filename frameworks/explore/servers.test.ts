import { expect, test } from 'vitest';
import { createVirtualClock } from '../../infra/virtual/clock.ts';
import { TcpSocket } from '../../infra/virtual/tcp-socket.ts';
import type { Backing, Connections } from '../../servers/server.ts';
import { drawWorld } from './draw.ts';
import { WorldServers } from './servers.ts';

test('servers have a broker once one has asked for it, and a process that was killed reaches it no more', async () => {
  const clock = createVirtualClock();
  const backings: Backing[] = [];
  const serve = (_connections: Connections, backing?: Backing) => {
    backings.push(backing!);
    return null;
  };
  const world = drawWorld(1, { servers: 3 });
  const servers = new WorldServers(world, { clock, serve, lineOf: () => null, onPassage: () => {} });
  servers.start();
  expect(servers.haveBroker).toBe(false);
  const hosts = () => backings.map(({ together }) => new URL(together!.redis!).hostname);
  const connect = (host: string) => {
    const socket = new TcpSocket(servers.networkAt(host)!, host);
    socket.on('error', () => {});
    return socket;
  };
  const socket = connect(hosts()[0]!);
  await clock.run(1000);
  expect([servers.haveBroker, socket.connecting]).toEqual([true, false]);
  servers.restart({ do: 'restart', atMs: 0, server: 0, forMs: 50, clientLagMs: 0, drains: false });
  await clock.run(2000);
  const [former, present] = [connect(hosts()[0]!), connect(hosts()[3]!)];
  await clock.run(3000);
  expect([socket, former, present].map(({ connecting }) => connecting)).toEqual([false, true, false]);
  expect(former.destroyed).toBe(false);
});
