import { expect, test } from 'vitest';
import { ranges } from '../charts/forms/rows.ts';
import { beginsLogarithmic } from '../charts/forms/scale.ts';
import { reportedOf } from '../report/typing-report.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { chartsOf } from './charts.ts';
import type { PageData } from './page-data.ts';
import { pageDataOf } from './report-page.ts';
import { readChoices, viewOf, whoOf } from './selection.ts';
import { stylesOf } from './styles.ts';

const grid = { modes: ['optquill'], trials: 3, seconds: 90 };
const dataOf = (frameworks: string[], userCounts: number[]) =>
  pageDataOf(reportedOf(syntheticReport({ ...grid, frameworks, userCounts })));
const chartsIn = (data: PageData, asked: Record<string, string>) => {
  const view = viewOf(data, asked);
  return chartsOf({ data, view, question: view.question!, styles: stylesOf(data) });
};

test('ranges: the shortest first, those without figures last, and a logarithmic axis only where they are far apart', () => {
  const [first] = chartsIn(dataOf(['quick', 'slow', 'broken'], [64]), { question: 'others' });
  const { id, model, users } = first!;
  expect([id, users, model.form]).toEqual(['key-to-screens', 64, ranges]);
  // Frameworks of a synthetic report grow slower in their order, and the last is not valid.
  expect(model.lines.map(({ name, points: [point] }) => [name, point!.instead])).toEqual([
    ['quick', null],
    ['slow', null],
    ['broken', 'not valid'],
  ]);
  const [point] = model.lines[0]!.points;
  expect(point!.interval!.low).toBe(point!.value);
  expect(model.format(30, { low: 30, high: 50 })).toBe('30.0 to 50.0');
  expect(beginsLogarithmic(model)).toBe(false);
});

test('two user counts are rows, and more of them lines, beside the rows with the most', () => {
  const ids = (counts: number[]) =>
    chartsIn(dataOf(['yjs', 'loro'], counts), { question: 'device' }).map(({ id, users }) => [id, users]);
  expect(ids([4, 8])).toEqual([
    ['device-rows', null],
    ['user-cpu-over-time', 8],
  ]);
  expect(ids([4, 8, 16])).toEqual([
    ['device-rows', 16],
    ['user-cpu', null],
    ['user-memory', null],
    ['user-cpu-over-time', 16],
  ]);
});

test('of more rows than a picture holds, those at both ends that have the figure', () => {
  const names = Array.from({ length: 18 }, (_, index) => `f${String(index).padStart(2, '0')}`);
  const [first] = chartsIn(dataOf(names, [64]), { question: 'others' });
  // The last is not valid.
  const { lines, hint } = first!.model;
  expect([lines.length, lines[0]!.name, lines.at(-1)!.name]).toEqual([16, 'f00', 'f16']);
  expect(hint).toBe('the first and the last; 2 more in the table');
});

test('versions of one framework keep the dashes of their legend, whatever is sorted or left out', () => {
  const data = dataOf(['yjs@1', 'yjs@2', 'yjs@3', 'broken'], [4, 8]);
  const legend = stylesOf(data);
  for (const asked of ['', 'sort=-userCpuPercent', 'who=yjs@2,yjs@3'].map(readChoices)) {
    const charts = chartsIn(data, { question: 'device', ...asked }).filter(({ id }) => id === 'user-cpu-over-time');
    expect(charts).toHaveLength(1);
    for (const { name, style } of charts[0]!.model.lines) expect(style.dash).toEqual(legend.get(name)!.dash);
  }
});

test('a framework that missed is told apart from one of which that is not known', () => {
  const data = dataOf(['quick', 'missed', 'unsettled', 'broken'], [64]);
  const outcomes = new Map<string, boolean | null>(Object.entries({ missed: false, unsettled: null }));
  const rows = data.rows.map((row) => {
    const outcome = outcomes.get(whoOf(row));
    if (row.kind !== 'carried' || outcome === undefined) return row;
    return { ...row, fullyFunctional: outcome, figures: { ...row.figures, carried: null, next: 64 } };
  });
  const [first] = chartsIn({ ...data, rows }, { question: 'carried' });
  expect(Object.fromEntries(first!.model.lines.map(({ name, points: [point] }) => [name, point!.instead]))).toEqual({
    ...{ quick: null, missed: 'did not hold with 64' },
    ...{ unsettled: 'not known to hold with 64', broken: 'not valid' },
  });
});
