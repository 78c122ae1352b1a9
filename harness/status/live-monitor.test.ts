import { expect, test } from 'vitest';
import { makeSigil } from '../../editors/base/sigils.ts';
import { LiveMonitor } from './live-monitor.ts';

const START_MS = 1_000_000;
const typing = { type: 'typing' as const, skipped: 0, sigilsSkipped: 0, formats: 0, lagMs: [], driverLagMs: [] };
/** Two users; user 1's clock is 1,000 ms behind the coordinator's. */
function startSeries() {
  const series = new LiveMonitor({ probes: 2 });
  series.add(0, [{ type: 'clock', atMs: START_MS, offsetMs: 0, errorMs: 0.1 }]);
  series.add(1, [{ type: 'clock', atMs: START_MS, offsetMs: 1000, errorMs: 0.1 }]);
  series.begin('warm-up', START_MS, START_MS + 10_000);
  return series;
}

/** Six samples are enough for a median, and not for a 95th percentile. */
const SIX_OF_EACH = {
  'localLatencyMs.p50': 4,
  'localLatencyMs.p95': null,
  'localLatencyMs.samples': 6,
  'endToEndLatencyMs.p50': 100,
  'endToEndLatencyMs.p95': null,
  'endToEndLatencyMs.samples': 6,
};

test('before typing there is nothing, and what happens then belongs to no bucket', () => {
  const series = new LiveMonitor({ probes: 2 });
  series.begin('ready', START_MS - 5000, null);
  series.add(0, [{ ...typing, atMs: START_MS - 10, offered: 6, performed: 6 }]);
  expect(series.points(START_MS)).toEqual([]);
});

test('edits fall into the bucket of their time, on the coordinator’s clock', () => {
  const series = startSeries();
  series.add(0, [{ ...typing, atMs: START_MS + 500, offered: 6, performed: 3 }]);
  // 9,500 on user 1's clock is 10,500 on the coordinator's: the second bucket.
  series.add(1, [{ ...typing, atMs: START_MS + 9500, offered: 6, performed: 6 }]);
  series.begin('measure', START_MS + 10_000, START_MS + 20_000);
  const [first, second, ...more] = series.points(START_MS + 15_000);
  expect(more).toEqual([]);
  expect(first).toMatchObject({ fromS: 0, phase: 'warm-up', figures: { throughputPercent: 50 } });
  // The trial tells the other figures when it has ended.
  expect(second).toMatchObject({
    fromS: 10,
    phase: 'measure',
    figures: { throughputPercent: 100, serverCpuPercent: null },
  });
});

test('a latency belongs to the bucket in which its sigil was sent, even where it is shown before the sending is known', () => {
  const series = startSeries();
  for (let number = 0; number < 6; number++) {
    const sigil = makeSigil(0, number);
    // Sent by user 0 at 9,990, shown to user 1 at 10,090 of the coordinator's clock.
    series.add(1, [{ type: 'sigil-shown', sigil, shownMs: START_MS + 9090 }]);
    series.add(0, [
      { type: 'sigil-sent', sigil, dueMs: START_MS + 9990, sentMs: START_MS + 9990 },
      { type: 'sigil-shown', sigil, shownMs: START_MS + 9994 },
    ]);
  }
  expect(series.points(START_MS + 20_000)[0]!.figures).toMatchObject(SIX_OF_EACH);
});

test('text that read like a sigil on its sender’s screen before the sigil was typed is no latency', () => {
  const series = startSeries();
  for (let number = 0; number < 6; number++) {
    const sigil = makeSigil(0, number);
    series.add(0, [
      { type: 'sigil-shown', sigil, shownMs: START_MS + 2000 },
      { type: 'sigil-sent', sigil, dueMs: START_MS + 9990, sentMs: START_MS + 9990 },
      // The page's records may come later than its driver's.
      { type: 'sigil-shown', sigil, shownMs: START_MS + 3000 },
      { type: 'sigil-shown', sigil, shownMs: START_MS + 9994 },
    ]);
  }
  expect(series.points(START_MS + 20_000)[0]!.figures).toMatchObject({
    'localLatencyMs.p50': 4,
    'localLatencyMs.samples': 6,
  });
});

test('a sigil that others broke and mended shows again, and its latency is that of its first showing', () => {
  const series = startSeries();
  for (let number = 0; number < 6; number++) {
    const sigil = makeSigil(0, number);
    series.add(0, [
      { type: 'sigil-sent', sigil, dueMs: START_MS + 2000, sentMs: START_MS + 2000 },
      { type: 'sigil-shown', sigil, shownMs: START_MS + 2004 },
      { type: 'sigil-shown', sigil, shownMs: START_MS + 9000 },
    ]);
    // User 1's first is of 2,100 on the coordinator's clock.
    for (const shownMs of [START_MS + 1100, START_MS + 8000]) series.add(1, [{ type: 'sigil-shown', sigil, shownMs }]);
  }
  expect(series.points(START_MS + 20_000)[0]!.figures).toMatchObject(SIX_OF_EACH);
});

test('quantiles are renewed every few seconds, and at once when typing has ended; then the series is closed', () => {
  const series = startSeries();
  const type = (count: number) => {
    for (let number = 0; number < count; number++) {
      const sentMs = START_MS + 100;
      const sigil = makeSigil(0, 36 + number);
      series.add(0, [
        { type: 'sigil-sent', sigil, dueMs: sentMs, sentMs },
        { type: 'sigil-shown', sigil, shownMs: sentMs + 4 },
      ]);
    }
  };
  const samples = (nowMs: number) => series.points(nowMs)[0]!.figures['localLatencyMs.samples'];
  type(6);
  expect(samples(START_MS + 1000)).toBe(6);
  type(2);
  expect(samples(START_MS + 2000)).toBe(6);
  expect(samples(START_MS + 6000)).toBe(8);
  type(1);
  series.begin('settle', START_MS + 7000, null);
  expect(samples(START_MS + 7000)).toBe(9);
  series.add(0, [{ ...typing, atMs: START_MS + 12_000, offered: 6, performed: 6 }]);
  expect(series.points(START_MS + 12_000)).toHaveLength(1);
});

