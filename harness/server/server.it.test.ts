/** The process beside a server, with a real framework's server in a real child of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Replica } from '../../editors/base/framework.ts';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { client } from '../../editors/yjs-relay/client.ts';
import { nowMs } from '../../infra/clock.ts';
import { CUT_OFF_EXIT_CODE } from '../../infra/fleet.ts';
import { allProcessStats } from '../../infra/process/stat.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { isAlive } from '../../results/run-folder/process-name.ts';
import { Coordinator } from '../trial/coordinator.ts';
import type { Member } from '../trial/member.ts';
import { CONTROL_URL_VARIABLE } from '../trial/protocol.ts';

let coordinator: Coordinator;
let server: Member;
let host: ChildProcess;
let port: number;
let lines: RecordLine[];
let failed: string[];
const left: Replica[] = [];
/** When the only restart begins, from the start of typing on, and how long it lasts. */
const RESTART = { fault: 3, kind: 'server-restart', which: null, atMs: 200, forMs: 1500 } as const;
const within = () => AbortSignal.timeout(10_000);

beforeEach(async () => {
  lines = [];
  failed = [];
  coordinator = new Coordinator({
    events: {
      onRecords: (_member, added) => lines.push(...added),
      onFailed: (_member, message) => failed.push(message),
      onDisconnected: () => {},
    },
  });
  await coordinator.listen({ host: '127.0.0.1', pageFolder: null });
  host = spawn(process.execPath, ['harness/server/main.ts', '--framework', 'yjs-relay', '--mode', 'node'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, [CONTROL_URL_VARIABLE]: coordinator.controlUrl('127.0.0.1') },
    stdio: 'inherit',
  });
  await coordinator.untilConnected({ users: 0, server: true }, within());
  server = coordinator.server!;
  port = (await server.expect('ready', within())).ports![0]!;
});
afterEach(async () => {
  await Promise.all(left.splice(0).map((replica) => replica.leave()));
  server.send({ type: 'goodbye' });
  if (host.exitCode === null && host.signalCode === null) await once(host, 'exit');
  await coordinator.close();
});

/** The child in which the framework's server is. */
function childPid(): number {
  const children = allProcessStats().filter(({ parent, ended }) => parent === host.pid && !ended);
  // Beside it there is what ends it with its host.
  return children.find(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server-main'))!.pid;
}

async function join(onLost: (why: string) => void = () => {}) {
  const editor = new NoQuill();
  const told: string[] = [];
  const replica = await client.join({
    url: `ws://127.0.0.1:${port}/${coordinator.token}`,
    documentId: 'document',
    editor,
    batching: { receiveMs: 0, sendMs: 0 },
    onLost,
    onBroken: () => told.push('broken'),
    onReconnected: () => told.push('back'),
    reconnectLimitMs: null,
  });
  left.push(replica);
  return { editor, told };
}

test('is killed and listens again at its port when that is due; users come back, and bytes are counted on', async () => {
  const one = await join();
  const other = await join();
  one.editor.insertText(0, 'before ', 'user');
  await expect.poll(() => other.editor.getText()).toBe('before \n');
  await expect.poll(() => bytesReceived()).toBeGreaterThan(0);
  const bytesBefore = bytesReceived();
  const first = childPid();
  const fromMs = go() + RESTART.atMs;
  await expect.poll(() => one.told).toEqual(['broken']);
  one.editor.insertText(7, 'meanwhile ', 'user');
  const told = await server.expect('server-fault', within());
  expect(told.fault).toBe(3);
  expect(told.beganMs).toBeGreaterThanOrEqual(fromMs - 1);
  expect(told.beganMs).toBeLessThan(fromMs + 500);
  expect(told.endedMs).toBeGreaterThanOrEqual(fromMs + 1500 - 1);
  expect(childPid()).not.toBe(first);
  await expect.poll(() => other.editor.getText()).toBe('before meanwhile \n');
  expect([one.told, other.told]).toEqual([
    ['broken', 'back'],
    ['broken', 'back'],
  ]);
  await expect.poll(() => bytesReceived()).toBeGreaterThan(bytesBefore);
  expect(lines.some(({ type }) => type === 'loop-delay')).toBe(true);
  const costs = lines.filter((line) => line.type === 'resources');
  expect(costs.some(({ of, memoryBytes }) => of === 'server' && memoryBytes! > 10 * 2 ** 20)).toBe(true);
  // A killed server still counts.
  const cpuMs = costs.map((line) => line.cpuMs);
  expect(cpuMs).toEqual(cpuMs.toSorted((a, b) => a - b));
  // Each of the two took more than this to load.
  expect(cpuMs.at(-1)).toBeGreaterThan(200);
  server.send({ type: 'profile', durationMs: 50 });
  expect((await server.expect('cpu-profile', within())).profile).toContain('"nodes"');
  expect(failed).toEqual([]);
});

test('where it does not start again, it says so as its failure', async () => {
  go();
  const taker = createServer();
  const take = () =>
    new Promise<boolean>((resolve) => {
      taker.once('error', () => resolve(false));
      taker.listen(port, '127.0.0.1', () => resolve(true));
    });
  while (!(await take())) await new Promise((resolve) => setTimeout(resolve, 20));
  await once(host, 'exit');
  expect(host.exitCode).toBe(1);
  expect(failed).toEqual([
    `it does not start again after the requested crash: port ${port} on 127.0.0.1 is taken by another program; choose another, or 0 for any free one`,
  ]);
  taker.close();
});

test('a server that ends by itself ends its process, and says how', async () => {
  process.kill(childPid(), 'SIGKILL');
  await once(host, 'exit');
  expect(failed).toEqual(['its process ended by SIGKILL']);
});

test('a server that loses its coordinator ends, and its exit code tells that from a fault of its own', async () => {
  const child = childPid();
  await coordinator.close();
  const [code] = await once(host, 'exit');
  expect(code).toBe(CUT_OFF_EXIT_CODE);
  await expect.poll(() => isAlive(child)).toBe(false);
});

test('the child does not outlive its parent', async () => {
  const child = childPid();
  host.kill('SIGKILL');
  await expect.poll(() => isAlive(child)).toBe(false);
});

/** Typing begins. @returns when, on this clock */
function go(): number {
  const startMs = nowMs();
  server.send({ type: 'go', startMs, endMs: startMs + 60_000, memoryAtMs: startMs, serverFaults: [RESTART] });
  return startMs;
}

function bytesReceived(): number {
  const traffic = lines.findLast((line) => line.type === 'network');
  return traffic?.type === 'network' ? traffic.receivedBytes : 0;
}
