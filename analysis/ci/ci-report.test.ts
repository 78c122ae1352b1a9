import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as prng from 'lib0/prng';
import { describe, expect, test } from 'vitest';
import { PLAN_FILE, type PlanFile } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { aboutCell } from '../cell/messages.ts';
import { compareFrameworks } from '../compare/compare.ts';
import { type Comparison, readComparedRun } from '../compare/compared-run.ts';
import { comparePairedFigure } from '../compare/figure-change.ts';
import { judgeThresholds, parseThreshold, type Threshold } from '../compare/threshold.ts';
import { type HandMadeRun, writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { normalDeviates } from '../test-data/normal-deviates.ts';
import { type CiReport, type ConformanceFinding, refusalOf, reportOf } from './ci-report.ts';
import { compareForCi } from './ci-rule.ts';
import { formatAnnotations, formatCiMarkdown, formatJunit } from './ci-texts.ts';

const folder = folderOfEachTest();

type Trials = HandMadeRun['trials'];
const trials = (...serverCpuPercents: number[]): Trials =>
  serverCpuPercents.map((serverCpuPercent) => ({ figures: { localMs: 10, endToEndMs: 100, serverCpuPercent } }));

/** One run of two frameworks, `x@base` and `x`. */
async function compared(base: Trials, change: Trials): Promise<Comparison> {
  const directory = folder.in('typing');
  const plans: PlanFile[] = [];
  for (const [framework, of] of [['x@base', base] as const, ['x', change] as const]) {
    await writeHandMadeRun(directory, { isAnalysed: true, framework, trials: of });
    plans.push(JSON.parse(await readFile(join(directory, PLAN_FILE), 'utf8')));
  }
  await writeJson(join(directory, PLAN_FILE), { ...plans[0], trials: plans.flatMap((plan) => plan.trials) });
  const figures = ['serverCpuPercent', 'endToEndLatencyMs.p50'];
  const names = { base: 'x@base', new: 'x', isCompared: (name: string) => figures.includes(name) };
  return compareFrameworks([await readComparedRun(directory)], names);
}

const ABOUT = {
  written: './bench/x',
  subject: 'x',
  base: 'main (1a2b3c4)',
  profile: 'quick',
  repeat: './scriptorium ci x --base main',
};
const HOLDS: ConformanceFinding = { mode: 'optquill', property: 'paste', outcome: 'holds', message: null };
const FAILS: ConformanceFinding = {
  ...HOLDS,
  property: 'reload',
  outcome: 'fails',
  message: 'client 1 differs: "a" <b>',
};

function judge(comparison: Comparison | null, of: { conformance?: ConformanceFinding[]; failIf?: string[] } = {}) {
  const { conformance = [HOLDS], failIf = ['serverCpuPercent > +10%'] } = of;
  return reportOf({
    ...{ ...ABOUT, comparison, conformance, notes: [], environment: { cpu: 'AMD EPYC', cores: 2 } },
    thresholds: failIf.map((text) => parseThreshold(text)),
  });
}

const BASE = [2, 2.1, 2.05] as const;
const lost = { code: 'lost', message: 'user 1 was lost' };

/** The figures that `quick` gates: four of typing in five rounds, three of a replay and one of saved states in six. */
test('simulated: equal versions miss a threshold, of all that gate together, in one of twenty at most', () => {
  const normal = normalDeviates(prng.create(31));
  const figure = { name: 'x', label: 'x', unit: 'ms', scale: 'log', better: 'lower' } as const;
  const change = (rounds: number) =>
    comparePairedFigure(
      figure,
      Array.from({ length: rounds }, () => [100 * Math.exp(0.1 * normal()), 100 * Math.exp(0.1 * normal())] as const),
    );
  // With a bound of 0 the estimate holds nothing back, so that all hangs on chance.
  const thresholds: Threshold[] = [{ text: 'x > +0%', figure: 'x', operator: '>', bound: 0, kind: 'percent' }];
  const experiments = 4000;
  let missed = 0;
  for (let experiment = 0; experiment < experiments; experiment++) {
    const cells = [5, 5, 5, 5, 6, 6, 6, 6].map((rounds) => ({ name: `${rounds}`, figures: [change(rounds)] }));
    const comparison = { design: 'in pairs', cells, notRun: [] } as unknown as Comparison;
    if (judgeThresholds(comparison, thresholds).some(({ kind }) => kind === 'missed')) missed += 1;
  }
  // Two standard errors are 0.7 of 100. Holm over figures that have nothing to do with each other gives nearly all of 5.
  expect(missed / experiments).toBeGreaterThan(0.04);
  expect(missed / experiments).toBeLessThan(0.057);
});

describe('outcomes', () => {
  test.each<
    [string, Trials, { conformance?: ConformanceFinding[]; failIf?: string[] }, CiReport['outcome'], RegExp | null]
  >([
    ['as fast', trials(...BASE), {}, 'passed', null],
    [
      'slower',
      trials(2.6, 2.73, 2.67),
      {},
      'regression',
      /^typing, noquill, 2 users: serverCpuPercent > \+10%: it changed by \+30\.\d %/,
    ],
    // Ratios of 1.15, 1.45 and 1.3: t is 3.85, of which chance has 0.06 on both sides and 0.03 on the one that matters.
    ['slower, by one side of chance', trials(2.3, 3.045, 2.665), {}, 'regression', /it changed by \+30.2 %/],
    ['slower, within the threshold', trials(2.6, 2.73, 2.67), { failIf: ['serverCpuPercent > +50%'] }, 'passed', null],
    ['faster', trials(1, 1.05, 1.02), {}, 'passed', null],
    [
      'too noisy to tell, in the figure’s own unit',
      trials(1.5, 4, 2.4),
      { failIf: ['serverCpuPercent > +0.1'] },
      'unknown',
      /it may have changed by \+\d+\.\d % .*, or be chance$/,
    ],
    ['too noisy to tell', trials(1.5, 4, 2.4), {}, 'unknown', /it may have changed by \+\d+\.\d % .*, or be chance$/],
    [
      'of too few trials, however small the change looks',
      trials(2, 2).concat([{ figures: trials(2)[0]!.figures, fault: lost }]),
      {},
      'unknown',
      /serverCpuPercent > \+10%: 2 pairs of trials, too few to tell a change from chance$/,
    ],
    [
      'slower in too few trials',
      trials(9, 9).concat([{ figures: trials(9)[0]!.figures, fault: lost }]),
      {},
      'unknown',
      /too few trials/,
    ],
    [
      'of a figure that nobody measured',
      trials(...BASE),
      { failIf: ['localLatencyMs.p95 > +10%'] },
      'unknown',
      /no run has that figure/,
    ],
    [
      'slower and not conforming',
      trials(2.6, 2.73, 2.67),
      { conformance: [FAILS] },
      'broken',
      /^reload fails in optquill: client 1 differs/,
    ],
  ])('%s', async (_, change, of, outcome, reason) => {
    const report = judge(await compared(trials(...BASE), change), of);
    expect([report.outcome, report.reasons]).toEqual([outcome, reason === null ? [] : [expect.stringMatching(reason)]]);
  });

  test('beyond the threshold, and perhaps no change at all: not known, though no difference is found either', async () => {
    const six = [2, 2.1, 2.05, 2, 2.1, 2.05];
    const changes = [0.222, -0.018, 0.21, -0.01, 0.23, -0.025];
    const comparison = await compared(
      trials(...six),
      trials(...six.map((each, index) => each * (1 + changes[index]!))),
    );
    expect(comparison.cells[0]!.figures).toContainEqual(
      expect.objectContaining({ word: 'no difference found', within: expect.closeTo(23.7, 0) }),
    );
    expect(judge(comparison)).toMatchObject({
      outcome: 'unknown',
      reasons: [expect.stringMatching(/it may have changed by \+10\.\d % .*, or be chance$/)],
    });
  });

  test('trials that the change alone failed break it', async () => {
    const comparison = await compared(trials(...BASE), trials(...BASE));
    const [cell] = comparison.cells;
    const failed = { failedTrials: 2, messages: [aboutCell('diverged', 'decides', 'users 0 and 1 differ')] };
    const withFailed = (base: object, fresh: object) =>
      judge({
        ...comparison,
        cells: [{ ...cell!, base: { ...cell!.base, ...base }, new: { ...cell!.new, ...fresh } }],
      });
    expect(withFailed({}, failed)).toMatchObject({
      outcome: 'broken',
      reasons: ['typing, noquill, 2 users: the change failed 2 of 3 trials, the base none: users 0 and 1 differ'],
    });
    expect(withFailed(failed, failed).outcome).toBe('passed');
  });

  test('without figures: broken, or nothing is known', () => {
    expect(judge(null, { conformance: [FAILS] }).outcome).toBe('broken');
    expect(judge(null)).toMatchObject({ outcome: 'unknown', reasons: ['nothing could be measured'] });
  });

  test('cells that only one of them has run are not judged', async () => {
    const comparison = await compared(trials(...BASE), trials(...BASE));
    const report = judge({ ...comparison, notRun: ['typing, node, 2 users'] });
    expect(report).toMatchObject({
      outcome: 'unknown',
      reasons: [expect.stringMatching(/no trial of it has run on both sides$/)],
    });
  });
});

test('of two thresholds of one figure, the one that is missed counts', async () => {
  const few = await compared(trials(2, 2.1), trials(14, 14.2));
  const report = judge(few, { failIf: ['serverCpuPercent > +30%', 'serverCpuPercent > 10'] });
  expect([report.outcome, formatJunit(report)]).toEqual(['regression', expect.stringContaining('failures="1"')]);
});

test('a threshold of a figure that the rule does not compare has that figure compared, too', async () => {
  await compared(trials(...BASE), trials(...BASE));
  const run = await readComparedRun(folder.in('typing'));
  const figuresWith = (...failIf: string[]) => {
    const gated = failIf.map((text) => parseThreshold(text));
    const { cells } = compareForCi([run], { base: 'x@base', change: 'x', gated });
    return cells[0]!.figures.map(({ figure }) => figure.name);
  };
  expect(figuresWith()).not.toContain('endToEndLatencyMs.p95');
  expect(figuresWith('endToEndLatencyMs.p95 > +10%')).toContain('endToEndLatencyMs.p95');
});

test('how far a slow replay came is a note', async () => {
  const comparison = await compared(trials(...BASE), trials(...BASE));
  const [cell] = comparison.cells;
  const replay = {
    ...cell!,
    name: 'replay',
    functional: null,
    new: { ...cell!.new, messages: [aboutCell('slow', 'care', 'it made 5 of 9 edits')] },
  };
  expect(judge({ ...comparison, cells: [cell!, replay] }).notes).toEqual(['replay: it made 5 of 9 edits']);
});

describe('texts', () => {
  test('golden: a comment of a regression', async () => {
    const report = judge(await compared(trials(...BASE), trials(2.6, 2.73, 2.67)));
    const markdown = formatCiMarkdown(report);
    expect(markdown.split('\n').slice(0, 2)).toEqual([
      '<!-- scriptorium ./bench/x -->',
      '### Scriptorium: x against main (1a2b3c4): ❌ a regression',
    ]);
    expect(markdown).toContain(
      '1 figure changed for sure or beyond a threshold, 1 without a difference found, 0 not known.',
    );
    expect(markdown).toMatch(
      /\| typing, noquill, 2 users \| server CPU, % \| 2\.\d+ \| 2\.\d+ \| \+30\.\d % \| \+[\d.]+ to \+[\d.]+ \| ❌ more, beyond the threshold \|/,
    );
    expect(markdown).toContain('<details><summary>No difference found: 1</summary>');
    expect(markdown).toContain('Machine: 2 cores of AMD EPYC; 300 turns/µs on one core, 300 on all;');
    expect(markdown).toContain('again by: `./scriptorium ci x --base main`');
    expect(formatAnnotations(report)).toMatch(
      /^::error title=Scriptorium%2C x%3A regression::typing, noquill.*\+10%25: it changed/,
    );
    const junit = formatJunit(report);
    expect(junit).toContain('<testsuites tests="4" failures="1" errors="0" skipped="0">');
    expect(junit).toMatch(
      /name="server CPU, %"><failure message="typing, noquill, 2 users: serverCpuPercent &gt; \+10%:/,
    );
  });

  test('a threshold that is missed by one side of chance is not told with a word that doubts it', async () => {
    const markdown = formatCiMarkdown(judge(await compared(trials(...BASE), trials(2.3, 3.045, 2.665))));
    expect(markdown).toMatch(/\| server CPU, % .* \| ❌ beyond the threshold \|/);
    expect(markdown).toContain('**Changed for sure, or beyond a threshold**');
  });

  test('what fails, is refused or not known stands in each form', () => {
    const broken = judge(null, { conformance: [HOLDS, FAILS] });
    expect(formatCiMarkdown(broken)).toContain('Conformance of the change: 1 of 2 properties hold, 1 fail.');
    expect(formatCiMarkdown(broken)).toContain('- reload fails in optquill: client 1 differs: "a" &lt;b>');
    expect(formatJunit(broken)).toContain(
      'name="reload"><failure message="client 1 differs: &quot;a&quot; &lt;b&gt;"/>',
    );
    const refused = refusalOf('the base main cannot be built by "make":\n\u001b[31mno such rule', ABOUT);
    expect(formatJunit(refused)).toContain(
      '<error message="the base main cannot be built by &quot;make&quot;:&#10;[31mno such rule"/>',
    );
    expect(formatCiMarkdown(refused)).toContain('⚠️ not measured\n\n- the base main cannot be built by "make": ');
    expect(formatAnnotations(refused)).toMatch(/^::error .*make":%0A/);
    const unknown = judge(null);
    expect(formatJunit(unknown)).toContain('skipped="1"');
    expect(formatAnnotations(unknown)).toMatch(/^::warning /);
    expect(formatAnnotations({ ...unknown, outcome: 'passed', reasons: [] })).toBe('');
  });
});
