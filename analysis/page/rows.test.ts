import { expect, test } from 'vitest';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { rowsOf } from './rows.ts';

test('a number that was not judged does not hide a larger one that was missed', () => {
  const { cells } = syntheticReport({
    ...{ frameworks: ['yjs'], modes: ['optquill'], userCounts: [8, 16, 32], trials: 3, seconds: 40 },
  });
  const carried = (...outcomes: (boolean | null)[]) => {
    const judged = cells.map((cell, index) => ({ ...cell, fullyFunctional: outcomes[index]! }));
    const rows = rowsOf({ summary: { scenario: 'typing', cells: judged }, foundBy: 'other runs' }, 0);
    return rows.find(({ kind }) => kind === 'carried')!.texts;
  };
  expect(carried(true, null, false)).toEqual({ carried: '8', next: '16 ?' });
  expect(carried(true, null, null)).toEqual({ carried: '≥ 8', next: '16 ?' });
  expect(carried(true, true, false)).toEqual({ carried: '16', next: '32' });
});
