import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { SUMMARY_SCHEMA_VERSION } from '../../results/formats/summary.ts';
import { watchFinishedCells } from './finished-cells.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'finished-cells-'));
});
afterEach(() => rm(folder, { recursive: true }));

const size = { frameworks: ['yjs'], modes: ['noquill'], userCounts: [4], trials: 1, seconds: 20 };
const [cell] = syntheticReport(size).cells;
const summary = {
  schemaVersion: SUMMARY_SCHEMA_VERSION,
  experiment: 'smoke',
  startedAt: '2026-01-01T00:00:00Z',
  environment: {},
  cells: [cell!.summary],
};

test('before the first trial ends there are no cells; a summary is read once each time that it is written', async () => {
  const path = join(folder, 'summary.json');
  const watch = watchFinishedCells(path);
  expect(await watch.haveChanged()).toBe(false);
  expect(watch.latest()).toEqual({ cells: [], problem: null });
  await writeFile(path, JSON.stringify(summary));
  expect(await watch.haveChanged()).toBe(true);
  expect(watch.latest()).toEqual({ cells: [cell!.summary], problem: null });
  expect(await watch.haveChanged()).toBe(false);
});

test.each([
  ['{"schemaVersion": 0}', /is not as a run writes it/],
  ['{"schema', /cannot be read/],
])('a summary that is none is told, and ends nothing: %s', async (content, problem) => {
  const path = join(folder, 'summary.json');
  await writeFile(path, content);
  const watch = watchFinishedCells(path);
  expect(await watch.haveChanged()).toBe(true);
  expect(watch.latest()).toEqual({ cells: [], problem: expect.stringMatching(problem) });
});
