/** Two servers in processes of their own, as one. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createToken } from '../../infra/channel/token.ts';
import { nowMs } from '../../infra/clock.ts';
import { markedProcesses } from '../probes/process-tree.ts';
import { ONE_IN_MEMORY } from '../trial/servers-wanted.ts';
import { BackingFailure } from './backing-failure.ts';
import { Deployment } from './deployment.ts';

const ANSWER_LIMIT_MS = 300;
/** On a busy machine. */
const LIMIT_MS = 5000;

let ended: [how: string, of: string][];
beforeEach(() => {
  ended = [];
});

async function start() {
  const mark = randomUUID();
  const deployment = new Deployment({
    ...ONE_IN_MEMORY,
    framework: 'yjs-relay',
    servers: 2,
    store: 'sqlite',
    environment: { TEST_MARK: mark },
    onEnded: (...end) => ended.push(end),
  });
  onTestFinished(() => deployment.stop());
  const ports = await deployment.listen({ address: '127.0.0.1', port: 0, token: createToken() });
  const states = () => Promise.all(ports.map(stateAt));
  const become = (wanted: string[]) => expect.poll(states, { timeout: LIMIT_MS }).toEqual(wanted);
  return { deployment, become, pids: () => markedProcesses(mark) };
}

/** As one sees it who does not know the token. */
async function stateAt(port: number): Promise<string> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    return 'up';
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silent' : 'down';
  }
}

test('servers are struck one by one or all together, come back at their ports, and are measured as one', async () => {
  const { deployment, become, pids } = await start();
  await become(['up', 'up']);
  expect(existsSync(deployment.folder!)).toBe(true);

  const untilMs = nowMs() + 1500;
  const restart = deployment.strike('server-restart', { untilMs, forMs: 1500, which: 1 });
  const pause = deployment.strike('server-pause', { untilMs, forMs: 1500, which: 0 });
  await become(['silent', 'down']);
  const lasted = await Promise.all([restart, pause]);
  for (const { beganMs, endedMs } of lasted) {
    expect(beganMs).toBeLessThan(untilMs - 1000);
    expect(endedMs).toBeGreaterThanOrEqual(untilMs - 1);
  }
  await become(['up', 'up']);

  const [first, second] = pids();
  const rolled = deployment.roll(0);
  await rolled;
  await become(['up', 'up']);
  expect(pids()).toHaveLength(2);
  expect(pids()).not.toEqual(expect.arrayContaining([first]));
  expect(pids()).not.toEqual(expect.arrayContaining([second]));

  await deployment.killAll();
  await become(['down', 'down']);
  await deployment.startAgain();
  await become(['up', 'up']);

  const { perServerCpuMs, cpuMs, store, brokerCpuMs, serverWrittenBytes } = await deployment.sample();
  expect(perServerCpuMs).toHaveLength(2);
  expect(cpuMs).toBeCloseTo(perServerCpuMs[0]! + perServerCpuMs[1]!);
  expect([store?.sizeBytes, brokerCpuMs]).toEqual([0, null]);
  expect(serverWrittenBytes).not.toBeNull();

  const now = { untilMs: nowMs(), forMs: 0, which: null };
  await expect(deployment.strike('broker-restart', now)).rejects.toBeInstanceOf(BackingFailure);
  await expect(deployment.restartStore(nowMs())).rejects.toThrow(
    'sqlite, its store, is no program that the trial started',
  );
  const folder = deployment.folder!;
  await deployment.stop();
  await become(['down', 'down']);
  expect(existsSync(folder)).toBe(false);
  expect(ended).toEqual([]);
});

test('which of them ended unasked is told', async () => {
  const { pids } = await start();
  const [, second] = pids();
  process.kill(second!, 'SIGKILL');
  await expect.poll(() => ended).toEqual([['(server 2 of 2) ended by SIGKILL', 'server']]);
});
