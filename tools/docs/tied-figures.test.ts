/** A sentence passes only if each of its figures is the data's, as it is written. */
import { expect, test } from 'vitest';
import type { Place } from './places.ts';
import { untiedFigures, untiedOf } from './tied-figures.ts';

const place = (run: string, words: string[], fields: object): Place => ({
  ...{ runs: [run, run.slice(11)], words: new Set(words) },
  fields: fields as Record<string, unknown>,
});
const PLACES = [
  place('2026-11-21-hundred', ['yjs', '112'], { users: 112, serverCpuPercent: 17.826, smooth: null }),
  place('2026-11-23-hundred', ['yjs', '112'], {
    ...{ users: 112, serverCpuPercent: 10.012, smooth: true, plan: { batching: { sendMs: 1000 } } },
    ...{ endToEndLatencyMs: { p50: 591.292 }, ci95: { 'localLatencyMs.p50': { low: 5.2 } } },
  }),
  place('2026-11-22-b4', ['loro'], { applyMs: 4146.59, slope: -0.171, savedBytes: 159929 }),
  place('2026-11-22-b4', ['yjs'], { applyMs: 2461.22, savedBytes: 223_414 }),
];

test.each([
  ['p50 of 591 ms. <!--= 2026-11-23-hundred yjs endToEndLatencyMs.p50 -->', []],
  ['p50 of 592 ms. <!--= 2026-11-23-hundred yjs endToEndLatencyMs.p50 -->', ['"592 ms" is 591.292 in the data']],
  ['10 to 18 %. <!--= hundred yjs serverCpuPercent: least; greatest -->', []],
  ['10 %. <!--= hundred yjs serverCpuPercent -->', ['names 2 values: 17.826, 10.012']],
  ['14 % and 1 run. <!--= hundred: mean serverCpuPercent; count smooth -->', []],
  ['1.7 times as long as 2.5 s. <!--= b4 applyMs: loro / b4 applyMs yjs; yjs / 1000 -->', []],
  ['Loro 4,100 ms, in bytes 160,000; −0.17. <!--= b4 loro: applyMs; savedBytes; slope -->', []],
  ['Loro 4,200 ms. <!--= b4 loro applyMs -->', ['"4,200 ms" is 4146.59']],
  [
    'At least 5.2 ms; held for 1 s. <!--=\n2026-11-23-hundred: ci95.localLatencyMs.p50.low; plan.batching.sendMs / 1000 -->',
    [],
  ],
  ['At most 100 ms; 31,000 there. <!--= given; https://example.org/a -->', []],
  ['One of 17 and 18 %. <!--= hundred: greatest serverCpuPercent -->', ['2 figures (17; 18 %) have 1 places']],
  ['Loro 4,100 ms.\n<!--= b4 loro applyMs -->', ['a marker begins a line']],
  ['Yjs 7 ms.', ['"7 ms" has no marker']],
  ['| Yjs | 7 ms |\n| Loro | 8 ms |', ['"7 ms" has no marker', '"8 ms" has no marker']],
  ['10 ms. <!--= 2026-11-23-hundred serverCpuPercent -->', ['"10 ms" is in % by']],
  ['4.1 s, no ms. <!--= b4 loro applyMs / 1000 -->', []],
  ['4.1 ms. <!--= b4 loro applyMs / 1000 -->', ['"4.1 ms" is in s by']],
  ['Yjs 7 ms. <!--= prices yjs -->', ['names no kept run']],
  ['Yjs 7 ms. <!--= b4 yjs prices -->', ['names 0 values']],
  [
    'On 21 and 22 November 2026, 9:30, with 112 users and Node 24.21 (yjs 13.6.33; B4, p95): [seven](b/8.md) `9 ms`, 95 % interval.',
    [],
  ],
  ['With 113 users.', ['"113" has no marker']],
  ['<!-- rows of b4: written by npm run docs -->\n\n7 ms\n\n<!-- end of rows of b4 -->\n\n```\n8 ms\n```\n', []],
  ['In 2026 it took 2011 ms.', ['"2011 ms" has no marker']],
])('%s', (text, expected) => {
  const found = untiedFigures(text, PLACES);
  expect(found).toHaveLength(expected.length);
  for (const [index, message] of expected.entries()) expect(found[index]).toContain(message);
});

test('on other pages a figure needs no marker, and a marker needs the data', () => {
  expect(untiedFigures('It took 7 %.', PLACES, false)).toEqual([]);
  const page = { path: 'docs/faults.md', text: 'It took 7 %. <!--= nowhere -->' };
  expect(untiedOf([page], PLACES)).toEqual(['docs/faults.md: "7 %": "nowhere" names no kept run']);
});
