import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { CalibrationRow } from '../../results/formats/calibration.ts';
import { type CellSummary, cellSummarySchema } from '../../results/formats/summary.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import { nameCells, usersChart } from '../charts/chart-model.ts';
import { chartsOver, MEASURED_FIGURES } from '../figures/catalogue.ts';
import { columnsOf } from '../figures/pooling.ts';
import { formatMarkdownTable, formatTable } from '../report/summary-table.ts';
import { makeTables } from '../report/tables.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { runOf, writtenOf } from '../test-data/written-cell.ts';
import type { TrialFigures } from '../trial/trial-figures.ts';
import { lastCalibration, missedBounds, summarizeCell as summarize, withMissedBounds } from './cells.ts';
import type { JudgedTrial } from './collect-cell.ts';
import { notesOf } from './messages.ts';

const IDENTITY = {
  ...{ scenario: 'typing' as const, tier: 'library' as const },
  parameters: { framework: 'x', mode: 'noquill', users: 2 },
};

/** As it is written. */
function summarizeCell(...given: Parameters<typeof summarize>): CellSummary {
  return writtenOf(summarize(...given));
}

type Given = { columns?: TrialFigures['columns']; samples?: TrialFigures['samples'] };

/** A trial's figures: nothing measured, but for what a test gives. */
function figures({ columns = {}, samples = {} }: Given = {}): TrialFigures {
  const nothing = MEASURED_FIGURES.flatMap(({ source }) =>
    columnsOf(source).map((column) => [column, 'column' in source ? null : 0]),
  );
  return {
    columns: {
      ...Object.fromEntries(nothing),
      sigilsSeen: samples.endToEndLatencyMs?.length ?? 0,
      sigilsSeenAmongProbes: samples.endToEndLatencyMs?.length ?? 0,
      sigilsSeenFromCrowd: samples.endToEndLatencyMs?.length ?? 0,
      ...columns,
    },
    samples,
    buckets: [],
    faults: [],
    curves: {},
  };
}

function valid(trial: number, given: Given = {}): JudgedTrial {
  return { ...failed(trial), verdict: 'valid', converged: true, version: '1.2.3', figures: figures(given) };
}

function failed(trial: number, given: Partial<JudgedTrial> = {}): JudgedTrial {
  return {
    trial,
    verdict: 'invalid',
    messages: [],
    converged: null,
    version: null,
    figures: null,
    isShortOfCores: false,
    ...given,
  };
}

const LOST = { code: 'user-lost', rank: 'decides', text: 'user 1 was lost' } as const;
const SATURATED = { code: 'driver-saturated', rank: 'decides', text: 'the driver was saturated' } as const;

function latencies(...latenciesMs: number[]): Float64Array {
  return Float64Array.from(latenciesMs);
}

