/** How large a regression `ci` finds, simulated: docs/ci.md's table follows the profiles, the gates and the rule itself. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as prng from 'lib0/prng';
import { expect, test } from 'vitest';
import { COMPARED, DEFAULT_THRESHOLDS } from '../../analysis/ci/ci-rule.ts';
import type { Comparison } from '../../analysis/compare/compared-run.ts';
import { comparePairedFigure, type FigureChange } from '../../analysis/compare/figure-change.ts';
import { judgeThresholds, parseThreshold, type Threshold } from '../../analysis/compare/threshold.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { normalDeviates } from '../../analysis/test-data/normal-deviates.ts';
import { loadAnyExperiment } from '../../harness/experiment/experiment-file.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { withoutPadding } from './test-data/markdown-tables.ts';

/** Of the rounds' ratios of change to base, for equal versions: the standard deviation. */
const SPREADS = [0.02, 0.05, 0.1];
const POWER = 0.8;
const DRAWS = 200;

/** Cells that one threshold judges. */
interface Gate {
  threshold: Threshold;
  rounds: number;
  cells: number;
}

/** A row for each gate, and for both profiles' where it differs; gates alike share one. */
async function powerTable(): Promise<string> {
  const rows = new Map<string, string[]>();
  for (const profile of ['quick', 'careful']) {
    const gates = await gatesOf(profile);
    const alike = Map.groupBy(gates, ({ threshold: { bound, operator }, rounds }) => `${operator} ${bound} ${rounds}`);
    for (const [key, [gate, ...same]] of alike) {
      if (rows.has(key)) continue;
      const figures = [gate!, ...same].map(({ threshold: { figure } }) => `\`${figure}\``).join(', ');
      const found = SPREADS.map((spread) => `${leastFoundPercent(gate!, gates, spread)} %`);
      const which = gate!.cells > 1 ? `\`${profile}\`` : 'both';
      rows.set(key, [figures, which, `${gate!.rounds}`, `${Math.abs(gate!.threshold.bound)} %`, ...found]);
    }
  }
  const spreads = SPREADS.map((spread) => `rounds spread by ${100 * spread} %`);
  return markdownTable(['figure', 'profile', 'rounds', 'fails from', ...spreads], [...rows.values()]);
}

async function gatesOf(profile: string): Promise<Gate[]> {
  const read = async (name: string) => (await loadAnyExperiment({ path: `ci-${name}` })).experiment;
  const typing = await read(profile);
  const rounds: Record<string, number> = {
    typing: typing.trials,
    replay: (await read('replay')).trials,
    state: (await read('state')).trials,
  };
  const figures = Object.values(COMPARED).flat();
  return DEFAULT_THRESHOLDS.map((text) => {
    const threshold = parseThreshold(text, figures);
    const scenario = Object.keys(COMPARED).find((each) =>
      COMPARED[each]!.some(({ name }) => name === threshold.figure),
    )!;
    const cells = scenario === 'typing' && 'modes' in typing ? typing.modes.length : 1;
    return { threshold, rounds: rounds[scenario]!, cells };
  });
}

/** The least slowdown, in whole percent, of one cell that is called a regression in four of five runs where nothing else changed. */
function leastFoundPercent(gate: Gate, gates: readonly Gate[], spread: number): number {
  const normal = normalDeviates(prng.create(1));
  const change = (of: Gate, slower: number, deviates: readonly number[]): FigureChange => {
    const { figure, operator } = of.threshold;
    const factor = operator === '<' ? 1 / slower : slower;
    const described = { name: figure, label: figure, unit: '', scale: 'log', better: 'lower' } as const;
    return comparePairedFigure(
      described,
      deviates.map((each) => [1, factor * Math.exp(spread * each)] as const),
    );
  };
  const deviatesOf = ({ rounds }: Gate) => Array.from({ length: rounds }, normal);
  const others = gates.flatMap((of) => Array<Gate>(of === gate ? of.cells - 1 : of.cells).fill(of));
  const runs = Array.from({ length: DRAWS }, () => ({
    cells: others.map((of, index) => ({ name: `${index}`, figures: [change(of, 1, deviatesOf(of))] })),
    deviates: deviatesOf(gate),
  }));
  const thresholds = gates.map(({ threshold }) => threshold);
  const isFound = (slower: number) => {
    const found = runs.filter(({ cells, deviates }) => {
      const slowed = { name: 'slowed', figures: [change(gate, slower, deviates)] };
      const comparison = { design: 'in pairs', cells: [...cells, slowed], notRun: [] } as unknown as Comparison;
      return judgeThresholds(comparison, thresholds).some(({ cell, kind }) => cell === 'slowed' && kind === 'missed');
    });
    return found.length >= POWER * DRAWS;
  };
  // A change below its threshold is none.
  let missed = Math.abs(gate.threshold.bound);
  let found = missed + 8;
  for (; !isFound(1 + found / 100); found *= 2) missed = found;
  while (found - missed > 1) {
    const middle = Math.floor((missed + found) / 2);
    if (isFound(1 + middle / 100)) found = middle;
    else missed = middle;
  }
  return found;
}

test('docs/ci.md has the table that the simulation gives', async () => {
  const page = await readFile(join(PROJECT_ROOT, 'docs/ci.md'), 'utf8');
  expect(withoutPadding(page)).toContain(withoutPadding(await powerTable()));
});

const gate = (text: string, rounds: number, cells = 1): Gate => ({ threshold: parseThreshold(text), rounds, cells });
const leastOf = (one: Gate, more: Gate[], spread: number) => leastFoundPercent(one, [one, ...more], spread);

test('golden: one test of ten rounds finds 0.85 standard deviations four times of five', () => {
  // Noncentral t with 9 degrees of freedom, one-sided 5 %: exp(0.1 × 0.85) is 8.9 % more.
  const least = leastOf(gate('userCpuPercent > +0%', 10), [], 0.1);
  expect(least).toBeGreaterThanOrEqual(8);
  expect(least).toBeLessThanOrEqual(10);
});

test('more gates and fewer rounds find less, and nothing below its threshold counts', () => {
  const few = leastOf(gate('userCpuPercent > +20%', 3, 3), [gate('localLatencyMs.p50 > +30%', 3, 3)], 0.1);
  const many = leastOf(gate('userCpuPercent > +20%', 5, 2), [gate('localLatencyMs.p50 > +30%', 5, 2)], 0.1);
  expect(few).toBeGreaterThan(2 * many);
  expect(many).toBeGreaterThan(20);
  expect(leastOf(gate('throughputPercent < -10%', 6), [], 0.001)).toBe(12);
});
