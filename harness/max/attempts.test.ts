import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseCondition } from '../../analysis/cell/condition.ts';
import { writeHandMadeRun } from '../../analysis/test-data/hand-made-run.ts';
import { readPlan } from '../../results/run-folder/run-files.ts';
import { Attempts } from './attempts.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'attempts-test-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('each trial is judged by itself; one that does not count tells what was used up, too', async () => {
  const figures = { localMs: 10, endToEndMs: 80, serverCpuPercent: 40 };
  const fault = { code: 'chrome-crashed', message: 'a Chrome crashed' };
  const slow = { ...figures, localMs: 300 };
  await writeHandMadeRun(directory, {
    trials: [
      { figures },
      { figures: slow },
      { figures, fault, verdict: { verdict: 'invalid', reasons: [fault] } },
      null,
    ],
  });
  const criterion = { name: 'where' as const, conditions: [parseCondition('localLatencyMs.p50 < 100')] };
  const attempts = await new Attempts({ directory, criterion }).of((await readPlan(directory)).trials);
  expect(attempts.map(({ planned, outcome, why }) => [planned.trial, outcome, why])).toEqual([
    [1, 'held', []],
    [2, 'missed', ['local latency, median is 300.0 ms, not localLatencyMs.p50 < 100']],
    [3, 'unknown', ['a Chrome crashed']],
  ]);
  expect(attempts.map(({ figures: { serverCpuPercent } }) => serverCpuPercent)).toEqual([40, 40, 40]);
});