describe('pooling', () => {
  test('golden: quantiles are of the pooled samples, not means of the trials’ quantiles', () => {
    // Pooled: 1, 2, 3, 4, 5, 6, 100: the median is 4. The trials' own medians are 2 and 5.5; their mean would be 3.75.
    const cell = summarizeCell(IDENTITY, [
      valid(1, { samples: { endToEndLatencyMs: latencies(1, 2, 3) } }),
      valid(2, { samples: { endToEndLatencyMs: latencies(4, 5, 6, 100) } }),
    ]);
    expect(cell.endToEndLatencyMs).toEqual({ p50: 4, p95: null, p99: null, samples: 7 });
    // No sample at all is null too, and not 0.
    expect(cell.localLatencyMs).toEqual({ p50: null, p95: null, p99: null, samples: 0 });
  });

  test('golden: shares are of the sums, the worst user is of any trial, the worst clocks too', () => {
    // (90 + 30) of (100 + 50) edits; (9 + 0) of (10 + 2) sigils.
    const cell = summarizeCell(IDENTITY, [
      valid(1, {
        columns: {
          ...{ offered: 100, performed: 90, worstUserThroughputPercent: 80 },
          ...{ sent: 12, broken: 2, expected: 10, arrived: 9 },
          ...{ neverSent: 1, beforeSent: 2, brokenWhileTyped: 5, brokenLater: 6, repeated: 3, outOfOrder: 4 },
          clockErrorMs: 3,
        },
      }),
      valid(2, {
        columns: {
          ...{ offered: 50, performed: 30, worstUserThroughputPercent: 55 },
          ...{ sent: 2, broken: 0, expected: 2, arrived: 0 },
          ...{ neverSent: 1, beforeSent: 1, brokenWhileTyped: 1, brokenLater: 1, repeated: 1, outOfOrder: 1 },
          clockErrorMs: 1,
        },
      }),
    ]);
    expect(cell.throughputPercent).toBe(80);
    expect(cell.worstUserThroughputPercent).toBe(55);
    expect(cell.sigilsArrivedPercent).toBe(75);
    expect(cell.sigilsFiltered).toEqual({
      ...{ neverSent: 2, beforeSent: 3, brokenWhileTyped: 6, brokenLater: 7, repeated: 4, outOfOrder: 5 },
    });
    expect(cell.clockErrorMs).toBe(3);
    expect(cell.notes).toContain(
      'the sigils: some broken by concurrent edits (2 of 14), and left out of the arrived ones',
    );
  });

  test('golden: means are over the valid trials that have the figure', () => {
    const documents = (documentCharacters: number | null) => ({ columns: { documentCharacters } });
    const cell = summarizeCell(IDENTITY, [valid(1, documents(10)), valid(2, documents(20)), valid(3, documents(null))]);
    expect(cell.documentCharacters).toBe(15);
    expect(cell.savedStateKiB).toBeNull();
  });

  test('trials that lack a figure are named where an interval leaves them out', () => {
    const six = latencies(1, 2, 3, 4, 5, 6);
    const [whole, short] = [{ localLatencyMs: six, endToEndLatencyMs: six }, { endToEndLatencyMs: six }];
    const notesOf = (...given: TrialFigures['samples'][]) =>
      summarizeCell(
        IDENTITY,
        given.map((samples, index) => valid(index + 1, { samples })),
      ).notes.filter((note) => note.includes('left out of the interval'));
    expect(notesOf(whole, whole, whole, short)).toEqual([
      'local latency, median: no figure of its own in every valid trial (3 of 4); the others, with too few samples or none, are left out of the interval → measure longer',
    ]);
    expect(notesOf(whole, whole, whole)).toEqual([]);
    // Where no trial has it, no interval claims anything.
    expect(notesOf(short, short, short)).toEqual([]);
  });

  test('a percentile of receipts is shown where enough different sigils were seen, not enough receipts', () => {
    const of = (sigilsSeen: number) => {
      const samples = { endToEndLatencyMs: new Float64Array(100).fill(7) };
      return summarizeCell(IDENTITY, [valid(1, { samples, columns: { sigilsSeen } })]).endToEndLatencyMs;
    };
    expect(of(58)).toEqual({ p50: 7, p95: null, p99: null, samples: 100 });
    expect(of(59)).toEqual({ p50: 7, p95: 7, p99: null, samples: 100 });
    expect(of(5).p50).toBeNull();
  });

  test('golden: intervals are over the trials’ figures', () => {
    const resources = (serverCpuPercent: number) => ({ columns: { serverCpuPercent } });
    const cell = summarizeCell(IDENTITY, [valid(1, resources(2)), valid(2, resources(4)), valid(3, resources(6))]);
    // 4 ± 4.3027 · 2 / √3, see interval.test.ts.
    expect(cell.ci95.serverCpuPercent).toEqual({ low: -0.968, high: 8.968 });
    expect(cell.ci95['endToEndLatencyMs.p50']).toBeNull();
  });
});

