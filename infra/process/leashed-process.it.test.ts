import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAlive } from '../../results/run-folder/is-alive.ts';
import { startLeashedProcess } from './leashed-process.ts';
import { readProcessStat } from './stat.ts';

const LEASHED_PROCESS = new URL('leashed-process.ts', import.meta.url).href;
/** One that ended, and that nobody has asked after, does not. */
const isRunning = (pid: number) => isAlive(pid) && readProcessStat(pid)?.ended !== true;

const environment = { PATH: process.env.PATH };

/** A program that starts another, whose number it says last, and ends by itself after that. */
const LEAVES_ANOTHER = ['sh', '-c', 'sleep 60 & echo $! >&2; exit 3'];

/** What holds a leash, and says whom it leads: that program, and what it starts. */
const HOLDER = `
  const { startLeashedProcess } = await import(${JSON.stringify(LEASHED_PROCESS)});
  const { parentPort } = await import('node:worker_threads');
  const said = process.env.SAID;
  const { pid } = startLeashedProcess({
    command: ['sh', '-c', 'sleep 60 & echo $! >"$0"; wait', said],
    environment: { PATH: process.env.PATH },
  });
  const { existsSync, readFileSync } = await import('node:fs');
  while (!existsSync(said) || readFileSync(said, 'utf8').trim() === '') await new Promise((go) => setTimeout(go, 10));
  const pids = [pid, Number(readFileSync(said, 'utf8'))];
  if (parentPort) parentPort.postMessage(pids);
  else console.log(JSON.stringify(pids));
  setInterval(() => {}, 1e6);`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leashed-'));
});
afterEach(() => rm(folder, { recursive: true }));
const saidFile = () => join(folder, 'said');

test('it ends with a holder that is killed, and so does what it started', async () => {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER], {
    env: { ...process.env, SAID: saidFile() },
  });
  const [line] = await once(holder.stdout, 'data');
  const pids = JSON.parse(String(line)) as number[];
  expect(pids.map(isRunning)).toEqual([true, true]);
  holder.kill('SIGKILL');
  await vi.waitUntil(() => !pids.some(isRunning), 5000);
});

test('it ends with a holder that is a thread', async () => {
  const holder = new Worker(new URL(`data:text/javascript,${encodeURIComponent(HOLDER)}`), {
    env: { ...process.env, SAID: saidFile() },
  });
  const [pids] = (await once(holder, 'message')) as [number[]];
  expect(pids.map(isRunning)).toEqual([true, true]);
  await holder.terminate();
  await vi.waitUntil(() => !pids.some(isRunning), 5000);
});

test('who asks for its end has it at once, with all that it started', async () => {
  const { pid, ended, end } = startLeashedProcess({ command: ['sh', '-c', 'trap "" TERM; sleep 60'], environment });
  expect(isRunning(pid)).toBe(true);
  await end();
  expect(isRunning(pid)).toBe(false);
  expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  await end();
});

test('how it ended by itself is its own, with its last words, and nothing is left of it', async () => {
  const { ended } = startLeashedProcess({ command: LEAVES_ANOTHER, environment });
  const { code, signal, lastWords } = await ended;
  expect({ code, signal }).toEqual({ code: 3, signal: null });
  const left = Number(lastWords);
  expect(left).toBeGreaterThan(0);
  await vi.waitUntil(() => !isRunning(left), 5000);
});

test('a program that is not there is named', async () => {
  const { ended } = startLeashedProcess({ command: ['/no/such/program'], environment });
  expect(await ended).toMatchObject({ code: 127, lastWords: expect.stringContaining('/no/such/program') });
});

test('it gets no more of the environment than it is given', async () => {
  const command = ['sh', '-c', 'echo "$HOME:$GIVEN" >&2'];
  const { ended } = startLeashedProcess({ command, environment: { ...environment, GIVEN: 'this' } });
  expect((await ended).lastWords).toBe(':this');
});
