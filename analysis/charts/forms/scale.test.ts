import { expect, test } from 'vitest';
import { type ChartModel, PLAIN } from './form.ts';
import { beginsLogarithmic, figureScale, linearScale, logScale } from './scale.ts';

test.each([
  [[12, 24], 10, 50, [10, 20, 50]],
  [[20], 20, 50, [20, 50]],
  [[53, 18], 10, 100, [10, 20, 50, 100]],
  [[1, 1000], 1, 1000, [1, 10, 100, 1000]],
  [[0.003, 7000], 0.002, 10_000, [0.01, 0.1, 1, 10, 100, 1000, 10_000]],
])('a logarithmic axis of %j has labels around its values, at least two', (values, least, greatest, ticks) => {
  const scale = logScale(values);
  expect([scale.least, scale.greatest].map((end) => Number(end.toPrecision(9)))).toEqual([least, greatest]);
  expect(scale.ticks.map((tick) => Number(tick.toPrecision(9)))).toEqual(ticks);
});

test('every logarithmic axis has from two to seven labels', () => {
  for (let decade = -6; decade < 9; decade += 0.37) {
    for (const times of [1, 1.5, 7, 40, 1e4, 1e9]) {
      const { ticks, least, greatest } = logScale([10 ** decade, times * 10 ** decade]);
      expect(ticks.length, `${least} to ${greatest}`).toBeGreaterThanOrEqual(2);
      expect(ticks.length, `${least} to ${greatest}`).toBeLessThanOrEqual(7);
    }
  }
});

test('a linear axis has round labels around its values, or between exact ends', () => {
  expect(linearScale(0, 33).ticks).toEqual([0, 10, 20, 30, 40]);
  expect(linearScale(0, 0).ticks).toEqual([0, 1]);
  expect(linearScale(-3, 8).ticks).toEqual([-4, -2, 0, 2, 4, 6, 8]);
  const time = linearScale(0, 375, 'exact');
  expect(time).toMatchObject({ least: 0, greatest: 375, ticks: [0, 100, 200, 300] });
  expect([-5, 75, 900].map(time.at)).toEqual([0, 0.2, 1]);
});

const model = (values: readonly (number | null)[], changed: Partial<ChartModel> = {}) =>
  ({
    ...PLAIN,
    scale: 'log',
    lines: [{ points: values.map((value, x) => ({ x, value, interval: null, instead: null })) }],
    ...changed,
  }) as unknown as ChartModel;

test('a chart begins with a logarithmic axis where its figures multiply and lie a decade apart', () => {
  expect(beginsLogarithmic(model([3, 30]))).toBe(true);
  expect(beginsLogarithmic(model([3, 29, 0, null]))).toBe(false);
  expect(beginsLogarithmic(model([]))).toBe(false);
  expect(beginsLogarithmic(model([3, 30], { scale: 'linear' }))).toBe(false);
});

test('a share that is nearly whole ends at the whole, and an interval below 0 stretches no axis', () => {
  expect(figureScale(model([97.5, 99], { whole: 100 }), false)).toMatchObject({ least: 96, greatest: 100 });
  const below = model([4]);
  below.lines[0]!.points[0]!.interval = { low: -50, high: 6 };
  expect(figureScale(below, false)).toMatchObject({ least: 0, greatest: 6 });
});