describe('a bound on the worst user of any trial', () => {
  const textsOf = (columns: readonly TrialFigures['columns'][]) =>
    summarizeCell(
      IDENTITY,
      columns.map((each, index) => valid(index + 1, { columns: each })),
    ).messages.map(({ text }) => text);

  test.each([
    // The mean of 100, 100 and 0 is 66.7 ± 143.4, which spans 95; but nothing takes back that a user could not type.
    [0, 'worst user’s throughput (0 %, at least 95 %)'],
    [80, 'worst user’s throughput (80 %, at least 95 %)'],
  ])('golden: is missed where one trial of three misses it: %d', (worst, reason) => {
    const texts = textsOf([100, 100, worst].map((worstUserThroughputPercent) => ({ worstUserThroughputPercent })));
    expect(texts).toContain(reason);
  });

  test('golden: is held where each trial holds it', () => {
    // The mean is 2.3 ± 5.6, which spans 5.
    const texts = textsOf([1, 1, 4.9].map((worstUserLongTaskPercent) => ({ worstUserLongTaskPercent })));
    expect(texts.join()).not.toContain('worst user’s long tasks');
  });
});

describe('verdicts', () => {
  test('an invalid trial is counted and named, and adds to no figure', () => {
    const cell = summarizeCell(IDENTITY, [
      valid(1, { columns: { offered: 10, performed: 10 } }),
      failed(2, { messages: [LOST], converged: false }),
      failed(3, { messages: [LOST, SATURATED] }),
    ]);
    expect(cell).toMatchObject({ trials: 3, validTrials: 1, verdict: 'partly valid', throughputPercent: 100 });
    expect(cell.reasons).toEqual(['trials 2 and 3: user 1 was lost', 'trial 3: the driver was saturated']);
    expect(cell.messages.slice(0, 2)).toEqual([
      { ...LOST, trials: [2, 3] },
      { ...SATURATED, trials: [3] },
    ]);
    expect(cell.converged).toBe(false);
  });

  test('two trials that the framework failed beside one that is valid are not fully functional', () => {
    const cell = summarizeCell(IDENTITY, [
      valid(1),
      failed(2, { verdict: 'failed' }),
      failed(3, { verdict: 'failed' }),
    ]);
    expect(cell).toMatchObject({ failedTrials: 2, verdict: 'partly valid', fullyFunctional: false });
    expect(cell.reasons).toEqual(['not fully functional: 2 of 3 trials failed', 'not smooth: 2 of 3 trials failed']);
    expect(summarizeCell(IDENTITY, [failed(1, { verdict: 'failed' })])).toMatchObject({
      verdict: 'failed',
      fullyFunctional: false,
    });
  });

  test('without a valid trial every figure is null', () => {
    const cell = summarizeCell(IDENTITY, [failed(1), failed(2, { verdict: 'unknown' })]);
    expect(cell).toMatchObject({
      verdict: 'invalid',
      version: 'unknown',
      throughputPercent: null,
      sigilsArrivedPercent: null,
      serverCpuPercent: null,
      converged: null,
      fullyFunctional: null,
    });
    expect(summarizeCell(IDENTITY, [failed(1, { verdict: 'unknown' })]).verdict).toBe('unknown');
    expect(cell.notes).toEqual([]);
  });

  test('convergence that could not be judged is not claimed', () => {
    expect(summarizeCell(IDENTITY, [valid(1)]).converged).toBe(true);
    expect(summarizeCell(IDENTITY, [valid(1), failed(2)]).converged).toBeNull();
  });

  test('every cell has the shape of the schema', () => {
    expect(cellSummarySchema.parse(summarizeCell(IDENTITY, [valid(1)]))).toBeDefined();
    expect(cellSummarySchema.parse(summarizeCell(IDENTITY, [failed(1)]))).toBeDefined();
  });

  test('a series of somebody else’s server may be as large as it likes', () => {
    const told = valid(1, { columns: { 'serverSeries.most_bytes': 2 ** 64 } });
    expect(cellSummarySchema.parse(summarizeCell(IDENTITY, [told])).serverSeries).toEqual({ most_bytes: 2 ** 64 });
  });
});

const row = (figure: string | null, mode: string, withinBound: boolean): CalibrationRow => ({
  ...{ name: 'injected', figure, mode, unit: 'ms', injected: 1, measured: 2, from: 0, to: 1, withinBound },
  ...{ because: 'it is so', reasons: [] },
});
const CALIBRATION = {
  rows: [
    row('localLatencyMs.p50', 'optquill', true),
    row('localLatencyMs.p50', 'optquill', false),
    row('serverCpuPercent', 'optquill', false),
    row('userCpuPercent', 'noquill', false),
    row(null, 'noquill', false),
  ],
};

