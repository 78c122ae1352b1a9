import { describe, expect, test } from 'vitest';
import { cellOf } from '../test-data/written-cell.ts';
import { judgeBy } from './fully-functional.ts';

type Circumstances = Omit<Parameters<typeof judgeBy>[2], 'calm'> & { calm: object | null };

// With figures as they are written.
function judgeFunctionality(figures: object, { calm, ...others }: Circumstances) {
  return judgeBy('paper', cellOf(figures), { ...others, calm: calm && cellOf(calm) });
}
function judgeSmoothness(figures: object, { calm, ...others }: Circumstances) {
  return judgeBy('smooth', cellOf(figures), { ...others, calm: calm && cellOf(calm) });
}

const latency = (p50: number | null, p95: number | null, samples = 100) => ({ p50, p95, p99: null, samples });
/** Exactly at every bound. */
const JUST = {
  throughputPercent: 98,
  sigilsArrivedPercent: 95,
  sigilsSeen: 100,
  localLatencyMs: latency(100, 200),
  keyLatencyMs: { p50: null, p95: null, p98: null, samples: 0 },
  endToEndLatencyMs: latency(3000, 6000),
};

/** No trial failed, and no machine was short of cores. */
const QUIET = { trials: 3, failedTrials: 0, calm: null, intervalOf: () => null };

const textsOf = (unknown: readonly { text: string }[]) => unknown.map(({ text }) => text);

test('a cell exactly at every bound is fully functional', () => {
  expect(judgeFunctionality(JUST, QUIET)).toEqual({ holds: true, missed: [], unknown: [] });
});

test.each([
  [{ throughputPercent: 97.96 }, 'throughput (97.96 %, at least 98 %)'],
  [{ localLatencyMs: latency(112.5, 200) }, 'median local latency (112.5 ms, at most 100 ms)'],
  [{ localLatencyMs: latency(10, 201) }, '95th percentile of local latency (201 ms, at most 200 ms)'],
  [{ endToEndLatencyMs: latency(3001, 6000) }, 'median end-to-end latency (3001 ms, at most 3000 ms)'],
  [{ endToEndLatencyMs: latency(50, 6500) }, '95th percentile of end-to-end latency (6500 ms, at most 6000 ms)'],
  [{ sigilsArrivedPercent: 66.7 }, 'sigils arrived (66.7 %, at least 95 %)'],
])('a bound missed is named, with by how much: %o', (worse, reason) => {
  expect(judgeFunctionality({ ...JUST, ...worse }, QUIET)).toEqual({
    holds: false,
    missed: [reason],
    unknown: [],
  });
});

test('too few samples leave it open, unless another bound is missed', () => {
  const few = { ...JUST, localLatencyMs: latency(10, null, 24) };
  expect(judgeFunctionality(few, QUIET)).toEqual({
    holds: null,
    missed: [],
    unknown: [{ cause: 'too few samples', text: '95th percentile of local latency (24 samples, 59 needed)' }],
  });
  expect(judgeFunctionality({ ...few, throughputPercent: 50 }, QUIET).holds).toBe(false);
});

test('where too few sigils were typed, every own key tells of local latency', () => {
  const few = { ...JUST, localLatencyMs: latency(null, null, 4) };
  const keys = (p50: number, p95: number) => ({ ...few, keyLatencyMs: { p50, p95, p98: null, samples: 700 } });
  expect(judgeFunctionality(keys(100, 200), QUIET)).toEqual({ holds: true, missed: [], unknown: [] });
  expect(judgeFunctionality(keys(16, 240), QUIET).missed).toEqual([
    '95th percentile of key latency (240 ms, at most 200 ms)',
  ]);
  const enough = { ...keys(16, 240), localLatencyMs: latency(100, 200) };
  expect(judgeFunctionality(enough, QUIET).holds).toBe(true);
});

test('a trial that the framework failed makes it no, whatever the others measured', () => {
  expect(judgeFunctionality(JUST, { ...QUIET, failedTrials: 1 })).toEqual({
    holds: false,
    missed: ['1 of 3 trials failed'],
    unknown: [],
  });
});

test('a bound missed only where the machine was short of cores is the machine’s: unknown, not no', () => {
  const missing = { ...JUST, throughputPercent: 87 };
  const never = { ...JUST, throughputPercent: null, localLatencyMs: latency(null, null, 0) };
  const why = 'the machine was full, which may be why it missed throughput (87 %, at least 98 %)';
  for (const calm of [JUST, never]) {
    expect(judgeFunctionality(missing, { ...QUIET, calm })).toEqual({
      holds: null,
      missed: [],
      unknown: [{ cause: 'short of cores', text: why }],
    });
  }
  expect(judgeFunctionality(missing, { ...QUIET, calm: missing }).holds).toBe(false);
});