test('what a wrong clock puts far ahead lays out no buckets', () => {
  const series = startSeries();
  const year = 365 * 24 * 3_600_000;
  series.add(0, [{ ...typing, atMs: START_MS + year, offered: 6, performed: 6 }]);
  series.add(0, [{ ...typing, atMs: Number.MAX_VALUE, offered: 6, performed: 6 }]);
  expect(series.points(START_MS + 1000)).toEqual([]);
  // Of the next phase a line may come before the word of its beginning.
  series.add(0, [{ ...typing, atMs: START_MS + 10_100, offered: 6, performed: 3 }]);
  series.begin('measure', START_MS + 10_000, START_MS + 20_000);
  expect(series.points(START_MS + 11_000)).toMatchObject([
    { phase: 'warm-up', figures: { throughputPercent: null } },
    { phase: 'measure', figures: { throughputPercent: 50 } },
  ]);
});

test('figures of the bucket that runs and of the one before, corrected by each user’s clock', () => {
  const monitor = new LiveMonitor({ probes: 2 });
  monitor.begin('warm-up', 0, 60_000);
  // User 1's clock is 1,000 ms behind the coordinator's.
  monitor.add(0, [{ type: 'clock', atMs: 0, offsetMs: 0, errorMs: 0.1 }]);
  monitor.add(1, [{ type: 'clock', atMs: 0, offsetMs: 1000, errorMs: 0.1 }]);
  monitor.add(0, [
    { ...typing, atMs: 5000, offered: 100, performed: 0 },
    { ...typing, atMs: 20_000, offered: 6, performed: 6 },
    { type: 'sigil-sent', sigil: '00@00', dueMs: 20_000, sentMs: 20_000 },
    { type: 'sigil-shown', sigil: '00@00', shownMs: 20_004 },
  ]);
  monitor.add(1, [
    { ...typing, atMs: 19_000, offered: 6, performed: 3 },
    { type: 'sigil-shown', sigil: '00@00', shownMs: 19_060 },
    { type: 'sigil-shown', sigil: '00@zz', shownMs: 19_060 },
  ]);
  // 9 of 12 edits; 4 ms on the own screen; 19,060 + 1,000 − 20,000 = 60 ms on the other's. What was never sent is no sample.
  for (const nowMs of [21_000, 39_000])
    expect(monitor.figures(nowMs)).toEqual({ throughputPercent: 75, localLatencyMs: 4, endToEndLatencyMs: 60 });
  expect(monitor.figures(40_000)).toEqual({ throughputPercent: null, localLatencyMs: null, endToEndLatencyMs: null });
});

test('a clock 30 s off that drifts by 100 ppm: the newest good measurement counts, a poor one does not', () => {
  const monitor = new LiveMonitor({ probes: 2 });
  monitor.begin('measure', 0, 300_000);
  // User 1's clock shows 30 s less and loses 1 ms in 10 s. Nothing is sent but for one sigil at 295,000, shown 80 ms later.
  const offsetMs = (ms: number) => 30_000 + ms * 100e-6;
  monitor.add(0, [{ type: 'clock', atMs: 1, offsetMs: 0, errorMs: 0.2 }]);
  for (let ms = 0; ms < 300_000; ms += 10_000) {
    monitor.add(1, [{ type: 'clock', atMs: ms - offsetMs(ms), offsetMs: offsetMs(ms), errorMs: 0.5 }]);
  }
  monitor.add(1, [{ type: 'clock', atMs: 294_000 - offsetMs(294_000), offsetMs: offsetMs(294_000) + 25, errorMs: 30 }]);
  monitor.add(0, [{ type: 'sigil-sent', sigil: '00@00', dueMs: 295_000, sentMs: 295_000 }]);
  monitor.add(1, [{ type: 'sigil-shown', sigil: '00@00', shownMs: 295_080 - offsetMs(295_080) }]);
  // Measured at 290,000; 5 s later it has drifted by another 0.5 ms.
  expect(Math.abs(monitor.figures(296_000).endToEndLatencyMs! - 80)).toBeLessThanOrEqual(0.51);
});

test('an hour of many users leaves points, and little of what they were made of', () => {
  const series = startSeries();
  series.begin('measure', START_MS, START_MS + 3_600_000);
  let most = 0;
  for (let second = 0; second < 3600; second++) {
    const atMs = START_MS + 1000 * second;
    const sigil = makeSigil(0, second % 1296);
    const shown = { type: 'sigil-shown', sigil, shownMs: atMs + 50 } as const;
    series.add(0, [
      { ...typing, atMs, offered: 6, performed: 6 },
      { type: 'sigil-sent', sigil, dueMs: atMs, sentMs: atMs },
      shown,
      // Made up by others' typing: nobody sends it.
      { ...shown, sigil: `zz${sigil.slice(2)}` },
    ]);
    series.add(1, Array<typeof shown>(20).fill({ ...shown, shownMs: atMs - 800 }));
    most = Math.max(most, series.kept);
  }
  expect(most).toBeLessThan(5000);
  const points = series.points(START_MS + 3_600_000);
  expect(points).toHaveLength(360);
  expect(points[0]).toMatchObject({ figures: { throughputPercent: 100, 'endToEndLatencyMs.p50': 200 } });
  expect(points[200]).toMatchObject({ figures: { throughputPercent: 100, 'endToEndLatencyMs.p50': 200 } });
});
