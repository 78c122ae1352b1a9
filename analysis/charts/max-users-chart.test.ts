import { expect, test } from 'vitest';
import { maxUsersChart } from './max-users-chart.ts';

/** The plot is 480 px for the most users of the chart, here 96: 5 px a user. */
const chart = maxUsersChart(
  [
    { framework: 'yjs', largestHeld: 40, end: { users: 42, outcome: 'missed' } },
    { framework: 'loro', largestHeld: 96, end: null },
    { framework: 'automerge', largestHeld: 8, end: { users: 16, outcome: 'unknown' } },
    { framework: 'collabs', largestHeld: null, end: { users: 11, outcome: 'missed' } },
  ],
  { title: 'Most users' },
).text;

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
  expect(maxUsersChart([{ framework: 'yjs', largestHeld: null, end: null }], { title: '' }).text).toContain(
    'not known',
  );
});
