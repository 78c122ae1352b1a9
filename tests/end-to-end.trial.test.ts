/** The whole product, once: the command line runs users in real Chrome with the real page, server and coordinator. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';
import { type Summary, summarySchema } from '../results/formats/summary.ts';
import { folderOfAllTests } from './folders.ts';

const folder = folderOfAllTests();

const EXPERIMENT = `
name: end-to-end
frameworks: yjs
modes: [optquill, noquill]
users: 2
trials: 1
durations: { warmUp: 1s, measure: 4s, profile: 1s, settle: 10s }
typing: { keysPerSecond: 10, sigilPeriod: 1s }
`;

async function start(args: string[]) {
  const file = folder.in('experiment.yaml');
  await writeFile(file, EXPERIMENT);
  // As the launcher starts it, whose options bound its memory.
  const launcher = await readFile(join(PROJECT_ROOT, 'scriptorium'), 'utf8');
  const [, options] = /^exec "\$node" (--.*) "\$root\/cli\/main\.ts"/m.exec(launcher)!;
  const cli = spawn(process.execPath, [...options!.split(' '), 'cli/main.ts', 'run', file, ...args], {
    cwd: PROJECT_ROOT,
    // Its users' temporary folders, so that the test can see whether one is left.
    env: { ...process.env, TMPDIR: folder.path },
  });
  let stdout = '';
  let stderr = '';
  cli.stdout.on('data', (text) => {
    stdout += text;
  });
  cli.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = once(cli, 'close').then(([code]) => ({ code, stdout, stderr }));
  /** Waits for a moment of the run. */
  const until = async (isNow: () => boolean) => {
    while (!isNow()) {
      if (cli.exitCode !== null) throw new Error(`the run ended before: ${stderr}`);
      await setTimeout(50);
    }
  };
  return { cli, ended, said: () => stderr, until };
}

/** The most that a process held while a trial ran that has records, but no verdict yet. */
async function largestMemoryMiB(pid: number, trial: string, ended: Promise<void>): Promise<number> {
  let largest = 0;
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await setTimeout(250);
    if (!existsSync(join(trial, 'records/user-001.ndjson.gz')) || existsSync(join(trial, 'verdict.json'))) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    largest = Math.max(largest, Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024);
  }
  return largest;
}

const leftFolders = () => readdirSync(folder.path).filter((name) => name.startsWith('scriptorium-'));
const exists = (path: string) => access(path).then(() => true);

describe('a run in real Chrome', () => {
  let attempts = 0;

  test('is valid in both modes, loses nothing, and leaves every file that the design names', async () => {
    // Another one where a machine that was stolen makes the test try again.
    const out = folder.in(`run ${++attempts}`);
    const { cli, ended } = await start(['--out', out, '--json']);
    const measured = Promise.withResolvers<void>();
    const memory = largestMemoryMiB(cli.pid!, join(out, 'trials/yjs-noquill-2-1'), measured.promise);
    const { code, stdout, stderr } = await ended;
    measured.resolve();
    expect(stderr).toContain('yjs-optquill-2, trial 1: valid');
    expect(code, stderr).toBe(0);
    const summary: Summary = summarySchema.parse(JSON.parse(stdout));
    expect(JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'))).toEqual(JSON.parse(stdout));
    expect(summary.cells.map(({ mode }) => mode)).toEqual(['optquill', 'noquill']);
    for (const cell of summary.cells) {
      expect(cell).toMatchObject({
        framework: 'yjs',
        users: 2,
        trials: 1,
        validTrials: 1,
        verdict: 'valid',
        converged: true,
      });
      expect(cell.throughputPercent).toBeGreaterThanOrEqual(98);
      // 4 sigils of each of 2 users fall into 4 s; the other user's typing at the same place may break some.
      expect(cell.localLatencyMs.samples).toBeGreaterThanOrEqual(4);
      expect(cell.endToEndLatencyMs.samples).toBeGreaterThanOrEqual(4);
      expect(cell.localLatencyMs.p50 ?? 1).toBeGreaterThan(0);
      expect(cell.clockErrorMs).toBeLessThan(5);
      expect(cell.documentCharacters).toBeGreaterThan(1);
      expect(cell.ci95.throughputPercent).toBeNull();
      if (process.platform === 'linux') {
        expect(cell.userCpuPercent).toBeGreaterThan(0);
        expect(cell.userMemoryMiB).toBeGreaterThan(20);
      }
      const trial = join(out, 'trials', `yjs-${cell.mode}-2-1`);
      for (const name of ['user-000', 'user-001', 'server']) {
        expect(await exists(join(trial, 'records', `${name}.ndjson.gz`))).toBe(true);
        const profile = JSON.parse(await readFile(join(trial, 'profiles', `${name}.cpuprofile`), 'utf8'));
        expect(profile.nodes.length).toBeGreaterThan(0);
      }
      expect(await exists(join(trial, 'documents/user-000.state'))).toBe(true);
    }
    // The second trial's: what the first one took to build, judge and sum up is not there any more.
    if (process.platform === 'linux') {
      expect(await memory).toBeGreaterThan(0);
      expect(await memory).toBeLessThan(150);
    }
    expect(leftFolders()).toEqual([]);
  });

  test('Ctrl-C in the middle stops every process and keeps nothing half-done', async () => {
    const out = folder.in('interrupted');
    const { cli, ended, said, until } = await start(['--out', out, '--modes', 'noquill', '--measure', '60s']);
    await until(() => said().includes('Running') && leftFolders().length > 0);
    // By now processes are starting; a little later Chrome is, too.
    await setTimeout(1500);
    cli.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain('--resume goes on');
    expect(leftFolders()).toEqual([]);
    await expect(exists(join(out, 'trials/yjs-noquill-2-1/verdict.json'))).rejects.toThrow();
  });
});
