import { expect, test } from 'vitest';
import { left, right } from '../../tables/table.ts';
import { assignStyles } from '../palette.ts';
import {
  type ChartLine,
  type ChartModel,
  type ChartPoint,
  type ChartSpan,
  type Form,
  logEnds,
  onOneAxis,
  type PlotChart,
  positionsOf,
  type Theme,
} from './form.ts';
import { time, users } from './over.ts';
import { rows } from './rows.ts';

const point = (x: number, value: number): ChartPoint => ({ x, value, interval: null, instead: null });
const style = assignStyles(['yjs']).get('yjs')!;
const line: ChartLine = { name: 'yjs', style, points: [point(2, 10), point(8, 30)] };
const modelOf = (form: Form): ChartModel => ({
  ...{ id: 'a', title: 'A', unit: 'ms', hint: '', of: 'noquill', tier: null, scale: null, bound: null, whole: null },
  ...{ form, lines: [line], absent: [], spans: [], format: String },
});
const textOf = (one: ChartPoint | undefined) => String(one?.value);

test.each([
  [[12, 24], { min: 10, max: 50 }],
  [[20], { min: 20, max: 50 }],
  [[53, 18], { min: 10, max: 100 }],
  [[0.003, 7000], { min: 0.002, max: 10_000 }],
  [[1, 1000], { min: 1, max: 1000 }],
])('a logarithmic axis of %j has labels around its values, at least two', (values, { min, max }) => {
  const ends = logEnds(values);
  expect(ends.min).toBeCloseTo(min, 9);
  expect(ends.max).toBeCloseTo(max, 9);
});

test('charts side by side have one axis: linear or not for all, and over the values of all', () => {
  const model = (scale: ChartModel['scale'], value: number) =>
    ({
      scale,
      lines: [{ name: 'x', points: [{ x: 1, value, interval: null, instead: null }] }],
    }) as unknown as ChartModel;
  const models = onOneAxis([model('linear', 1), model('log', 500)]);
  expect(models.map(({ scale }) => scale)).toEqual(['log', 'log']);
  for (const { beside } of models) expect(beside!.map(({ points }) => points[0]!.value)).toEqual([1, 500]);
});

test('positions stand in the order of numbers', () => {
  const line = { points: [112, 8, 16, 4].map((x) => ({ x })) } as unknown as ChartLine;
  expect(positionsOf([line, line])).toEqual([4, 8, 16, 112]);
});

test('a form has the figures on one axis, and its positions on the other', () => {
  const places = (form: Form) => line.points.map((one) => form.place(one, one.value!, line, 3));
  expect(places(users)).toEqual([
    { x: 2, y: 10 },
    { x: 8, y: 30 },
  ]);
  expect(places(time)).toEqual(places(users));
  // In a row the two user counts lie on both sides of its middle.
  expect(places(rows)).toEqual([
    { x: 10, y: 2.85 },
    { x: 30, y: 3.15 },
  ]);
  expect([rows, users, time].map(({ valueAxis }) => valueAxis)).toEqual(['x', 'y', 'y']);
});

test('the table has a row for each framework, and over time for each second', () => {
  const columns = [left('framework'), right('2 users'), right('8 users')];
  const byUsers = { columns, rows: [['yjs', '10', '30']] };
  expect(rows.table(modelOf(rows), textOf)).toEqual(byUsers);
  expect(users.table(modelOf(users), textOf)).toEqual(byUsers);
  expect(time.table(modelOf(time), textOf)).toEqual({
    columns: [left('second'), right('yjs')],
    rows: [
      ['2', '10'],
      ['8', '30'],
    ],
  });
});

test('rows grow with their number and fill the larger user count; lines have one height', () => {
  expect(rows.heightPx([line, line])).toBeGreaterThan(rows.heightPx([line]));
  expect(users.heightPx([line, line])).toBe(users.heightPx([line]));
  expect(rows.fill(line, 'red', 'white')).toEqual(['white', 'red']);
  expect(users.fill(line, 'red', 'white')).toBe('red');
});

test('the axis of a trial that has just begun is a minute long', () => {
  const theme = {} as Theme;
  expect(time.baseAxis(modelOf(time), [line], theme)).toMatchObject({ min: 0, max: 60 });
});

test('warm-up and faults are shaded over time, as far as they lie within the axis', () => {
  const drawn: unknown[] = [];
  const ctx = {
    ...{ save() {}, restore() {}, fillStyle: '' },
    fillRect: (left: number, _top: number, width: number) => drawn.push([ctx.fillStyle, left, width]),
    fillText: (text: string, left: number) => drawn.push([text, left]),
  };
  const chart = {
    ...{ ctx, chartArea: { left: 50, right: 250, top: 0, height: 100 } },
    scales: { x: { getPixelForValue: (second: number) => 50 + 10 * second } },
  } as unknown as PlotChart;
  const spans: ChartSpan[] = [
    { of: 'warm-up', name: 'warm-up', fromS: 0, toS: 5 },
    { of: 'fault', name: 'offline', fromS: 8, toS: 30 },
  ];
  time.drawGround(chart, { ...modelOf(time), spans }, { shade: 'grey', fault: 'orange' } as Theme);
  expect(drawn).toEqual([
    ['grey', 50, 50],
    ['warm-up', 56],
    ['orange', 130, 120],
  ]);
});
