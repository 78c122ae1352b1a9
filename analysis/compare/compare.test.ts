import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PLAN_FILE } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { folderOfAllTests, folderOfEachTest } from '../../tests/folders.ts';
import { HEADLINE_FIGURES } from '../figures/catalogue.ts';
import type { HeadlineFigureName } from '../figures/figure.ts';
import { writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { compareHalves, compareRuns } from './compare.ts';
import type { Comparison } from './compared-run.ts';
import { compareFigure } from './figure-change.ts';
import { formatMarkdownComparison, toBencher, toGithubActionBenchmark } from './format.ts';
import { failedThresholds, parseThreshold } from './threshold.ts';

const folder = folderOfEachTest();

const writeRun = (directory: string, run: Parameters<typeof writeHandMadeRun>[1]) =>
  writeHandMadeRun(directory, { isAnalysed: true, ...run });
const at = (name: string) => folder.in(name);
const trials = (...localMs: number[]) =>
  localMs.map((each) => ({ figures: { localMs: each, endToEndMs: 100, serverCpuPercent: 2 } }));

/** Ten times as slow; see welch.test.ts for the interval. */
const tenfoldFolder = folderOfAllTests();
let tenfold: Comparison;
beforeAll(async () => {
  const [base, fresh] = [tenfoldFolder.in('base'), tenfoldFolder.in('new')];
  await writeRun(base, { trials: trials(10, 20, 40), version: '1.0.0' });
  await writeRun(fresh, { trials: trials(100, 200, 400), version: '1.1.0' });
  tenfold = await compareRuns(base, fresh);
});

const figure = (name: HeadlineFigureName) => HEADLINE_FIGURES.find((each) => each.name === name)!;

describe('two runs', () => {
  test('golden: what changed, by how much, in a word', () => {
    expect(tenfold.warnings).toEqual([]);
    const [cell] = tenfold.cells;
    const changes = Object.fromEntries(cell!.figures.map((change) => [change.figure.name, change]));
    const local = changes['localLatencyMs.p50']!;
    // Alone it would be slower; among three figures that can be judged it may be chance (p = 0.016, and 0.05 / 4 is needed).
    expect(local).toMatchObject({ word: 'may be chance', isBetter: null, ci95Unit: '%' });
    expect(local.base).toBeCloseTo(20, 9);
    expect(local.new).toBeCloseTo(200, 9);
    expect(local.changePercent).toBeCloseTo(900, 9);
    // 10 · e^-1.571337 = 2.0777: +107.8 %.
    expect(local.ci95!.low).toBeCloseTo(107.77, 1);
    expect(changes.serverCpuPercent).toMatchObject({ word: 'no difference found', difference: 0, isBetter: null });
    expect(changes.throughputPercent).toMatchObject({ word: 'no difference found', ci95: { low: 0, high: 0 } });
    expect(changes.userCpuPercent).toMatchObject({ word: 'not measured', base: null, new: null, ci95: null });
    const markdown = formatMarkdownComparison(tenfold, []);
    expect(markdown).toContain('### x 1.0.0 → 1.1.0, noquill, 2 users (3 and 3 valid trials)');
    expect(markdown).toContain('| local latency, median, ms | 20 | 200 | +900.0 % | +107.8 to +4713 | may be chance |');
  });

  test('what was compared is said, and how many comparisons were corrected for', () => {
    expect(tenfold).toMatchObject({ design: 'apart' });
    const judged = tenfold.cells[0]!.figures.filter(({ p }) => p !== null).length;
    expect(tenfold.comparisons).toBe(judged);
    const markdown = formatMarkdownComparison(tenfold, []);
    expect(markdown).toContain('Compared: two runs made apart. If runs differ as much as trials do');
    expect(markdown).toContain(
      `One by one, ${(judged / 20).toFixed(1)} of ${judged} comparisons would find a difference by chance alone`,
    );
    expect(markdown).toMatch(/\| throughput, % .* no difference found \(within ±0\.0+ points\) \|/);
    // Medians of 10, 20, 40 ms and of 100, 200, 400 ms: the intervals of both reach past 100 ms (20 · e^1.722 = 112).
    expect(tenfold.cells[0]!.functional).toEqual({ base: 'not judged', new: 'not judged' });
  });

  test('the halves of one run are compared in pairs, where drift does not count', async () => {
    const drifting = [10, 20, 40];
    await writeRun(at('run/base'), { trials: trials(...drifting) });
    await writeRun(at('run/new'), {
      trials: trials(...drifting.map((each, index) => each * (1.199 + 0.001 * index))),
    });
    await expect(compareHalves(at('run'))).rejects.toThrow(/no against\.json, .*--against REF/);
    await writeJson(at('run/against.json'), {});
    const paired = await compareHalves(at('run'));
    const change = paired.cells[0]!.figures.find(({ figure: { name } }) => name === 'localLatencyMs.p50')!;
    expect(change).toMatchObject({ word: 'slower', isBetter: false });
    expect(change.changePercent).toBeCloseTo(20, 1);
    expect(paired.cells[0]!.pairs).toBe(3);
    expect(formatMarkdownComparison(paired, [])).toContain('**slower**');
    expect(failedThresholds(paired, [parseThreshold('localLatencyMs.p50 > +10%')])).toEqual([
      expect.stringMatching(/changed by \+20\.\d %, in pairs within one run$/),
    ]);
    // The same trials as two runs say nothing.
    const apart = await compareRuns(at('run/base'), at('run/new'));
    expect(apart.cells[0]!.figures.find(({ figure: { name } }) => name === 'localLatencyMs.p50')!.word).toBe(
      'too noisy to tell',
    );
  });

  test('a pair of which one trial is not valid is no pair', async () => {
    const fault = { code: 'lost', message: 'user 1 was lost' };
    const [first, ...rest] = trials(10, 20, 40);
    await writeRun(at('run/base'), { trials: trials(10, 20, 40) });
    await writeRun(at('run/new'), { trials: [{ ...first!, fault }, ...rest] });
    await writeJson(at('run/against.json'), {});
    const { cells, warnings } = await compareHalves(at('run'));
    const [cell] = cells;
    expect(warnings).toEqual([
      'x, noquill, 2 users: 1 of 3 trials of new is not valid and left out, with the other halves of their pairs',
    ]);
    expect(cell!.pairs).toBe(2);
    expect(cell!.figures.find(({ figure: { name } }) => name === 'localLatencyMs.p50')).toMatchObject({
      trials: { base: 2, new: 2 },
      base: expect.closeTo(Math.sqrt(20 * 40), 9),
      word: 'too few trials',
    });
  });

  test('warns where conditions or machines differ, or trials do not count', async () => {
    const fault = { code: 'lost', message: 'user 1 was lost' };
    const [first, ...rest] = trials(10, 20, 40);
    await writeRun(at('base'), { trials: trials(10, 20, 40), conditions: { durations: { measureMs: 1 } } });
    await writeRun(at('new'), {
      trials: [{ ...first!, fault }, ...rest],
      conditions: { durations: { measureMs: 2 } },
      name: 'large',
    });
    await writeJson(at('base/environment.json'), { cpu: 'A', cores: 2 });
    await writeJson(at('new/environment.json'), { cpu: 'A', cores: 4 });
    expect((await compareRuns(at('base'), at('new'))).warnings).toEqual([
      'the experiments differ, so what changed may be the conditions: name: "small" / "large", durations.measureMs: 1 / 2',
      'the machines differ, so what changed may be the machine: cores: 2 / 4',
      'x, noquill, 2 users: 1 of 3 trials of new is not valid and left out',
    ]);
  });

  test('warns where the machines’ speeds differ by more than a tenth, or are not known', async () => {
    await writeRun(at('base'), { trials: trials(10, 20, 40), speed: 300 });
    const warningsWith = async (speed: number | null) => {
      await rm(at('new'), { recursive: true, force: true });
      await writeRun(at('new'), { trials: trials(10, 20, 40), speed });
      return (await compareRuns(at('base'), at('new'))).warnings;
    };
    expect(await warningsWith(329)).toEqual([]);
    expect(await warningsWith(334)).toEqual([
      'the machines’ speeds differ by 11.3 %, more than 10 %, so figures may differ by the machine: base: 300 turns/µs on one core, 300 on all; new: 334 turns/µs on one core, 334 on all',
    ]);
    expect(await warningsWith(null)).toEqual([
      'the machine’s speed was not measured, so figures may differ by the machine: new',
    ]);
  });

  test('warns where a framework’s server does another job', async () => {
    const frameworks = (tier: string) => ({ frameworks: { x: { version: '1.0.0', tier } } });
    await writeRun(at('base'), { trials: trials(10, 20, 40) });
    await writeRun(at('new'), { trials: trials(10, 20, 40) });
    await writeJson(at('base/environment.json'), frameworks('library'));
    await writeJson(at('new/environment.json'), frameworks('deployed'));
    expect((await compareRuns(at('base'), at('new'))).warnings).toEqual([
      'the servers of x do unlike jobs, so what changed may be the job: over the same relay / with their own servers',
    ]);
    await writeJson(at('base/environment.json'), frameworks('deployed'));
    expect((await compareRuns(at('base'), at('new'))).warnings).toEqual([]);
  });

  test('without a common cell they are refused, with what each has', async () => {
    await writeRun(at('base'), { trials: trials(10) });
    await writeRun(at('new'), { trials: [null] });
    await expect(compareRuns(at('base'), at('new'))).rejects.toThrow(
      /no cell in common.*base has x, noquill, 2 users; .*new has no cell that has run/,
    );
  });
});

describe('words', () => {
  const word = (name: HeadlineFigureName, base: number[], fresh: number[]) =>
    compareFigure(figure(name), base, fresh).word;

  test('latencies are faster or slower, the rest more or less', () => {
    expect(word('localLatencyMs.p50', [100, 101, 102], [50, 51, 52])).toBe('faster');
    expect(word('serverCpuPercent', [10, 11, 12], [50, 51, 52])).toBe('more');
    expect(word('userMemoryMiB', [50, 51, 52], [10, 11, 12])).toBe('less');
    expect(word('throughputPercent', [100, 99.9, 99.8], [80, 80.1, 80.2])).toBe('less');
  });

  test('better is less of a cost, but more throughput', () => {
    expect(compareFigure(figure('serverCpuPercent'), [50, 51, 52], [10, 11, 12]).isBetter).toBe(true);
    expect(compareFigure(figure('throughputPercent'), [80, 80.1, 80.2], [100, 99.9, 99.8]).isBetter).toBe(true);
  });

  test('an interval that holds no change says nothing where it is wide', () => {
    expect(word('serverCpuPercent', [100, 101, 102], [100, 101, 102])).toBe('no difference found');
    // Means 20, variances 100: the margin is 2.776 · √(200/3) = 22.7, more than the mean itself.
    expect(word('serverCpuPercent', [10, 20, 30], [10, 20, 30])).toBe('too noisy to tell');
    // 2.776 · √(2/3 · 2.25) = 3.4 points.
    expect(word('throughputPercent', [97, 98.5, 100], [97, 98.5, 100])).toBe('too noisy to tell');
    expect(word('serverCpuPercent', [1, 2], [10, 20, 30])).toBe('too few trials');
    expect(word('serverCpuPercent', [], [10, 20, 30])).toBe('not measured');
  });

  test('a latency at or below zero was measured, but has no ratio', () => {
    const change = compareFigure(figure('endToEndLatencyMs.p50'), [-0.5, 1, 2], [1, 2, 3]);
    expect(change).toMatchObject({ word: 'no ratio (0 or less)', base: null, ci95: null, isBetter: null });
    expect(word('endToEndLatencyMs.p50', [], [-0.5, 1, 2])).toBe('not measured');
  });

  test('of a base of 0 there is no change in percent, which is not for want of trials', () => {
    expect(word('serverCpuPercent', [0, 0, 0], [0, 0, 0])).toBe('no difference found');
    // 2.48 to either side of 2, and of 11: t(2) = 4.303, times 1 / √3.
    expect(word('serverCpuPercent', [0, 0, 0], [1, 2, 3])).toBe('too noisy to tell');
    const change = compareFigure(figure('serverCpuPercent'), [0, 0, 0], [10, 11, 12]);
    expect(change).toMatchObject({ word: 'more', difference: 11, changePercent: null, ci95: null });
  });
});

describe('thresholds', () => {
  const failures = (...texts: string[]) =>
    failedThresholds(
      tenfold,
      texts.map((text) => parseThreshold(text)),
    );

  test('golden: a change beyond the bound fails, one within does not', () => {
    expect(failures('localLatencyMs.p50 > +10%')).toEqual([
      'x, noquill, 2 users: localLatencyMs.p50 > +10%: it changed by +900.0 %, between two runs made apart',
    ]);
    expect(failures('localLatencyMs.p50 > +1000%', 'localLatencyMs.p50 < -10%')).toEqual([]);
    expect(failures('localLatencyMs.p50 >= +179')).toEqual([
      expect.stringMatching(/changed by \+180\.0 ms, between two runs made apart$/),
    ]);
    expect(failures('localLatencyMs.p50 > 199', 'throughputPercent <= 98')).toEqual([
      'x, noquill, 2 users: localLatencyMs.p50 > 199: it is 200.0 ms',
    ]);
  });

  test('only >= and <= fail at the bound itself', () => {
    const failing = ['>', '>=', '<', '<='].filter(
      (operator) => failures(`throughputPercent ${operator} 100`).length > 0,
    );
    expect(failing).toEqual(['>=', '<=']);
  });

  test('a figure that was not measured fails', () => {
    expect(failures('userCpuPercent > +10%')).toEqual([expect.stringMatching(/it was not measured in both runs/)]);
    const [cell] = tenfold.cells;
    const change = compareFigure(figure('localLatencyMs.p50'), [-0.5, 1, 2], [1, 2, 3]);
    expect(
      failedThresholds({ ...tenfold, cells: [{ ...cell!, figures: [change] }] }, [
        parseThreshold('localLatencyMs.p50 > +10%'),
      ]),
    ).toEqual([expect.stringMatching(/a trial’s figure is 0 or less, of which there is no ratio$/)]);
  });

  test('a cell that the new run has planned but not run fails', async () => {
    await writeRun(at('base'), { trials: trials(10) });
    await writeRun(at('new'), { trials: trials(10) });
    const plan = JSON.parse(await readFile(join(at('new'), PLAN_FILE), 'utf8'));
    const [first] = plan.trials;
    // Of the base's two cells the new run has had one.
    const second = { ...first, cell: 'x-noquill-3', users: 3, directory: 'trials/x-noquill-3-1' };
    const both = { ...plan, trials: [first, second] };
    await cp(join(at('base'), first.directory), join(at('base'), second.directory), { recursive: true });
    await writeJson(join(at('base'), PLAN_FILE), both);
    await writeJson(join(at('new'), PLAN_FILE), both);
    const comparison = await compareRuns(at('base'), at('new'));
    expect(comparison.unmatched).toEqual([expect.stringMatching(/^x, noquill, 3 users: only in .*base$/)]);
    expect(failedThresholds(comparison, [parseThreshold('localLatencyMs.p50 > +10%')], { onEstimate: true })).toEqual([
      'x, noquill, 3 users: localLatencyMs.p50 > +10%: no trial of it has run on both sides',
    ]);
    // Nor may a gate open for want of the base, or of both, as of a run that was interrupted.
    expect((await compareRuns(at('new'), at('base'))).notRun).toEqual(['x, noquill, 3 users']);
    await rm(join(at('base'), second.directory), { recursive: true });
    const warnings = ['x, noquill, 3 users: planned, and no trial of it has run on both sides'];
    expect(await compareRuns(at('base'), at('new'))).toMatchObject({ unmatched: [], warnings });
    // A cell that the plan leaves out is no fault of the run.
    await writeJson(join(at('new'), PLAN_FILE), plan);
    expect((await compareRuns(at('base'), at('new'))).notRun).toEqual([]);
  });

  test('chance does not fail; with too few trials to know, the estimate decides where a person wants that', async () => {
    await writeRun(at('base'), { trials: trials(10, 20, 40) });
    await writeRun(at('new'), { trials: trials(15, 25, 45) });
    const threshold = [parseThreshold('localLatencyMs.p50 > +10%')];
    expect(failedThresholds(await compareRuns(at('base'), at('new')), threshold)).toEqual([]);
    await writeRun(at('new'), { trials: trials(15, 25) });
    const few = await compareRuns(at('base'), at('new'));
    expect(() => failedThresholds(few, threshold)).toThrow(
      /cannot be judged: x, noquill, 2 users has 3 trials of base and 2 of new .* takes 3 of each; .*--fail-on-estimate/,
    );
    // A threshold on the figure itself, not on its change, needs no interval.
    expect(failedThresholds(few, [parseThreshold('localLatencyMs.p50 > 10')])).toHaveLength(1);
    expect(failedThresholds(few, threshold, { onEstimate: true })).toEqual([]);
    await writeRun(at('new'), { trials: trials(25, 45) });
    expect(failedThresholds(await compareRuns(at('base'), at('new')), threshold, { onEstimate: true })).toEqual([
      expect.stringMatching(/changed by \+67\.7 % \(too few trials: chance is not ruled out\)$/),
    ]);
  });

  test.each([
    ['latency > +10%', /there is no figure latency/],
    ['localLatencyMs.p50 > 10%', /10% has no sign/],
    ['localLatencyMs.p50 > -10%', /> takes no -: > finds a rise/],
    ['localLatencyMs.p50', /not of the form/],
    ['localLatencyMs.p50 = 3', /not of the form/],
    ['', /not of the form/],
  ])('%j is refused, with the figures that there are', (text, problem) => {
    expect(() => parseThreshold(text)).toThrow(problem);
    expect(() => parseThreshold(text)).toThrow(/endToEndLatencyMs\.p95 \(ms\)/);
  });
});

describe('forms for continuous benchmarking', () => {
  test('golden: github-action-benchmark, where smaller is better throughout', () => {
    const entries = toGithubActionBenchmark(tenfold);
    const extra = 'x 1.1.0, 3 valid trials';
    expect(entries[0]).toEqual({
      name: 'x, noquill, 2 users: not reached of throughput',
      unit: '%',
      value: 0,
      range: '± 0.000',
      extra,
    });
    expect(entries[1]).toMatchObject({ name: 'x, noquill, 2 users: local latency, median', unit: 'ms', value: 200 });
    // A figure that was not measured is absent.
    expect(entries.map(({ name }) => name)).not.toContain('x, noquill, 2 users: user CPU');
  });

  test('github-action-benchmark: a rate of 0 has no time for one, and an interval that reaches 0 no range', () => {
    const [cell] = tenfold.cells;
    const rate = { ...figure('throughputPercent'), name: 'rate', unit: '1/s' };
    const entriesOf = (value: number, low: number) => {
      const fresh = { ...cell!.new, figures: { rate: value }, ci95: { rate: { low, high: 8 } } };
      const cells = [{ ...cell!, new: fresh, figures: [{ ...cell!.figures[0]!, figure: rate }] }];
      return toGithubActionBenchmark({ ...tenfold, cells });
    };
    expect(entriesOf(0, 0)).toEqual([]);
    expect([entriesOf(4, 2), entriesOf(4, -1)].map(([entry]) => entry!.range)).toEqual(['± 0.188', undefined]);
  });

  test('golden: Bencher Metric Format', () => {
    const metrics = toBencher(tenfold)['x, noquill, 2 users']!;
    expect(metrics['server-cpu']).toEqual({ value: 2, lower_value: 2, upper_value: 2 });
    expect(metrics['local-latency-median']!.value).toBe(200);
    expect(Object.keys(metrics)).not.toContain('user-cpu');
  });
});
