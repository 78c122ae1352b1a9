import { expect, test } from 'vitest';
import { createLagReader, MetricsPage } from './metrics-page.ts';

test('a series is read whatever its labels, and nothing else is', () => {
  const page = new MetricsPage(
    '# HELP x y\nprocess_cpu_seconds_total{core="0"} 1.5\nprocess_cpu_seconds_total{core="1",of="/{id}"} 2\nprocess_cpu 9\nempty NaN\n',
  );
  expect(page.sumOf('process_cpu_seconds_total')).toBe(3.5);
  expect(page.sumOf('process_resident_memory_bytes')).toBeNull();
  expect(page.names).toEqual(['process_cpu_seconds_total', 'process_cpu']);
});

test('a type names a series only if it is the series’ own', () => {
  expect(new MetricsPage('# TYPE asked_total counter\n# TYPE open gauge\n').names).toEqual(['asked_total', 'open']);
  const page = new MetricsPage(
    '# TYPE took histogram\ntook_sum 1\ntook_count 2\n# TYPE opened counter\nopened_total 3\n# TYPE asked summary\n',
  );
  expect(page.names).toEqual(['took_sum', 'took_count', 'opened_total']);
});

test('quantiles and buckets are no series, as their sum means nothing', () => {
  const page = new MetricsPage(
    '# TYPE asked summary\nasked{quantile="0.5"} 1\nasked{quantile="0.9"} 2\nasked_sum 9\n' +
      '# TYPE took histogram\ntook_bucket{le="1"} 3\ntook_bucket{le="+Inf"} 4\ntook_count 4\n',
  );
  expect(page.names).toEqual(['asked_sum', 'took_count']);
  expect([page.sumOf('asked'), page.sumOf('took_bucket')]).toEqual([null, null]);
});

test('a counter is told from a gauge by its type, whatever its name', () => {
  const page = new MetricsPage(
    '# TYPE asked_total counter\n# TYPE handles_total gauge\n# TYPE took_seconds histogram\n# TYPE opened counter\n',
  );
  const counters = ['asked_total', 'took_seconds_sum', 'opened_total'];
  expect(counters.filter((name) => !page.isCounter(name))).toEqual([]);
  expect(['handles_total', 'took_seconds', 'unknown_total'].filter((name) => page.isCounter(name))).toEqual([]);
});

/** In seconds, as prom-client has them. */
function lagPage(lag: Readonly<Record<'min' | 'mean' | 'p50' | 'p90' | 'p99' | 'max', number>>): MetricsPage {
  return new MetricsPage(
    Object.entries(lag)
      .map(([part, seconds]) => `nodejs_eventloop_lag_${part}_seconds ${seconds}`)
      .join('\n'),
  );
}

test('an event loop is as late as the intervals of a timer are longer than its period', () => {
  const read = createLagReader();
  const calm = read(lagPage({ min: 0.01, mean: 0.01, p50: 0.01, p90: 0.01, p99: 0.01, max: 0.01 }), 1000)!;
  expect(calm).toEqual([[100, 0]]);
  // Fifty intervals in a second: all in time but one of half a second, behind which further ones would have waited.
  const held = read(lagPage({ min: 0.01, mean: 0.02, p50: 0.01, p90: 0.01, p99: 0.51, max: 0.51 }), 1000)!;
  expect(held.at(-1)).toEqual([1, 500]);
  expect(held.reduce((sum, [count, ms]) => sum + (ms > 0 ? count : 0), 0)).toBe(50);
  expect(held.reduce((sum, [count]) => sum + count, 0)).toBe(100 - 1);
});

test.each([
  ['one of 0.61 s among 39', { period: 0.01, mean: 0.025, p99: 0.61, max: 0.61, sinceMs: 1000 }, 60],
  ['five of 0.11 s among 45', { period: 0.01, mean: 0.02, p99: 0.11, max: 0.11, sinceMs: 1000 }, 5 * 10],
  ['one of 0.6 s among 200 of 2 ms', { period: 0.002, mean: 1 / 201, p99: 0.002, max: 0.6, sinceMs: 1000 }, 297],
  ['one of 0.51 s among 49, read late', { period: 0.01, mean: 0.02, p99: 0.51, max: 0.51, sinceMs: 1015 }, 50],
])('long intervals are as many as the mean allows: %s', (_intervals, { period, mean, p99, max, sinceMs }, late) => {
  const delays = createLagReader()(lagPage({ min: period, mean, p50: period, p90: period, p99, max }), sinceMs)!;
  expect(delays.reduce((sum, [count, ms]) => sum + (ms > 5 ? count : 0), 0)).toBe(late);
});

test('a page without such gauges, with empty ones or those of several processes tells no delay', () => {
  const read = createLagReader();
  const parts = ['min', 'mean', 'p50', 'p90', 'p99', 'max'];
  const of = (pid: number) => parts.map((part) => `nodejs_eventloop_lag_${part}_seconds{pid="${pid}"} 0.01\n`).join('');
  expect(read(new MetricsPage(of(1)), 1000)).toEqual([[100, 0]]);
  expect(read(new MetricsPage(of(1) + of(2)), 1000)).toBeNull();
  expect(read(new MetricsPage('nodejs_eventloop_lag_seconds 0.01\n'), 1000)).toBeNull();
  const nothing = { min: 9.2e9, mean: Number.NaN, p50: 0, p90: 0, p99: 0, max: 0 };
  expect(read(lagPage(nothing), 1000)).toBeNull();
});

test('values that cannot be are not taken: no sum of more than a number holds, no interval longer than the time', () => {
  expect(new MetricsPage('x{a="1"} 1e308\nx{a="2"} 1e308\n').sumOf('x')).toBeNull();
  expect(new MetricsPage(`x{${'a'.repeat(2e7)}\ny 1\n`).names).toEqual(['y']);
  const read = createLagReader();
  const usual = { min: 0.01, mean: 0.01, p50: 0.01, p90: 0.01, p99: 0.01, max: 0.01 };
  // A max in ns, and one since the server began; each step of such a delay would be counted.
  for (const wrong of [{ max: 1e20 }, { max: 60 }, { min: -1e300, p50: -1e300 }, { mean: 1e306 }]) {
    expect(read(lagPage({ ...usual, ...wrong }), 1000)).toBeNull();
  }
  expect(read(lagPage(usual), 1000)).toEqual([[100, 0]]);
});
