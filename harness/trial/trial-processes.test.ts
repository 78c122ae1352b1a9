import { expect, test } from 'vitest';
import { type Job, LOOPBACK } from '../../infra/fleet.ts';
import { FRAMEWORK_FAILURES } from '../../results/formats/records.ts';
import { connectToCoordinator } from './control-connection.ts';
import { CONTROL_URL_VARIABLE } from './protocol.ts';
import { ONE_IN_MEMORY } from './servers-wanted.ts';
import type { TrialFailure } from './steps.ts';
import { type DocumentSource, OWN_SERVER } from './trial-options.ts';
import { isDoneToAll, TrialProcesses } from './trial-processes.ts';

/** A trial's processes with a server, which is the connection that is returned. @param address where users are to reach it */
async function launchServerAt(address: string, source: DocumentSource = OWN_SERVER) {
  let job: Job | null = null;
  const processes = new TrialProcesses({
    planned: { framework: 'yjs', mode: 'node' },
    users: [],
    source,
    fleet: {
      network: LOOPBACK,
      async launch(launched) {
        job = launched;
        return { address, failed: new Promise(() => {}) };
      },
      async stop() {},
    },
    onRecords() {},
    onLost() {},
  });
  await processes.listen(null);
  await processes.launchServer(ONE_IN_MEMORY);
  const server = await connectToCoordinator({ url: job!.environment[CONTROL_URL_VARIABLE]!, user: null });
  return { processes, server };
}

test('a server that crashed is lost; the process beside it, whose connection alone is, is cut off, which is not the framework’s', async () => {
  const codeAfter = async (end: 'failed' | 'gone') => {
    const { processes, server } = await launchServerAt('127.0.0.1');
    if (end === 'failed') server.send({ type: 'failed', message: 'its process ended by SIGKILL', by: 'framework' });
    else server.close();
    await expect.poll(() => processes.lost.aborted, { timeout: 10_000 }).toBe(true);
    await processes.stop();
    server.close();
    return (processes.lost.reason as TrialFailure).code;
  };
  const [crashed, gone] = await Promise.all([codeAfter('failed'), codeAfter('gone')]);
  expect([crashed, gone]).toEqual(['server-lost', 'server-cut-off']);
  expect([crashed, gone].map((code) => (FRAMEWORK_FAILURES as readonly string[]).includes(code))).toEqual([
    true,
    false,
  ]);
});

test('the process that only looks at somebody else’s server is not the framework’s', async () => {
  const observed = { metrics: 'http://x/metrics', series: [], pid: null, container: null };
  const { processes, server } = await launchServerAt('127.0.0.1', { ...OWN_SERVER, observed });
  server.send({ type: 'failed', message: 'no metrics came' });
  await expect.poll(() => processes.lost.aborted, { timeout: 10_000 }).toBe(true);
  await processes.stop();
  server.close();
  expect(processes.lost.reason).toMatchObject({
    code: 'observer-lost',
    message: 'the process that looks at the server is lost: no metrics came',
  });
  expect(FRAMEWORK_FAILURES).not.toContain('observer-lost');
});

test('a server is reached by IPv6, too', async () => {
  const { processes, server } = await launchServerAt('fd00::2');
  server.send({ type: 'ready', ports: [7000] });
  const [address] = await processes.addressesOfServers(new AbortController().signal);
  expect(new URL(address!).host).toBe('[fd00::2]:7000');
  server.close();
  await processes.stop();
});

/** Users, of whom those with these numbers have come so far. */
const users = (count: number, ...reached: number[]) =>
  Array.from({ length: count }, (_, user) => ({ user, hasSaid: () => reached.includes(user) }));

test('a server is to blame for users who are never ready only if it does the same to all of them', () => {
  expect(isDoneToAll('not let in', users(3))).toBe(true);
  // The first comes alone, before the others.
  expect(isDoneToAll('not let in', users(3, 0))).toBe(true);
  expect(isDoneToAll('not let in', users(3, 0, 1))).toBe(false);
  expect(isDoneToAll('read-only', users(50, 0))).toBe(true);
  // The marker reached one other: the server takes edits.
  expect(isDoneToAll('read-only', users(50, 0, 7))).toBe(false);
  // Its author does not get so far as to type it.
  expect(isDoneToAll('read-only', users(50))).toBe(false);
});
