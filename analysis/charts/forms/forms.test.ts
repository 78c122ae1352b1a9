import { expect, test } from 'vitest';
import { left, right } from '../../tables/table.ts';
import { assignStyles, SHADES } from '../palette.ts';
import { drawPlot, plotOf } from '../plot.ts';
import { type ChartLine, type ChartModel, type Form, type Mark, onOneAxis, PLAIN, tableOf } from './form.ts';
import { over, time, users } from './over.ts';
import { namedRows, ranges, rows } from './rows.ts';

const point = (x: number, value: number | null): ChartLine['points'][number] => ({
  ...{ x, value, interval: null, instead: null },
});
const style = assignStyles(['yjs']).get('yjs')!;
const line: ChartLine = { name: 'yjs', style, points: [point(2, 10), point(8, 30)] };
const modelOf = (form: Form, changed: Partial<ChartModel> = {}): ChartModel => ({
  ...PLAIN,
  ...{ id: 'a', title: 'A', unit: 'ms', hint: '', of: 'noquill', form, lines: [line], format: String },
  ...changed,
});
const lay = (form: Form, changed?: Partial<ChartModel>, isLog = false) => form.layOut(modelOf(form, changed), isLog);
const wordsOf = (marks: readonly Mark[]) => marks.flatMap((mark) => ('words' in mark ? mark.words : []));

test('charts side by side have one axis: linear or not for all, and over the values and positions of all', () => {
  const model = (scale: ChartModel['scale'], at: number) =>
    modelOf(time, { scale, lines: [{ ...line, points: [point(at, at)] }] });
  const models = onOneAxis([model('linear', 10), model('log', 500)]);
  expect(models.map(({ scale }) => scale)).toEqual(['log', 'log']);
  const pictures = models.map((one) => one.form.layOut(one, true));
  expect(pictures[0]!.up).toEqual(pictures[1]!.up);
  expect(pictures[0]!.across).toEqual(pictures[1]!.across);
});

test('a form has the figures on one axis, and its positions on the other', () => {
  const placesOf = (form: Form) => lay(form).lines[0]!.points.map(({ x, y }) => [x, y]);
  // The axis of users is from 2 to 8, that of figures from 0 to 30.
  expect(placesOf(users)).toEqual([
    [0.03, expect.closeTo(1 / 3)],
    [0.97, 1],
  ]);
  expect(placesOf(time)).toEqual([
    [expect.closeTo(2 / 60), expect.closeTo(1 / 3)],
    [expect.closeTo(8 / 60), 1],
  ]);
  // In a row the two user counts lie on both sides of its middle, the smaller one above.
  expect(placesOf(rows)).toEqual([
    [expect.closeTo(1 / 3), expect.closeTo(0.5 + 0.15 / 1.2)],
    [1, expect.closeTo(0.5 - 0.15 / 1.2)],
  ]);
});

test('a name that leaves no room for figures keeps its beginning and its end', () => {
  const name = `${'a'.repeat(60)}@13.6.20, optquill`;
  const [tick] = lay(rows, { lines: [{ ...line, name }] }).up.ticks;
  expect(tick!.text).toBe(`${'a'.repeat(25)}…@13.6.20, optquill`);
  expect(lay(rows).up.ticks[0]!.text).toBe('yjs');
});

test('where there is no figure there is a gap, on a logarithmic axis at 0 too', () => {
  const lines = [{ ...line, points: [point(1, null), point(2, 0), point(3, 5)] }];
  const gaps = (isLog: boolean) => lay(users, { lines }, isLog).lines[0]!.points.map(({ y }) => Number.isNaN(y));
  expect(gaps(false)).toEqual([true, false, false]);
  expect(gaps(true)).toEqual([true, true, false]);
});

test('an interval is a whisker, with its neighbour a band, and ends at the edge of a logarithmic axis', () => {
  const around = (x: number, low: number) => ({ ...point(x, 10), interval: { low, high: 20 } });
  const lines = [{ ...line, points: [around(2, 5), around(4, 0), point(6, 10), around(8, 5)] }];
  const { below } = lay(users, { lines }, true);
  const whiskers = below.filter((mark) => 'from' in mark);
  expect(whiskers.map(({ from, to }) => [from[1], to[1]])).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  expect(below.filter((mark) => 'corners' in mark && new Set(mark.corners.map(([x]) => x)).size === 2)).toHaveLength(1);
});

test('the table has a row for each line, or where there are many positions for each of those', () => {
  const columns = [left('framework'), right('2 users'), right('8 users')];
  expect(tableOf(modelOf(users, { format: (value) => String(value) }))).toEqual({
    columns,
    rows: [['yjs', '10', '30']],
  });
  const points = Array.from({ length: 13 }, (_, index) => point(index, index));
  const long = tableOf(modelOf(time, { lines: [{ ...line, points }], format: (value) => `${value} ms` }));
  expect(long.columns).toEqual([left('s'), right('yjs')]);
  expect(long.rows.slice(0, 2)).toEqual([
    ['0', '0 ms'],
    ['1', '1 ms'],
  ]);
});

