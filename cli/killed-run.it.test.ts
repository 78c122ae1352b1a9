/** A run whose command is killed (kill -9): nothing of it stays on the machine. */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { CAN_PROBE_PROCESSES, processTree } from '../harness/probes/process-tree.ts';
import { readProcessStat } from '../infra/process/stat.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { findStoreProgram } from '../infra/stores/find.ts';
import { folderOfEachTest } from '../tests/folders.ts';

const found = await Promise.all([findStoreProgram('postgres'), findStoreProgram('redis')]);
const areInstalled = found.every((program) => 'path' in program);

const EXPERIMENT = `
name: killed
frameworks: sharedb
modes: node
users: 2
stores: postgres
servers: 2
trials: 1
`;

const folder = folderOfEachTest();

const isRunning = (pid: number) => readProcessStat(pid)?.ended === false;
/** Ids of the machine's segments of shared memory. */
const segments = () =>
  readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/ +/)[1]);

test.runIf(areInstalled && CAN_PROBE_PROCESSES)('leaves no process, no file, and no shared memory', async () => {
  await folder.put('killed.yaml', EXPERIMENT);
  const temporary = folder.in('temporary');
  await mkdir(temporary);
  // Postgres has an account of its own, and passes through.
  await chmod(folder.path, 0o711);
  const run = spawn(process.execPath, ['cli/main.ts', 'run', folder.in('killed.yaml'), '--out', folder.in('run')], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void run.kill('SIGKILL'));
  let said = '';
  run.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toContain(' · ready');
  const processes = processTree(run.pid!);
  const commands = processes.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).join('\n');
  for (const program of ['/postgres\0', 'redis-server']) expect(commands).toContain(program);
  const [status] = globSync('*/*/store/data/postmaster.pid', { cwd: temporary });
  const [, segment] = readFileSync(`${temporary}/${status}`, 'utf8').split('\n')[6]!.trim().split(/ +/);
  expect(segments()).toContain(segment);

  run.kill('SIGKILL');
  await expect.poll(() => processes.some(isRunning)).toBe(false);
  await expect.poll(() => readdir(temporary)).toEqual([]);
  await expect.poll(segments).not.toContain(segment);
});
