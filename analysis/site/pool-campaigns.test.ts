import { expect, test } from 'vitest';
import { sentenceOf } from '../cell/messages.ts';
import { SITE_SURROUNDINGS } from '../test-data/site-surroundings.ts';
import { collectSite } from './collect-site.ts';
import type { KeptRun } from './kept-file.ts';
import { readKept } from './kept-runs.ts';
import { blocksOf, poolCampaigns } from './pool-campaigns.ts';

const compare = await readKept('2026-11-23T0025-compare');
const CELL = compare.summary.cells[0]!;

/** A block of one cell, whose server took so much CPU. */
function block(
  number: number,
  serverCpuPercent: number,
  more: { cpu?: string; os?: string; experiment?: string } = {},
) {
  const { cpu = 'one', os = 'Linux 1', experiment = 'mine-typing-two' } = more;
  const figures = { ...CELL.figures, serverCpuPercent };
  const cells = [{ ...CELL, trials: 1, validTrials: 1, verdict: 'valid' as const, figures }];
  const startedAt = `2026-12-0${number}T10:00:00.000Z`;
  const summary = { ...compare.summary, experiment, startedAt, environment: { cpu, os, cores: 2 }, cells };
  const [, part = '', entry = ''] = experiment.split('-');
  const campaign = { campaign: 'mine', part, question: 'How?', entry, block: number, deposit: false };
  return { name: `${startedAt}-${experiment}`, kept: { ...compare, summary, campaign } as unknown as KeptRun };
}

test('blocks of an entry are one run, of its oldest block’s name; other runs stay as they are', () => {
  const own = { name: 'own', kept: compare };
  const other = block(1, 7, { experiment: 'mine-typing-other' });
  const pooled = poolCampaigns([block(1, 2), own, block(3, 6, { cpu: 'another', os: 'Linux 2' }), block(2, 4), other]);
  expect(pooled.map(({ name }) => name)).toEqual(['2026-12-01T10:00:00.000Z-mine-typing-two', 'own', other.name]);
  expect(pooled[1]).toBe(own);
  expect(pooled[2]).toBe(other);
  expect(pooled[0]!.blocks).toEqual([1, 2, 3].map((day) => `2026-12-0${day}T10:00:00.000Z-mine-typing-two`));
  const { plan, summary, replicates } = pooled[0]!.kept;
  expect(plan.experiment.trials).toBe(3);
  expect(summary.environment).toEqual({
    cpu: 'one, and another',
    os: 'Linux 1, and Linux 2',
    cores: 2,
    frameworks: {},
  });
  expect(pooled[0]!.kept.began).toEqual([1, 2, 3].map((day) => `2026-12-0${day}T10:00:00.000Z`));
  expect(summary.cells).toMatchObject([{ trials: 3, validTrials: 3, figures: { serverCpuPercent: 4 } }]);
  expect(replicates![0]!.serverCpuPercent).toEqual([2, 4, 6]);
});

test('blocks of an experiment that changed in between are told with what changed', () => {
  const [older, newer] = [block(1, 2), block(2, 4)];
  const unlike = (kept: KeptRun, keysPerSecond: number): KeptRun => {
    return { ...kept, plan: { experiment: { ...kept.plan.experiment, typing: { keysPerSecond } } } };
  };
  const bewareOf = (keysPerSecond: number) =>
    poolCampaigns([
      { ...older, kept: unlike(older.kept, 6) },
      { ...newer, kept: unlike(newer.kept, keysPerSecond) },
    ])[0]!.kept.beware!.filter((each) => each.includes('experiments'));
  expect(bewareOf(6)).toEqual([]);
  expect(bewareOf(60)).toEqual([
    'the blocks’ experiments differ, so figures may differ by it: typing.keysPerSecond: 6 / 60',
  ]);
});

test('blocks of two machines that have one number are two', () => {
  const again = block(2, 4);
  again.kept.campaign!.block = 1;
  const [pooled] = poolCampaigns([again, block(1, 2)]);
  expect(pooled!.kept.summary.cells).toMatchObject([{ trials: 2, figures: { serverCpuPercent: 3 } }]);
  expect(pooled!.kept.replicates![0]!.serverCpuPercent).toEqual([2, 4]);
});

test('others’ blocks are pooled neither with the project’s own nor with each other', () => {
  const others = [2, 3].map((day) => ({ ...block(day, 4), isSubmitted: true }));
  expect(poolCampaigns([block(1, 2), ...others])).toEqual([block(1, 2), ...others]);
});

test('a run of no campaign is never pooled, whoever has one of its name', () => {
  const own = { name: 'own', kept: compare };
  expect(poolCampaigns([own, { ...own, isSubmitted: true }, { ...own }])).toEqual([
    own,
    { ...own, isSubmitted: true },
    own,
  ]);
});

test('the site shows the mean with its interval and replicates', () => {
  const sources = [2, 4, 6].map((cpu, index) => ({ ...block(index + 1, cpu), isSubmitted: false }));
  const surroundings = { ...SITE_SURROUNDINGS, campaigns: ['mine'] };
  const { rows, runs } = collectSite(sources, surroundings);
  expect(runs).toMatchObject([
    { name: sources[0]!.name, files: sources.map(({ name }) => name), campaign: 'mine --parts typing' },
  ]);
  const row = rows.find(({ kind }) => kind === 'typing')!;
  // 4 ± 4.303 · 2 / √3.
  expect(row.figures.serverCpuPercent).toBe(4);
  expect(row.ci95.serverCpuPercent).toEqual({ low: -0.9683, high: 8.968 });
  expect(row.replicates.serverCpuPercent).toEqual([2, 4, 6]);
});

