import { describe, expect, test } from 'vitest';
import { type FaultSummary, faultSummarySchema } from '../../results/formats/summary.ts';
import { resilienceCsv, summaryCsv } from '../report/csv.ts';
import { resilienceTables } from '../report/resilience-tables.ts';
import { formatTable } from '../report/summary-table.ts';
import { headingOf } from '../tables/table.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { runOf } from '../test-data/written-cell.ts';
import { FAULT_FIGURES, poolFaults, type TrialFault } from './fault-figures.ts';
import { describeFaults, faultFigureText, faultTitle } from './fault-text.ts';

const OF_FOUR = { parameters: { users: 4 } };

const RESTART: TrialFault = {
  fault: 0,
  kind: 'server-restart',
  users: 4,
  atS: 20,
  forS: 5,
  typingAgainMs: 0,
  typingAgainNever: false,
  arrivedMs: 1000,
  arrivedNever: false,
  sigilsMissingPercent: 0,
  agreeMs: 2000,
  agreeNever: false,
  lostCharacters: 0,
  doubledCharacters: 0,
  usersGone: 0,
  cursorJumps: 0,
  largestCursorJump: 0,
  frozenMs: null,
};
const LOST: Partial<TrialFault> = { arrivedMs: null, arrivedNever: true, lostCharacters: 30, doubledCharacters: null };

const figureNamed = (name: string) => FAULT_FIGURES.find((figure) => figure.name === name)!;

describe('a cell’s faults', () => {
  test('golden: means over trials, their intervals, and in how many something never came', () => {
    const [fault, ...others] = poolFaults([
      [{ ...RESTART, forS: 5 }],
      [{ ...RESTART, arrivedMs: 2000, forS: 5.3 }],
      [{ ...RESTART, arrivedMs: 3000, lostCharacters: 30, forS: 5.6 }],
    ]);
    expect(others).toEqual([]);
    expect(faultSummarySchema.parse(fault)).toEqual(fault);
    expect(fault).toMatchObject({ kind: 'server-restart', users: 4, atS: 20, forS: 5.3, trials: 3 });
    // 1, 2 and 3 s: standard deviation 1 s; 4.30265 / √3 = 2.48414, and no wait is under 0.
    expect(fault!.arrivedMs).toEqual({ mean: 2000, ci95: { low: 0, high: 4484.138 }, never: 0 });
    expect(fault!.agreeMs).toEqual({ mean: 2000, ci95: { low: 2000, high: 2000 }, never: 0 });
    expect(fault!.lostCharacters.mean).toBe(10);
    expect(fault!.frozenMs).toEqual({ mean: null, ci95: null, never: 0 });
  });

  test('golden: as text', () => {
    const [some] = poolFaults([[RESTART], [{ ...RESTART, arrivedMs: 3000 }], [{ ...RESTART, ...LOST }]]) as [
      FaultSummary,
    ];
    expect(faultFigureText(figureNamed('arrivedMs'), some)).toBe('2.0, never in 1 of 3');
    expect(faultFigureText(figureNamed('agreeMs'), some)).toBe('2.0 (2.0–2.0)');
    expect(faultFigureText(figureNamed('agreeMs'), some, { intervals: false })).toBe('2.0');
    expect(faultFigureText(figureNamed('frozenMs'), some)).toBe('–');
    const [none] = poolFaults([[{ ...RESTART, ...LOST }]]) as [FaultSummary];
    expect(faultFigureText(figureNamed('arrivedMs'), none)).toBe('never');
    expect(faultFigureText(figureNamed('doubledCharacters'), none)).toBe('–');
    expect(faultTitle(some, OF_FOUR)).toBe('server restart at 20 s');
    expect(faultTitle({ ...some, kind: 'offline', users: 1, atS: 20.04 }, OF_FOUR)).toBe('offline at 20 s, 1 user');
    const both = [some, { ...some, kind: 'network-cut' as const, users: 2, forS: null }];
    expect(describeFaults({ ...OF_FOUR, faults: both })).toBe(
      'server restart at 20 s for 5 s; network cut at 20 s, 2 users, without an end',
    );
    expect(describeFaults({ ...OF_FOUR, faults: [] })).toBe('');
    const many = [20, 30.04, 40].map((atS) => ({ ...some, users: 1, atS, forS: 4.001 }));
    expect(describeFaults({ ...OF_FOUR, faults: many })).toBe(
      'server restart 3 times from 20 s to 40 s, 1 user, each for 4 s',
    );
  });
});

describe('tables', () => {
  const data = syntheticReport({
    ...{ frameworks: ['yjs', 'loro', 'sharedb'], modes: ['optquill'], userCounts: [4], trials: 3, seconds: 60 },
  });
  const faults = poolFaults([[RESTART], [{ ...RESTART, ...LOST }]]);
  // The synthetic report's last framework has no valid trial.
  const cells = data.cells.map((cell) =>
    cell.validTrials > 0 ? { ...cell, faults } : { ...cell, verdict: 'failed' as const },
  );
  const broken = { ...data, cells };

  test('one for each fault, with every framework; where none is valid, that', () => {
    const [table, ...others] = resilienceTables(broken);
    expect(others).toEqual([]);
    expect(table!.title).toBe('Resilience: Server restart at 20 s');
    const headings = table!.columns.map(headingOf);
    expect(headings.slice(0, 8)).toEqual([
      ...['framework', 'mode', 'users', 'trials', 'lasted s', 'typing stopped s', 'all arrived s', 'agree again s'],
    ]);
    expect(table!.rows.map((row) => row.slice(0, 7))).toEqual([
      ['yjs', 'optquill', '4', '2', '5.0', '0', '1.0, never in 1 of 2'],
      ['loro', 'optquill', '4', '2', '5.0', '0', '1.0, never in 1 of 2'],
      ['sharedb', 'optquill', '4', 'failed', '', '', ''],
    ]);
    expect(table!.rows.every((row) => row.length === headings.length)).toBe(true);
    expect(resilienceTables(data)).toEqual([]);
  });

  test('the terminal’s table says what was asked to break', () => {
    const text = formatTable(runOf(...broken.cells));
    expect(text).toMatch(/Server restart at 20 s:\nyjs +2 +5\.0 +0 +1\.0, never in 1 of 2 /);
    expect(text).toMatch(/\nsharedb +failed\n/);
    expect(formatTable(runOf(...data.cells))).not.toMatch(/asked to break|restart at/);
  });

  test('the CSV file has a row for each cell and fault, and the summary’s stays flat', () => {
    const [heading, first, ...others] = resilienceCsv(broken).trimEnd().split('\n');
    const row = Object.fromEntries(heading!.split(',').map((name, index) => [name, first!.split(',')[index]]));
    expect(row).toMatchObject({ framework: 'yjs', kind: 'server-restart', struck: '4', atS: '20', trials: '2' });
    expect(row).toMatchObject({ 'arrivedMs.mean': '1000', 'arrivedMs.low': '', 'arrivedMs.never': '1' });
    expect(others).toHaveLength(1);
    expect(resilienceCsv(data)).toBe('');
    expect(summaryCsv(broken)).not.toMatch(/object|faults/);
  });
});
