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