test('samples of one sigil on many screens count once in what a percentile needs', () => {
  const few = { ...JUST, sigilsSeen: 24, endToEndLatencyMs: latency(50, null, 593) };
  expect(textsOf(judgeFunctionality(few, QUIET).unknown)).toEqual([
    '95th percentile of end-to-end latency (24 sigils, 59 needed)',
  ]);
});

test('a bound that the interval over trials spans is unclear, on whichever side the figure lies', () => {
  for (const throughputPercent of [97.9, 98.1]) {
    const judged = judgeFunctionality(
      { ...JUST, throughputPercent },
      { ...QUIET, intervalOf: ({ name }) => (name === 'throughputPercent' ? { low: 97.2, high: 98.6 } : null) },
    );
    expect(judged).toMatchObject({ holds: null, missed: [] });
    const text = `throughput (${throughputPercent} %, at least 98 %, interval 97.2 to 98.6 %)`;
    expect(judged.unknown).toEqual([{ cause: 'interval spans the bound', text }]);
  }
});

describe('smooth', () => {
  /** Exactly at every bound. */
  const smooth = {
    worstUserThroughputPercent: 95,
    responseInTimePercent: 95,
    keysInTimePercent: null,
    seenInTimePercent: 95,
    textInTimePercent: 95,
    deletionsInTimePercent: 90,
    formatsInTimePercent: 90,
    worstUserLongTaskPercent: 5,
  };

  test('is a cell exactly at every bound', () => {
    expect(judgeSmoothness(smooth, QUIET)).toEqual({ holds: true, missed: [], unknown: [] });
  });

  test.each([
    [{ worstUserThroughputPercent: 94 }, /^worst user’s throughput \(94 %, at least 95 %\)$/],
    [{ responseInTimePercent: 90 }, /^response in time \(90 %, at least 95 %\)$/],
    [{ seenInTimePercent: 90 }, /^seen in time \(90 %, at least 95 %\)$/],
    [{ textInTimePercent: 94 }, /^text in time \(94 %, at least 95 %\)$/],
    [{ deletionsInTimePercent: 89 }, /^deletions in time \(89 %, at least 90 %\)$/],
    [{ formatsInTimePercent: 89 }, /^formats in time \(89 %, at least 90 %\)$/],
    [{ worstUserLongTaskPercent: 6 }, /^worst user’s long tasks \(6 %, at most 5 %\)$/],
  ])('is none that misses one: %o', (worse, reason) => {
    const { holds, missed } = judgeSmoothness({ ...smooth, ...worse }, QUIET);
    expect([holds, missed]).toEqual([false, [expect.stringMatching(reason)]]);
  });

  test('stands by the keys where there are too few sigils, and by them alone is never missed', () => {
    const few = { ...smooth, responseInTimePercent: null };
    expect(judgeSmoothness({ ...few, keysInTimePercent: 95 }, QUIET).holds).toBe(true);
    const { holds, missed, unknown } = judgeSmoothness({ ...few, keysInTimePercent: 90 }, QUIET);
    expect([holds, missed]).toEqual([null, []]);
    expect(textsOf(unknown)).toEqual(['keys in time (90 % or more, at least 95 %)']);
    // Many sigils say it themselves.
    expect(judgeSmoothness({ ...smooth, keysInTimePercent: 90 }, QUIET).holds).toBe(true);
  });

  test('does without what no crowd’s records tell', () => {
    expect(judgeSmoothness({ ...smooth, textInTimePercent: null }, QUIET)).toMatchObject({ holds: true, unknown: [] });
  });

  test('is not known where too few sigils were changed', () => {
    const { holds, unknown } = judgeSmoothness({ ...smooth, formatsInTimePercent: null }, QUIET);
    expect([holds, textsOf(unknown)]).toEqual([
      null,
      [expect.stringMatching(/^formats in time \(fewer than the 29 sigils/)],
    ]);
  });

  test('is not known where it is not known which sigils were not typed', () => {
    const { holds, unknown } = judgeSmoothness({ ...smooth, responseInTimePercent: null }, QUIET);
    expect([holds, textsOf(unknown)]).toEqual([
      null,
      [expect.stringMatching(/^response in time \(fewer than the 59 sigils/)],
    ]);
  });
});

test('an interval whose end rounds to the bound is told with more digits', () => {
  const intervalOf: Circumstances['intervalOf'] = ({ name }) =>
    name === 'throughputPercent' ? { low: 97.96, high: 98.6 } : null;
  const { unknown } = judgeFunctionality({ ...JUST, throughputPercent: 98.3 }, { ...QUIET, intervalOf });
  expect(textsOf(unknown)).toEqual(['throughput (98.3 %, at least 98 %, interval 97.96 to 98.6 %)']);
});
