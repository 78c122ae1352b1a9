import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { formatOutcomes, runCampaign } from './campaign.ts';
import { FAULTS, victimOf } from './faults.ts';
import { listeningPorts } from './listening-ports.ts';
import type { Outcome } from './one-fault.ts';
import { isRunning, processesOf, roleOf } from './processes.ts';

const isLinux = process.platform === 'linux';

test('processes are told apart by what they run', () => {
  expect(roleOf('node harness/cli.ts run x.yaml')).toBe('coordinator');
  expect(roleOf('node harness/server/main.ts --framework yjs')).toBe('server');
  expect(roleOf('node harness/users/main.ts --users 2')).toBe('users');
  expect(roleOf('/usr/lib/chromium/chromium --remote-debugging-pipe --headless')).toBe('chrome');
  expect(roleOf('/usr/lib/chromium/chromium --type=renderer --remote-debugging-pipe')).toBe('page');
  expect(roleOf('/usr/lib/chromium/chromium --type=zygote --remote-debugging-pipe')).toBe('other');
});

test.runIf(isLinux)('a process and its children are seen, and seen to have ended', async () => {
  const parent = spawn('sh', ['-c', 'sleep 30 & echo; wait'], { detached: true });
  await once(parent.stdout, 'data');
  const all = processesOf(parent.pid!);
  expect(all).toHaveLength(2);
  expect(all.every(isRunning)).toBe(true);
  process.kill(-parent.pid!, 'SIGKILL');
  await once(parent, 'close');
  expect(all.some(isRunning)).toBe(false);
  expect(victimOf(FAULTS[0]!, all)).toBeUndefined();
});

test.runIf(isLinux)('the ports where a process listens are found', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(listeningPorts([process.pid])).toContain(port);
  server.close();
  await once(server, 'close');
  expect(listeningPorts([process.pid])).not.toContain(port);
});

test.runIf(isLinux)('a campaign takes seed after seed, and its table names those that broke something', async () => {
  const attempt = async (seed: number): Promise<Outcome> => ({
    ...{ seed, fault: 'SIGKILL server', ended: 'exit code 1', tookMs: 1000 * seed },
    phase: seed === 7 ? null : 'measure',
    violations: seed === 6 ? ['left a process'] : [],
  });
  const said: string[] = [];
  let asked = 0;
  const outcomes = await runCampaign({
    seed: 5,
    forMs: 200,
    say: (text) => said.push(text),
    signal: new AbortController().signal,
    attempt: async (seed) => {
      await new Promise((resolve) => setTimeout(resolve, ++asked < 3 ? 0 : 300));
      return attempt(seed);
    },
  });
  expect(outcomes.map(({ seed }) => seed)).toEqual([5, 6, 7]);
  expect(said).toContain('  VIOLATION: left a process');
  const [, row, ...more] = formatOutcomes(outcomes).split('\n');
  expect(row).toMatch(/^SIGKILL server +measure +2 +exit code 1 ×2 +5\.5 +6\.0 +seeds 6$/);
  expect(more).toEqual([]);
});
