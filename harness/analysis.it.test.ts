import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeHandMadeRun } from '../analysis/test-data/hand-made-run.ts';
import { UserError } from '../results/user-error.ts';
import { analyseTrial, summarizeRun } from './analysis.ts';

// Not the one of tests/one-analysis.ts.
vi.unmock(import('./analysis.ts'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'analysis-test-'));
  const figures = { localMs: 30, endToEndMs: 300, serverCpuPercent: 20 };
  await writeHandMadeRun(folder, { trials: [{ figures }, { figures }] });
});
afterAll(() => rm(folder, { recursive: true }));

test('trials are judged and runs summed up, and this process does not come to hold the database', async () => {
  const { verdict } = await analyseTrial(join(folder, 'trials/x-noquill-2-1'));
  expect(verdict).toBe('valid');
  const { cells } = await summarizeRun(folder);
  expect(cells.map(({ trials }) => trials)).toEqual([2]);
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  expect(sharedObjects.length).toBeGreaterThan(0);
  expect(sharedObjects.filter((path) => path.includes('duckdb'))).toEqual([]);
});

test('what goes wrong there is told here, as the same kind of error', async () => {
  const failing = summarizeRun(join(folder, 'nowhere'));
  await expect(failing).rejects.toThrow('holds no run');
  await expect(failing).rejects.toBeInstanceOf(UserError);
});
