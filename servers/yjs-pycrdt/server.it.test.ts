/** Trials with a server in Python, with faults injected into its process and its host. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { findFramework } from '../../frameworks/discover.ts';
import { readyNeeds } from '../../frameworks/needs.ts';
import { CAN_PROBE_PROCESSES, processTree } from '../../harness/probes/process-tree.ts';
import { readProcessStat } from '../../infra/process/stat.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { readRecordFile } from '../../results/formats/record-file.ts';
import { recordPath } from '../../results/formats/run-directory.ts';
import { folderOfAllTests } from '../../tests/folders.ts';

const INSTALL_LIMIT_MS = 180_000;
/** For a trial of some ten seconds, which is run again, twice at most, if the machine is taken away from it. */
const TRIAL_LIMIT_MS = 60_000;

const folder = folderOfAllTests();
/** Why it cannot be tried here. */
let unmet: string | null = null;
beforeAll(async () => {
  const frameworks = [await findFramework('yjs-pycrdt')];
  await readyNeeds({ frameworks, say: (text) => console.error(text) }).catch((error: Error) => {
    unmet = error.message;
  });
}, INSTALL_LIMIT_MS);

const EXPERIMENT = {
  name: 'harm',
  frameworks: 'yjs-pycrdt',
  modes: 'node',
  users: 2,
  trials: 4,
  durations: { warmUp: '1s', measure: '3s', profile: '0s', settle: '5s' },
  typing: { keysPerSecond: 6, sigilPeriod: '2s' },
};

function isRunning(pid: number): boolean {
  return readProcessStat(pid)?.ended === false;
}

/** The process among those of the command whose command line holds this. */
function processOf(command: number, part: string): number | undefined {
  return processTree(command).find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(part);
    } catch {
      return false;
    }
  });
}

/** The costs of the program are recorded, and those of the harness's process in front of it apart from them. */
async function expectCosts(trial: string): Promise<void> {
  const lines = await Array.fromAsync(readRecordFile(recordPath(trial, 'server')));
  const of = (what: string) => lines.filter((line) => line.type === 'resources').filter((line) => line.of === what);
  // An interpreter and its libraries alone are more.
  expect(of('server').at(-1)!.cpuMs).toBeGreaterThan(100);
  expect(of('gate').at(-1)!.cpuMs).toBeGreaterThan(0);
  expect(of('server').some(({ memoryBytes }) => (memoryBytes ?? 0) > 10 * 2 ** 20)).toBe(true);
  expect(lines.some(({ type }) => type === 'loop-delay')).toBe(false);
  const traffic = lines.filter((line) => line.type === 'network').at(-1)!;
  expect(Math.min(traffic.sentBytes, traffic.receivedBytes)).toBeGreaterThan(1000);
}

test.runIf(CAN_PROBE_PROCESSES)(
  'its process fails the trial that it leaves, and outlives neither its host nor the run',
  async ({ skip, onTestFinished }) => {
    if (unmet !== null) return skip(unmet);
    const file = folder.in('harm.yaml');
    // JSON is YAML.
    await writeFile(file, JSON.stringify(EXPERIMENT));
    // Of this try alone.
    const out = join(await mkdtemp(folder.in('try-')), 'run');
    const cli = spawn(process.execPath, ['cli/main.ts', 'run', file, '--out', out], {
      cwd: PROJECT_ROOT,
      env: { ...process.env, TMPDIR: folder.path },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(cli, 'exit');
    onTestFinished(async () => {
      cli.kill('SIGINT');
      await ended;
    });
    let said = '';
    cli.stderr!.on('data', (text) => {
      said += text;
    });
    const untilIn = <T>(look: () => T) =>
      Promise.race([
        vi
          .waitUntil(look, TRIAL_LIMIT_MS)
          .catch((error: Error) => Promise.reject(new Error(`${error.message} ${said}`))),
        ended.then(() => Promise.reject(new Error(`the run ended: ${said}`))),
      ]);
    const typingIn = async (trial: number) => {
      await untilIn(() => new RegExp(`^\\[${trial}/4\\] .* · warm-up`, 'm').test(said));
      return { program: processOf(cli.pid!, 'yjs-pycrdt/server.py')!, host: processOf(cli.pid!, 'server/main.ts')! };
    };
    const verdictOf = async (trial: number) => {
      const path = join(out, `trials/yjs-pycrdt-node-2-${trial}/verdict.json`);
      return JSON.parse((await untilIn(() => readFile(path, 'utf8').catch(() => null)))!);
    };

    expect(await verdictOf(1)).toMatchObject({ verdict: 'valid', converged: true });
    await expectCosts(join(out, 'trials/yjs-pycrdt-node-2-1'));
    const second = await typingIn(2);
    process.kill(second.program, 'SIGKILL');
    expect(await verdictOf(2)).toMatchObject({
      verdict: 'failed',
      reasons: [{ code: 'server-lost', message: 'the server of yjs-pycrdt is lost: its process ended by SIGKILL' }],
    });
    const third = await typingIn(3);
    process.kill(third.host, 'SIGKILL');
    await expect.poll(() => isRunning(third.program)).toBe(false);
    expect(await verdictOf(3)).toMatchObject({ verdict: 'failed', reasons: [{ code: 'server-process' }] });
    const fourth = await typingIn(4);
    cli.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect([fourth.program, fourth.host].filter(isRunning)).toEqual([]);
    expect((await readdir(folder.path)).filter((name) => name.startsWith('scriptorium-fleet'))).toEqual([]);
  },
  4 * TRIAL_LIMIT_MS,
);
