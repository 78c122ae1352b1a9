import { expect, test } from 'vitest';
import { ranges } from './forms/rows.ts';
import { beginsLogarithmic } from './forms/scale.ts';
import { assignStyles } from './palette.ts';
import { rangeChart } from './range-chart.ts';

const style = assignStyles(['yjs']).get('yjs')!;
const described = { id: 'answer', title: 'A', unit: 'ms', hint: '', of: 'noquill', tier: null };
const range = (name: string, median: number | null, p95: number | null, instead: string | null = null) => ({
  ...{ name, style, users: 4, median, p95, instead },
});

test('ranges: the shortest first, those without figures last, and a logarithmic axis only where they are far apart', () => {
  const model = rangeChart(
    [range('slow', 90, 200), range('none', null, null, 'failed'), range('quick', 30, 50)],
    described,
  );
  expect(model.form).toBe(ranges);
  expect(model.lines.map(({ name }) => name)).toEqual(['quick', 'slow', 'none']);
  expect(model.lines[0]!.points[0]).toMatchObject({ value: 30, interval: { low: 30, high: 50 } });
  expect(beginsLogarithmic(model)).toBe(false);
  expect(beginsLogarithmic(rangeChart([range('a', 30, 50), range('b', 90, 300)], described))).toBe(true);
  expect(model.format(30, { low: 30, high: 50 })).toMatch(/^30(\.0)? to 50(\.0)?$/);
});
