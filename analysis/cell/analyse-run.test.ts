import { existsSync } from 'node:fs';
import { readFile, truncate } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ENVIRONMENT_FILE, FIGURES_FILE, recordPath } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { analyseRun } from './analyse-run.ts';

const run = folderOfEachTest();

const trial = (localMs: number) => ({ figures: { localMs, endToEndMs: 100, serverCpuPercent: 2 } });
const medianOf = async () => (await analyseRun(run.path, { keeps: true })).cells[0]!.figures['localLatencyMs.p50'];

test('what is kept of the trials, or put into them by hand, says the same as their records', async () => {
  const slow = { figures: { localMs: 400, endToEndMs: 3000, serverCpuPercent: 4 } };
  await writeHandMadeRun(run.path, { trials: [trial(10), slow] });
  const fromRecords = await analyseRun(run.path, { keeps: true });
  expect(existsSync(run.in('trials/x-noquill-2-1', FIGURES_FILE))).toBe(true);
  expect(await analyseRun(run.path)).toEqual(fromRecords);
  await writeHandMadeRun(run.path, { trials: [trial(10), slow], isAnalysed: true });
  expect(await analyseRun(run.path)).toEqual(fromRecords);
});

test('a further trial, a rewritten record or a cut one is seen', async () => {
  await writeHandMadeRun(run.path, { trials: [trial(10), null] });
  expect(await medianOf()).toBe(10);
  await writeHandMadeRun(run.path, { trials: [trial(10), trial(30)] });
  expect(await medianOf()).toBe(20);
  await writeHandMadeRun(run.path, { trials: [trial(20), trial(30)] });
  expect(await medianOf()).toBe(25);
  const cutOff = recordPath(run.in('trials/x-noquill-2-1'), 'user-000');
  await truncate(cutOff, (await readFile(cutOff)).length - 12);
  expect(await medianOf()).toBe(30);
});

test('a framework’s tier is what the run wrote of it; an older run’s is unknown', async () => {
  await writeHandMadeRun(run.path, { trials: [trial(10)], isAnalysed: true });
  const tier = async (frameworks: object) => {
    await writeJson(run.in(ENVIRONMENT_FILE), { frameworks });
    return (await analyseRun(run.path)).cells[0]!.tier;
  };
  expect((await analyseRun(run.path)).cells[0]!.tier).toBe('unknown');
  expect(await tier({ x: { version: '1.0.0', tier: 'deployed' } })).toBe('deployed');
  expect(await tier({ x: { version: '1.0.0' } })).toBe('unknown');
  expect(await tier({ x: { version: '1.0.0', tier: 'other' } })).toBe('unknown');
});
