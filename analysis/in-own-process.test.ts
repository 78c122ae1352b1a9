import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UserError } from '../results/user-error.ts';
import { judgeElsewhere, summarizeElsewhere } from './in-own-process.ts';
import { writeHandMadeRun } from './test-data/hand-made-run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'in-own-process-'));
  const figures = { localMs: 30, endToEndMs: 300, serverCpuPercent: 20 };
  await writeHandMadeRun(folder, { trials: [{ figures }, { figures }] });
});
afterAll(() => rm(folder, { recursive: true }));

test('trials are judged and runs summed up, and this process does not come to hold the database', async () => {
  const { verdict } = await judgeElsewhere(join(folder, 'trials/x-noquill-2-1'));
  expect(verdict).toBe('valid');
  const { cells } = await summarizeElsewhere(folder);
  expect(cells.map(({ trials }) => trials)).toEqual([2]);
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  expect(sharedObjects.length).toBeGreaterThan(0);
  expect(sharedObjects.filter((path) => path.includes('duckdb'))).toEqual([]);
});

test('what goes wrong there is told here, as the same kind of error', async () => {
  const failing = summarizeElsewhere(join(folder, 'nowhere'));
  await expect(failing).rejects.toThrow('holds no run');
  await expect(failing).rejects.toBeInstanceOf(UserError);
});

test.runIf(process.platform === 'linux')('one that was killed while nothing was asked of it is replaced', async () => {
  const trial = join(folder, 'trials/x-noquill-2-1');
  await judgeElsewhere(trial);
  for (const pid of readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')) {
    process.kill(Number(pid), 'SIGKILL');
  }
  await setTimeout(200);
  expect((await judgeElsewhere(trial)).verdict).toBe('valid');
});
