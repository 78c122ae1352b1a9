import { expect, test } from 'vitest';
import { type CarriedUsers, maxUsersChart } from './chart-model.ts';
import { PLAIN } from './forms/form.ts';
import { over, time } from './forms/over.ts';
import { ranges } from './forms/rows.ts';
import { assignStyles } from './palette.ts';
import { svgFile, svgImage, svgPanels } from './svg-chart.ts';

const drawMax = (carried: CarriedUsers[]) => svgFile(maxUsersChart(carried, { title: 'Most users' }));

/** The plot is 456 px for 100 users. */
const chart = drawMax([
  { framework: 'yjs', largestHeld: 40, end: { users: 42, outcome: 'missed' }, answer: '40, not 42' },
  { framework: 'loro', largestHeld: 96, end: null, answer: 'at least 96' },
  { framework: 'a', largestHeld: 8, end: { users: 16, outcome: 'unknown' }, answer: 'at least 8' },
  { framework: 'b', largestHeld: null, end: { users: 11, outcome: 'missed' }, answer: 'fewer than 11' },
]);
const strokes = (width: number) =>
  [...chart.matchAll(/<path d="M([\d.]+) [\d.]+L([\d.]+) [\d.]+" [^>]*stroke-width="(\d+)"[^>]*>/g)].filter(
    ([, , , px]) => Number(px) === width,
  );
const usersOf = (px: string | undefined) => Math.round(((Number(px) - 64) / 456) * 100);

test('a bar is as long as the most users that held', () => {
  expect(strokes(15).map(([, from, to]) => [usersOf(from), usersOf(to)])).toEqual([
    [0, 40],
    [0, 96],
    [0, 8],
    [0, 0],
  ]);
});

test('a thin bar reaches to where it did not hold, dashed where that is not known', () => {
  expect(strokes(3).map(([, from, to]) => [usersOf(from), usersOf(to)])).toEqual([
    [40, 42],
    [8, 16],
    [0, 11],
  ]);
  expect(strokes(3).map(([path]) => path.includes('stroke-dasharray'))).toEqual([false, true, false]);
});

test('each bar says its answer', () => {
  for (const label of ['40, not 42', 'at least 96', 'at least 8', 'fewer than 11'])
    expect(chart).toContain(`>${label}</text>`);
});

test('nothing found yet is drawn too', () => {
  expect(drawMax([{ framework: 'yjs', largestHeld: null, end: null, answer: 'not known' }])).toContain('not known');
  const missed = drawMax([
    { framework: 'yjs', largestHeld: null, end: { users: 11, outcome: 'missed' }, answer: 'fewer than 11' },
  ]);
  // The axis reaches to where it did not hold.
  expect(missed).toContain('>10</text>');
});

test('lines leave out what a logarithmic axis has no place for, begin anew behind it, and show intervals', () => {
  const point = (x: number, value: number | null) => ({ x, value, interval: null, instead: null });
  const svg = svgFile({
    ...PLAIN,
    ...{ id: 'growth', title: 'Growth', unit: 'ms', hint: '', of: '', scale: 'log', format: String },
    form: over({ against: 'by edits', unit: 'edits', label: 'edits', scale: 'log', line: 'engine' }),
    lines: [
      {
        name: 'yjs',
        style: assignStyles(['yjs']).get('yjs')!,
        points: [
          point(0, 1),
          point(1, 0),
          point(1, 1),
          point(10, null),
          point(10, 10),
          { ...point(100, 10), interval: { low: 5, high: 20 } },
        ],
      },
    ],
  });
  // From 1 to 20 ms, and from 1 to 100 edits.
  expect(svg).toContain('<path d="M77.7 274.0M292.0 97.2L506.3 97.2"');
  expect(svg.match(/opacity="0.5"/g)).toHaveLength(1);
  expect(svg).not.toContain('NaN');
});

test('several charts stand in two columns with one legend behind them and words at points, in light or dark', () => {
  const line = (name: string, value: number) => ({
    name,
    style: assignStyles(['yjs', 'loro']).get(name)!,
    points: [{ x: 16, value, interval: null, instead: null, label: 'page' }],
  });
  const model = {
    ...PLAIN,
    ...{ id: 'cpu', title: 'CPU', unit: '%', hint: '', of: '', format: String },
    form: over({ against: 'by users', unit: 'users', label: 'users', scale: 'log', line: 'framework' }),
    lines: [line('yjs', 50), line('loro', 50.1)],
  };
  const others = ['Memory', 'Latency'].map((title) => ({ ...model, title }));
  const svg = svgPanels([model, ...others], { title: 'All', theme: 'dark' });
  expect(svg).toContain('width="592" height="636"');
  expect([...svg.matchAll(/<g transform="(translate\(\d+ \d+\))">\n<text/g)].map(([, at]) => at)).toEqual([
    'translate(290 0)',
    'translate(0 318)',
  ]);
  expect(svg.match(/>yjs</g)).toHaveLength(1);
  expect(svg).toContain('<text x="332" y="366">yjs</text>');
  expect(svg.match(/>page</g)).toHaveLength(6);
  expect(svg).toContain('fill="#1b1f26"');
  expect(svg).not.toContain('#ffffff');
});

test('an image of a chart has its unit, its legend with the shades, and below it what it is of and what has no figures', () => {
  const style = assignStyles(['yjs']).get('yjs')!;
  const line = { name: 'yjs', style, points: [{ x: 15, value: 3, interval: null, instead: null }] };
  const model = {
    ...PLAIN,
    ...{
      id: 'cpu',
      title: 'CPU',
      unit: '%',
      hint: 'of the server',
      of: 'optquill',
      tier: 'over the same relay',
      format: String,
    },
    ...{ form: time, lines: [line], absent: ['loro: not valid'] },
    spans: [{ of: 'fault' as const, name: 'offline', fromS: 10, toS: 20 }],
  };
  const wordsIn = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, words]) => words);
  const words = wordsIn(svgImage(model, { theme: 'dark' }));
  expect(words[0]).toBe('CPU, %: over the same relay');
  expect(words.slice(-4)).toEqual([
    ...['yjs', 'offline, 10 to 20 s'],
    ...['optquill · of the server', 'No figures: loro: not valid'],
  ]);
  expect(wordsIn(svgImage({ ...model, form: ranges }))).toContain('● median, bar to the 95th percentile');
  // A legend that is too long for its place makes the image wider.
  const long = svgImage({ ...model, lines: [{ ...line, name: 'y'.repeat(40) }] });
  expect(long).toContain(`width="${520 + 42 + 7 * 40}"`);
});
