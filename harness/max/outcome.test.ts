import { describe, expect, test } from 'vitest';
import type { JudgedTrial } from '../../analysis/cell/collect-cell.ts';
import { parseCondition } from '../../analysis/cell/condition.ts';
import { aboutCell, CRITERION_CODES } from '../../analysis/cell/messages.ts';
import { writeHandMadeRun } from '../../analysis/test-data/hand-made-run.ts';
import { changed } from '../../analysis/test-data/written-cell.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { readPlan } from '../../results/run-folder/run-files.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { cellWithFigures } from '../../tests/runs.ts';
import { Attempts, type Criterion, outcomeOf } from './outcome.ts';

const cell = cellWithFigures();
const TRIAL: JudgedTrial = { ...cell.ran[0]!, verdict: 'valid', messages: [], figures: null, isShortOfCores: false };
const where = (...texts: string[]): Criterion => ({ name: 'where', conditions: texts.map(parseCondition) });

function judge(criterion: Criterion, summary: Partial<CellSummary> = {}, trial: Partial<JudgedTrial> = {}) {
  const whole = changed(cell, {
    fullyFunctional: true,
    smooth: true,
    messages: [],
    reasons: [],
    notes: [],
    ...summary,
  });
  return outcomeOf({ ...TRIAL, ...trial }, whole, criterion);
}

describe.each(['paper', 'smooth'] as const)('%s', (name) => {
  const key = name === 'paper' ? 'fullyFunctional' : 'smooth';
  const { missed, unknown } = CRITERION_CODES[name];

  test('held', () => {
    expect(judge({ name })).toEqual({ outcome: 'held', why: [] });
  });

  test('missed, with the bounds of this criterion only', () => {
    const messages = [aboutCell('another', 'decides', 'a'), aboutCell(missed, 'decides', 'b')];
    expect(judge({ name }, { [key]: false, messages })).toEqual({ outcome: 'missed', why: ['b'] });
  });

  test('not known, as where only a busy machine missed a bound', () => {
    const messages = [aboutCell(unknown, 'decides', 'too few samples'), aboutCell('another', 'care', 'something else')];
    expect(judge({ name }, { [key]: null, messages })).toEqual({
      outcome: 'unknown',
      why: ['too few samples'],
    });
  });

  test('a trial that does not count', () => {
    const why = ['the load generator was the bottleneck'];
    const messages = why.map((text) => aboutCell('driver-saturated', 'decides', text));
    for (const verdict of ['invalid', 'unknown'] as const)
      expect(judge({ name }, { [key]: null }, { verdict, messages })).toEqual({ outcome: 'unknown', why });
    expect(judge({ name }, { [key]: false }, { verdict: 'failed', messages })).toEqual({
      outcome: 'missed',
      why,
    });
  });
});

describe('conditions of one’s own', () => {
  const summary = { throughputPercent: 97, serverCpuPercent: 20 };

  test('all must hold', () => {
    expect(judge(where('throughputPercent > 90', 'serverCpuPercent < 50'), summary).outcome).toBe('held');
    expect(judge(where('throughputPercent > 90', 'serverCpuPercent < 10'), summary)).toEqual({
      outcome: 'missed',
      why: ['server CPU (20.0 %, asked serverCpuPercent < 10)'],
    });
  });

  test('one that is missed on a busy machine is not known, and neither is one without its figure', () => {
    expect(judge(where('throughputPercent > 98'), summary, { isShortOfCores: true }).outcome).toBe('unknown');
    expect(judge(where('throughputPercent > 90'), summary, { isShortOfCores: true }).outcome).toBe('held');
    expect(judge(where('serverCpuPercent < 50'), { serverCpuPercent: null })).toEqual({
      outcome: 'unknown',
      why: ['server CPU (not known)'],
    });
  });
});

const directory = folderOfEachTest();

test('each trial is judged by itself; one that does not count tells what was used up, too', async () => {
  const figures = { localMs: 10, endToEndMs: 80, serverCpuPercent: 40 };
  const fault = { code: 'chrome-crashed', message: 'a Chrome crashed' };
  const slow = { ...figures, localMs: 300 };
  await writeHandMadeRun(directory.path, {
    trials: [
      { figures },
      { figures: slow },
      { figures, fault, verdict: { verdict: 'invalid', reasons: [fault] } },
      null,
    ],
    isAnalysed: true,
  });
  const criterion = { name: 'where' as const, conditions: [parseCondition('localLatencyMs.p50 < 100')] };
  const attempts = await new Attempts({ directory: directory.path, criterion }).of(
    (await readPlan(directory.path)).trials,
  );
  expect(attempts.map(({ planned, outcome, why }) => [planned.trial, outcome, why])).toEqual([
    [1, 'held', []],
    [2, 'missed', ['local latency, median (300.0 ms, asked localLatencyMs.p50 < 100)']],
    [3, 'unknown', ['a Chrome crashed']],
  ]);
  expect(attempts.map((attempt) => attempt.cell.figures.serverCpuPercent)).toEqual([40, 40, 40]);
  expect(attempts.map(({ lacksFigure }) => lacksFigure)).toEqual([false, false, false]);
  const unmeasured = { name: 'where' as const, conditions: [parseCondition('keyLatencyMs.p95 < 100')] };
  const { trials } = await readPlan(directory.path);
  const [sound, , spoilt] = await new Attempts({ directory: directory.path, criterion: unmeasured }).of(trials);
  expect([sound, spoilt]).toMatchObject([
    { outcome: 'unknown', lacksFigure: true },
    { outcome: 'unknown', lacksFigure: false },
  ]);
});
