import { expect, test } from 'vitest';
import { nameCells } from '../../charts/chart-model.ts';
import { syntheticReport } from '../../test-data/synthetic-report.ts';
import { groupVerdicts, headline, judgeLines, type LineVerdict, stateOf } from './verdicts.ts';

const size = { frameworks: ['yjs', 'sharedb', 'loro'], modes: ['optquill'], trials: 3, seconds: 90 };

const headlines = (verdicts: readonly LineVerdict[]) => groupVerdicts(verdicts).map(headline);

test('what was carried, what came after it, and how each cell stands', () => {
  // Local p95 of the first: (1.5 + (u/8)²/2) × 2.1 ms is 12.6 ms at 24 users and 423 ms at 160. The last of the third is not valid.
  const { cells } = syntheticReport({ ...size, userCounts: [8, 24, 160] });
  const verdicts = judgeLines(nameCells(cells));
  expect(verdicts.map(({ line, maxUsers, next }) => [line, maxUsers, next?.users])).toEqual([
    ['yjs', 24, 160],
    ['sharedb', 24, 160],
    ['loro', 24, 160],
  ]);
  expect(verdicts[1]!.cells.map(({ cell }) => stateOf(cell))).toEqual(['unknown', 'functional', 'limited']);
  expect(verdicts[2]!.cells.map(({ cell }) => stateOf(cell))).toEqual(['functional', 'functional', 'not-valid']);
  expect(verdicts[2]!.next!.limitedBy[0]).toContain('did not agree');
  expect(headlines(verdicts)).toEqual([
    'none of 3 stayed fully functional with 160 users, the most tried; the largest number carried is 24, by yjs, sharedb, loro',
  ]);
});

test('the lines of two tiers are not counted together', () => {
  const tiers = { yjs: 'deployed', sharedb: 'deployed', loro: 'library' } as const;
  const verdicts = judgeLines(nameCells(syntheticReport({ ...size, userCounts: [8, 24], tiers }).cells));
  expect(groupVerdicts(verdicts).map((group) => [group.name, headline(group)])).toEqual([
    ['optquill, over the same relay', 'loro stayed fully functional up to 8 users'],
    ['optquill, with their own servers', '2 of 2 stayed fully functional with 24 users, the most tried'],
  ]);
});

test('one framework alone gets a sentence of its own', () => {
  const text = (framework: string, userCounts: number[], trials: number) =>
    headlines(judgeLines(nameCells(syntheticReport({ ...size, frameworks: [framework], userCounts, trials }).cells)));
  expect(text('yjs', [4], 1)).toEqual(['yjs stayed fully functional with 4 users, the most tried']);
  expect(text('yjs', [4, 160], 1)).toEqual(['yjs stayed fully functional up to 4 users']);
  expect(text('yjs', [160], 1)).toEqual(['yjs was not fully functional']);
});

test('a smaller number that was not carried, and one that was not tried, are said', () => {
  const { cells } = syntheticReport({ ...size, userCounts: [8, 24] });
  const of = (framework: string) => nameCells(cells).filter(({ line }) => line === framework);
  const [few, many] = of('yjs');
  few!.cell.fullyFunctional = false;
  expect(headlines(judgeLines([few!, many!]))[0]).toBe('yjs was not fully functional');
  few!.cell.fullyFunctional = null;
  expect(headlines(judgeLines([few!, many!]))[0]).toBe(
    'yjs stayed fully functional with 24 users, the most tried, but not for certain with 8',
  );
  expect(headlines(judgeLines([few!, many!, of('loro')[0]!]))[0]).toBe(
    '1 of 2 stayed fully functional with 24 users, the most tried; 1 did not run with so many',
  );
});