test('rows grow with their number and fill the larger user count; lines have one height', () => {
  const height = (form: Form, count: number) => lay(form, { lines: Array(count).fill(line) }).heightPx;
  expect(height(rows, 2)).toBeGreaterThan(height(rows, 1));
  expect(height(users, 2)).toBe(height(users, 1));
  const filled = (form: Form) => lay(form).lines[0]!.points.map(({ isFilled }) => isFilled);
  expect(filled(rows)).toEqual([false, true]);
  for (const form of [namedRows, ranges]) {
    const each = lay(form, { lines: [2, 8].map((count) => ({ ...line, points: [point(count, 10)] })) });
    expect(each.lines.flatMap(({ points }) => points.map(({ isFilled }) => isFilled))).toEqual([true, true]);
  }
  // The larger of the chart: a line that has the smaller alone has none.
  const alone = { ...line, points: line.points.slice(0, 1) };
  expect(lay(rows, { lines: [line, alone] }).lines[1]!.points.map(({ isFilled }) => isFilled)).toEqual([false]);
  expect(filled(users)).toEqual([true, true]);
});

test('a cell without figures is named: in its row beside the figures, or by a cross', () => {
  const lines = [{ ...line, points: [point(2, 10), { ...point(8, null), instead: 'not valid' }] }];
  expect(lay(rows, { lines }).above).toMatchObject([{ words: '✕ 8 users: not valid', at: [0, expect.any(Number)] }]);
  // Beside a figure, on the side that has room.
  const worded = (value: number) => ({
    ...point(2, value),
    interval: { low: value - 5, high: value + 5 },
    instead: 'why',
  });
  const beside = [10, 30].map((value) => ({ ...line, points: [worded(value)] }));
  expect(lay(rows, { lines: beside }).above).toMatchObject([
    { at: [expect.closeTo(15 / 40), expect.any(Number)], align: 'left' },
    { at: [expect.closeTo(25 / 40), expect.any(Number)], align: 'right' },
  ]);
  const { above, absent } = lay(users, { lines, absent: ['yjs, 8 users: not valid'] });
  expect(above).toMatchObject([{ words: '✕', at: [0.97, 0] }]);
  expect(absent).toEqual(['yjs, 8 users: not valid']);
  expect(lay(ranges, { lines }).absent).toEqual([]);
});

test('the axis of a trial that has just begun is a minute long', () => {
  expect(lay(time).across.ticks.map(({ text }) => text)).toEqual(['0', '10', '20', '30', '40', '50', '60']);
});

test('few positions are labels, as far as they do not run into one another', () => {
  const form = over({ against: 'by edits', unit: 'edits', line: '', label: 'edits', scale: 'log' });
  const lines = [{ ...line, points: [1000, 1010, 10_000, 100_000].map((x) => point(x, 1)) }];
  const picture = lay(form, { lines });
  const labels = (right: number) => {
    const { text } = drawPlot(picture, plotOf(picture, { right, top: 0, paint: ({ light }) => light }));
    return [...text.matchAll(/text-anchor="middle"[^>]*>([^<]*)/g)].map(([, label]) => label);
  };
  expect(labels(520)).toEqual(['1,000', '10,000', '100,000']);
  expect(labels(120)).toEqual(['1,000', '100,000']);
});

test('warm-up and faults are shaded over time, as far as they lie within the axis; the legend names faults', () => {
  const spans: ChartModel['spans'] = [
    { of: 'warm-up', name: 'warm-up', fromS: 0, toS: 15 },
    { of: 'fault', name: 'offline', fromS: 30, toS: 300 },
  ];
  const { below, legend, needsLegend } = lay(time, { spans });
  const shades = below.filter((mark) => 'corners' in mark && mark.opacity === undefined);
  expect(shades.map((mark) => 'corners' in mark && [mark.colour, mark.corners[0]![0], mark.corners[2]![0]])).toEqual([
    [SHADES['warm-up'], 0, 0.25],
    [SHADES.fault, 0.5, 1],
  ]);
  expect(wordsOf(below)).toEqual(['warm-up']);
  expect(JSON.stringify(legend)).toContain('offline, 30 to 300 s');
  expect(needsLegend).toBe(true);
  expect(lay(time, { spans: spans.slice(0, 1) }).needsLegend).toBe(false);
});

test('a bound is drawn with its label where the axis reaches it, not where it would squeeze all else', () => {
  const bound = (value: number) => ({ bound: { value, kind: 'at most', from: 'the paper' } }) as const;
  expect(wordsOf(lay(users, bound(40)).below)).toEqual(['≤ 40']);
  expect(wordsOf(lay(users, bound(1000)).below)).toEqual([]);
});