test('runs of one block stand together, however many sittings it took; those of a block measured again in one of their own', () => {
  const run = (day: number, number: number, begunOn: number) => {
    const made = block(day, 4, { experiment: `mine-a-${day}` });
    const startedAt = `2026-12-0${begunOn}T09:00:00.000Z`;
    return { ...made, kept: { ...made.kept, campaign: { ...made.kept.campaign!, block: number, startedAt } } };
  };
  const runs = [run(5, 1, 1), run(1, 1, 1), run(2, 1, 1), run(3, 2, 3), run(4, 1, 4)];
  const blocks = blocksOf([...runs, { name: 'own', kept: compare }]);
  expect(blocks.map((of) => of.map(({ startedAt }) => Number(startedAt.slice(8, 10))))).toEqual([[1, 2, 5], [3], [4]]);
});

/** A rung of a block, with which the page gave out in so many trials. */
function rung(
  number: number,
  users: number,
  { cpu, missed = 0, speed }: { cpu?: string; missed?: number; speed?: number } = {},
) {
  const made = block(number, users, { cpu, experiment: `mine-typing-${users}` });
  const [cell] = made.kept.summary.cells;
  const { framework } = CELL.parameters;
  const speeds = speed && { 'machineSpeed.oneCore': speed, 'machineSpeed.allCores': 2 * speed };
  const cells = [{ ...cell!, parameters: { ...CELL.parameters, users }, figures: { ...cell!.figures, ...speeds } }];
  const rungs = [{ framework, users, held: missed > 0 ? 0 : 2, missed, gaveOut: missed > 0 ? 'page' : null }];
  const environment = { ...made.kept.summary.environment, frameworks: { [`with-${users}`]: {} } };
  const experiment = { ...compare.plan.experiment, durations: { warmUpMs: 1000, measureMs: 480_000 / users } };
  const summary = { ...made.kept.summary, environment, cells };
  return { ...made, kept: { ...made.kept, plan: { experiment }, summary, rungs } as unknown as KeptRun };
}

test('the rungs that one machine climbed are one run, whose counts held as most sittings say', () => {
  const here = [rung(1, 16), rung(1, 48, { missed: 2 }), rung(2, 16), rung(2, 48), rung(3, 48, { missed: 2 })];
  const pooled = poolCampaigns([...here, rung(1, 16, { cpu: 'another' })]);
  expect(pooled.map(({ kept }) => [kept.summary.experiment, kept.summary.environment.cpu])).toEqual([
    ['mine-typing', 'one'],
    ['mine-typing', 'another'],
  ]);
  const [low, high] = pooled[0]!.kept.summary.cells;
  expect(low).toMatchObject({ parameters: { users: 16 }, trials: 2, fullyFunctional: true });
  expect(low!.messages.map(sentenceOf)).toContain('with more users gave out: page');
  expect(high).toMatchObject({ parameters: { users: 48 }, trials: 3, fullyFunctional: false });
  expect(pooled[0]!.kept.plan.experiment.trials).toBe(3);
});

test('of rungs all frameworks are known, and no window if they differ by it', () => {
  const [both, low] = [[rung(1, 16), rung(1, 48)], [rung(1, 16)]].map((rungs) => poolCampaigns(rungs)[0]!.kept);
  expect(both!.summary.environment.frameworks).toEqual({ 'with-16': {}, 'with-48': {} });
  expect(both!.plan.experiment.durations).toBeUndefined();
  expect(low!.plan.experiment.durations).toEqual({ warmUpMs: 1000, measureMs: 30_000 });
});

test('sittings of two alike machines that have one number are two', () => {
  const [here, there] = [rung(1, 16), rung(2, 16, { missed: 2 })];
  for (const { kept } of [here, there])
    kept.campaign = { ...kept.campaign!, block: 1, startedAt: kept.summary.startedAt };
  const [pooled] = poolCampaigns([here, there]);
  // As many sittings say this as that.
  expect(pooled!.kept.summary.cells).toMatchObject([{ trials: 2, fullyFunctional: false }]);
});

test('a count that the machine ended tells nothing of the framework', () => {
  const ended = rung(1, 16, { missed: 2 });
  ended.kept.rungs![0]!.gaveOut = 'machine';
  expect(poolCampaigns([ended])[0]!.kept.summary.cells).toMatchObject([{ fullyFunctional: null }]);
});

test('blocks of machines of one name whose speeds differ by more than a tenth are two ladders; a rung that says none is its block’s', () => {
  const blocks = [
    rung(1, 16, { speed: 490 }),
    rung(1, 48),
    rung(2, 16, { speed: 230 }),
    rung(3, 16, { speed: 470 }),
    rung(4, 16),
  ];
  const pooled = poolCampaigns(blocks);
  expect(pooled.map(({ blocks: names, kept }) => [kept.machine, names!.length])).toEqual([
    ['2 cores of one, 490/980 turns/µs', 3],
    ['2 cores of one, 230/460 turns/µs', 1],
    ['2 cores of one', 1],
  ]);
});
