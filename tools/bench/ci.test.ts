import * as prng from 'lib0/prng';
import { expect, test } from 'vitest';
import type { ComparedRun } from '../../analysis/compare/compared-run.ts';
import { drawRounds } from './ci.ts';

/** Three rounds of base and change, whose figure tells sitting, side and round: 111 is of the first, base, round 1. */
function run(sitting: number): ComparedRun {
  const cells = ['x@base', 'x'].map((framework, side) => ({
    parameters: { framework, users: 2 },
    trials: [1, 2, 3].map((trial) => ({ trial, figures: { figure: 100 * sitting + 10 * (side + 1) + trial } })),
  }));
  return { directory: `${sitting}`, scenario: 'typing', cells } as unknown as ComparedRun;
}

test('drawn rounds keep base and change together, are as many as one run has, and none comes twice', () => {
  const random = prng.create(1);
  const sittings = new Set<number>();
  for (let draw = 0; draw < 50; draw++) {
    const { cells } = drawRounds([run(1), run(2)], random);
    const [base, change] = cells.map(({ trials }) => trials.map(({ figures }) => figures!.figure!));
    expect(cells[0]!.trials.map(({ trial }) => trial)).toEqual([1, 2, 3]);
    expect(new Set(base).size).toBe(3);
    expect(change).toEqual(base!.map((figure) => figure + 10));
    for (const figure of base!) sittings.add(Math.floor(figure / 100));
  }
  expect(sittings).toEqual(new Set([1, 2]));
});