const report = syntheticReport({
  ...{ frameworks: ['one'], modes: ['optquill', 'noquill'], userCounts: [2], trials: 3, seconds: 60 },
});

test('a figure that missed any of its bounds in a mode is missed in that mode', () => {
  expect(missedBounds(CALIBRATION, 'optquill')).toEqual(['localLatencyMs.p50', 'serverCpuPercent']);
  expect(missedBounds(CALIBRATION, 'noquill')).toEqual(['userCpuPercent']);
  expect(missedBounds(CALIBRATION)).toHaveLength(3);
  expect(missedBounds(CALIBRATION, 'gdocs')).toEqual([]);
  expect(missedBounds(null, 'optquill')).toEqual([]);
});

test('it is marked and named in every table, and in no other mode', () => {
  const cells = report.cells.map((cell) => withMissedBounds(cell, CALIBRATION));
  const [optquill, noquill] = cells;
  expect(notesOf(optquill!.messages).at(-1)).toMatch(/^local latency, median; server CPU: marked \*, .* in this mode$/);
  expect(notesOf(noquill!.messages).at(-1)).toMatch(/^user CPU: /);
  for (const table of [formatTable(runOf(optquill!)), formatMarkdownTable(runOf(optquill!))]) {
    expect(table).toMatch(/\d\* \/ [\d.]+ /);
    expect(table).toContain(': marked *, ');
    expect(table.match(/\d\*/g)).toHaveLength(2);
  }
  const marked = makeTables({ ...report, cells }, 2).filter(({ rows }) =>
    rows.flat().some((text) => text.includes('*')),
  );
  expect(marked.map(({ id }) => id)).toEqual(
    expect.arrayContaining(
      ['localLatencyMs.p50-optquill', 'userCpuPercent-noquill', 'resources'].map((id) =>
        id.toLowerCase().replace('.', '-'),
      ),
    ),
  );
});

test('a chart of it says so', () => {
  const cells = nameCells(report.cells.map((cell) => withMissedBounds(cell, CALIBRATION)));
  const figure = chartsOver('users').find(({ name }) => name === 'serverCpuPercent')!;
  const chartOf = (mode: string) => usersChart(figure, cells, { mode, tier: 'unknown' });
  expect(chartOf('optquill').title).toMatch(/\*$/);
  expect(chartOf('optquill').hint).toMatch(/; \* the last calibration missed its bound$/);
  expect(chartOf('noquill').title).not.toContain('*');
});

test('a later calibration takes the place of the earlier one, and a cell without figures has none to mark', () => {
  const [cell] = report.cells;
  const marked = withMissedBounds(cell!, CALIBRATION);
  expect(withMissedBounds(marked, { rows: [] })).toEqual({ ...cell, missedBounds: [] });
  expect(withMissedBounds({ ...cell!, validTrials: 0 }, CALIBRATION).missedBounds).toEqual([]);
});

test('where none is kept there is none; one that cannot be read is no silence', async () => {
  await using folder = await temporaryFolder();
  const path = folder.in('calibration.json');
  expect(lastCalibration(path)).toBe(null);
  await writeFile(path, '{}');
  expect(() => lastCalibration(path)).toThrow();
});

test('a figure of documents that some valid trials lack says of how many it is', () => {
  const parameters = { framework: 'x', way: 'drop', edits: 1000, users: 100 };
  const trialOf = (trial: number, columns: TrialFigures['columns']) => {
    const measured = { columns, samples: {}, buckets: [], faults: [], curves: {} };
    return { ...valid(trial), figures: measured };
  };
  const told = (third: TrialFigures['columns']) => {
    const all = { halfBackMs: 100, allBackMs: 400 };
    const trials = [trialOf(1, all), trialOf(2, all), trialOf(3, third)];
    return summarize({ scenario: 'storm', tier: 'unknown', parameters }, trials).messages.map(({ text }) => text);
  };
  expect(told({ halfBackMs: 100 })).toEqual(['all users back: of 2 of the 3 valid trials; the others have none']);
  expect(told({ halfBackMs: 100, allBackMs: 900 })).toEqual([]);
});
