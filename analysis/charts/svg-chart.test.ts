import { expect, test } from 'vitest';
import { type CarriedUsers, maxUsersChart } from './chart-model.ts';
import { over } from './forms/over.ts';
import { svgFile } from './svg-chart.ts';

const drawMax = (carried: CarriedUsers[]) => svgFile(maxUsersChart(carried, { title: 'Most users' }));

/** The plot is 480 px for the most users of the chart, here 96: 5 px a user. */
const chart = drawMax([
  { framework: 'yjs', largestHeld: 40, end: { users: 42, outcome: 'missed' }, isOver: true },
  { framework: 'loro', largestHeld: 96, end: null, isOver: true },
  { framework: 'automerge', largestHeld: 8, end: { users: 16, outcome: 'unknown' }, isOver: true },
  { framework: 'collabs', largestHeld: null, end: { users: 11, outcome: 'missed' }, isOver: true },
]);

test('a bar is as long as the most users that held', () => {
  expect([...chart.matchAll(/<rect x="140" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width))).toEqual([
    200, 480, 40, 0,
  ]);
});

test('a bracket reaches to where it did not hold, dashed where that is not known', () => {
  const brackets = [...chart.matchAll(/<path d="M ([\d.]+) \d+ H ([\d.]+)[^>]*>/g)];
  expect(brackets.map(([, from, to]) => [Number(from), Number(to)])).toEqual([
    [340, 350],
    [180, 220],
    [140, 195],
  ]);
  expect(brackets.map(([path]) => path.includes('stroke-dasharray'))).toEqual([false, true, false]);
});

test('each bar says its number, and what is certain of it', () => {
  for (const label of ['40', '≥ 96', '≥ 8', 'fewer than 11']) expect(chart).toContain(`>${label}</text>`);
});

test('nothing found yet is drawn too', () => {
  expect(drawMax([{ framework: 'yjs', largestHeld: null, end: null, isOver: true }])).toContain('not known');
});

test('lines leave out what a logarithmic axis has no place for, and show intervals', () => {
  const max = maxUsersChart([{ framework: 'yjs', largestHeld: 1, end: null, isOver: true }], { title: 'Growth' });
  const point = (x: number, value: number | null) => ({ x, value, interval: null, instead: null });
  const svg = svgFile({
    ...max,
    form: over({ against: 'by edits', unit: 'edits', label: 'edits, edits', scale: 'log', lines: 'engine' }),
    scale: 'log',
    lines: [
      {
        ...max.lines[0]!,
        points: [
          point(0, 1),
          point(1, 0),
          point(1, 1),
          point(10, null),
          { ...point(100, 10), interval: { low: 5, high: 20 } },
        ],
      },
    ],
  });
  expect(svg).toContain('<polyline points="64.0,320.0 520.0,180.0"');
  expect(svg.match(/stroke-opacity/g)).toHaveLength(1);
});
