import { networkInterfaces } from 'node:os';
import { expect, test, vi } from 'vitest';
import { createToken } from '../channel/token.ts';
import { freePort } from '../network/listen-on.ts';
import { openWorkersFleet } from './workers-fleet.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
const { signal } = new AbortController();

test.each([
  ['127.0.0.1', '127.0.0.1', '0.0.0.0'],
  ...(hasIpv6 ? [['[::1]', '::1', '::'] as [string, string, string]] : []),
])(
  'workers that come to %s reach the coordinator at %s, and are reached as servers at %s',
  async (host, at, everywhere) => {
    const port = await freePort(at);
    vi.stubEnv('SCRIPTORIUM_DISPATCHER', `ws://${host}:${port}`);
    vi.stubEnv('SCRIPTORIUM_TOKEN', createToken());
    const fleet = await openWorkersFleet({ say: () => {}, signal });
    expect(fleet.network).toEqual({
      coordinator: { listensOn: at, port: 0, reachedAt: host },
      server: { listensOn: everywhere, port: 0 },
    });
    await fleet.close();
  },
);

test('workers that do not come are counted, and it is said that not only users take one', async () => {
  vi.stubEnv('SCRIPTORIUM_DISPATCHER', `ws://127.0.0.1:${await freePort('127.0.0.1')}`);
  vi.stubEnv('SCRIPTORIUM_TOKEN', createToken());
  vi.stubEnv('SCRIPTORIUM_DEADLINE', new Date().toISOString());
  const fleet = await openWorkersFleet({ say: () => {}, signal });
  const resources = { cpus: null, memoryMiB: null };
  await expect(fleet.ready([{ name: 'users', count: 5, atServer: 3, resources }])).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/0 of 5 "users"; start those that are missing \(agents and readers take some/),
  });
  await fleet.close();
});
