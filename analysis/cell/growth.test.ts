import { describe, expect, test } from 'vitest';
import { scalingTable } from '../report/growth-tables.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { scalingLaws, withoutGrowth } from './growth.ts';

/** Three trials of each, whose figures grow as is said, one framework apart from the other. */
function grown(userCounts: readonly number[], exponents: Record<string, number>, frameworks = ['collabs']) {
  const data = syntheticReport({ frameworks, modes: ['node'], userCounts, trials: 3, seconds: 20 });
  for (const { parameters, ran } of data.cells) {
    for (const [index, trial] of ran.entries()) {
      const figures = SCENARIOS.typing.growing.map(({ name }) => {
        const exponent = exponents[name];
        return [name, exponent === undefined ? null : (1 + 0.1 * (index - 1)) * parameters.users ** exponent];
      });
      trial.figures = { ...trial.figures, ...Object.fromEntries(figures) };
    }
  }
  return data;
}

test('the figures whose growth is told', () => {
  expect(SCENARIOS.typing.growing.map(({ name }) => name)).toEqual([
    'serverCpuPercent',
    'userCpuMsPerRemoteEdit',
    'userNetworkKiBps.received',
    'userBytesPerEdit.received',
    'serverNetworkKiBps.sent',
    'savedStateKiB',
  ]);
});

describe('laws', () => {
  test('one per framework, mode and figure that was measured, with trials as its points', () => {
    const { cells } = grown([8, 16, 32], { serverCpuPercent: 2, 'serverNetworkKiBps.sent': 3 });
    const laws = scalingLaws(cells);
    expect(laws.map(({ figure, exponent, users, trials }) => ({ figure, exponent, users, trials }))).toEqual([
      { figure: 'serverCpuPercent', exponent: 2, users: [8, 16, 32], trials: 9 },
      { figure: 'serverNetworkKiBps.sent', exponent: 3, users: [8, 16, 32], trials: 9 },
    ]);
    for (const { exponent, ci95 } of laws) {
      expect(ci95.low).toBeLessThan(exponent);
      expect(ci95.high).toBeGreaterThan(exponent);
      expect(ci95.high - ci95.low).toBeLessThan(0.3);
    }
  });

  test('trials that are not valid give no point', () => {
    const { cells } = grown([8, 16, 32, 64], { serverCpuPercent: 1 });
    for (const trial of cells[3]!.ran) trial.figures = null;
    cells[0]!.ran[1]!.figures = null;
    expect(scalingLaws(cells)[0]).toMatchObject({ users: [8, 16, 32], trials: 8 });
  });

  test('with two user counts there is none, and that is said', () => {
    const { cells } = grown([8, 16], { serverCpuPercent: 1 });
    expect(scalingLaws(cells)).toEqual([]);
    expect(withoutGrowth(cells)).toEqual(['Of collabs in node 2 user counts have figures: an exponent takes 3.']);
  });

  test('with one there is nothing to say', () => {
    expect(withoutGrowth(grown([8], { serverCpuPercent: 1 }).cells)).toEqual([]);
  });
});

describe('the table', () => {
  test('a row per framework and mode', () => {
    const data = grown([8, 16, 32], { savedStateKiB: 1, 'serverNetworkKiBps.sent': 2 }, ['collabs', 'collabs-novc']);
    const { columns, rows, notes } = scalingTable(data);
    expect(columns.slice(0, 4).map(({ heading }) => heading)).toEqual(['framework', 'mode', 'users', 'server CPU']);
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['collabs', 'node', '8–32', '–'],
      ['collabs-novc', 'node', '8–32', '–'],
    ]);
    expect(rows[0]!.at(-1)).toMatch(/^1\.00 \(0\.\d\d to 1\.\d\d\)$/);
    expect(rows[0]!.at(-2)).toMatch(/^2\.00 \(1\.\d\d to 2\.\d\d\)$/);
    expect(notes.join()).not.toMatch(/an exponent takes/);
  });

  test('where one of two frameworks lacks user counts, its note says so', () => {
    const data = grown([8, 16, 32], { savedStateKiB: 1 }, ['collabs', 'yjs']);
    for (const { parameters, ran } of data.cells)
      if (parameters.framework === 'yjs' && parameters.users === 8) for (const trial of ran) trial.figures = null;
    const { rows, notes } = scalingTable(data);
    expect(rows.map(([framework]) => framework)).toEqual(['collabs']);
    expect(notes.at(-1)).toBe('Of yjs in node 2 user counts have figures: an exponent takes 3.');
  });
});
