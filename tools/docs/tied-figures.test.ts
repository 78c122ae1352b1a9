/** A sentence passes only if each of its figures is the data's, as it is written. */
import { expect, test } from 'vitest';
import { Cells } from './cells.ts';
import { untiedFigures, untiedOf } from './tied-figures.ts';

const cells = await Cells.open();
await cells.ask(`CREATE OR REPLACE TABLE cells AS FROM (VALUES
  ('2026-11-21-hundred', 'hundred', 'yjs', 112, 17.826, NULL, NULL, NULL, NULL),
  ('2026-11-23-hundred', 'hundred', 'yjs', 112, 10.012, true, {p50: 591.292}, {"localLatencyMs.p50": {low: 5.2}},
    {batching: {sendMs: 1000}})
) AS cells(run, experiment, framework, users, serverCpuPercent, smooth, endToEndLatencyMs, ci95, plan)`);
await cells.ask(`CREATE TABLE b4 AS FROM (VALUES
  ('loro', 4146.59, -0.171, 159929), ('yjs', 2461.22, NULL, 223414)) AS b4(engine, applyMs, slope, savedBytes)`);

const OF_23 = "FROM cells WHERE run = '2026-11-23-hundred'";
const HUNDRED = "FROM cells WHERE experiment = 'hundred'";

test.each([
  [`p50 of 591 ms. <!--= SELECT endToEndLatencyMs.p50 ${OF_23} -->`, []],
  [`p50 of 592 ms. <!--= SELECT endToEndLatencyMs.p50 ${OF_23} -->`, ['"592 ms" is 591.292 in the data']],
  [`10 to 18 %. <!--= SELECT min(serverCpuPercent), max(serverCpuPercent) ${HUNDRED} -->`, []],
  // 97.4 % misses a bound that 100 % does not.
  ['Throughput was 100 %. <!--= SELECT 97.4 AS p -->', ['"100 %" is 97.4 in the data']],
  [`18 or 10 %. <!--= SELECT serverCpuPercent ${HUNDRED} ORDER BY run -->`, []],
  [`10 %. <!--= SELECT serverCpuPercent ${HUNDRED} -->`, ['1 figures (10 %) have 2 values']],
  [`10 %. <!--= SELECT one(serverCpuPercent, users = 112) ${HUNDRED} -->`, ['not one cell, but 2']],
  [`591 ms. <!--= SELECT one(endToEndLatencyMs.p50, users = 112) ${HUNDRED} -->`, ['not one cell, but 2']],
  [`14 % and 1 run. <!--= SELECT avg(serverCpuPercent), count_if(smooth) ${HUNDRED} -->`, []],
  [
    "1.7 times as long as 2.5 s. <!--= SELECT one(applyMs, engine = 'loro') / one(applyMs, engine = 'yjs'), one(applyMs, engine = 'yjs') / 1000 FROM b4 -->",
    [],
  ],
  [
    "Loro 4,100 ms, in bytes 160,000; −0.17. <!--= SELECT applyMs, savedBytes, slope FROM b4 WHERE engine = 'loro' -->",
    [],
  ],
  ["Loro 4,200 ms. <!--= SELECT applyMs FROM b4 WHERE engine = 'loro' -->", ['"4,200 ms" is 4146.59']],
  [
    `At least 5.2 ms; held for 1 s. <!--=\nSELECT ci95."localLatencyMs.p50".low, plan.batching.sendMs / 1000 ${OF_23} -->`,
    [],
  ],
  ["At most 100 ms; 31,000 there. <!--= SELECT 'given', 'https://example.org/a' -->", []],
  [`One of 17 and 18 %. <!--= SELECT max(serverCpuPercent) ${HUNDRED} -->`, ['2 figures (17; 18 %) have 1 values']],
  ["Loro 4,100 ms.\n<!--= SELECT applyMs FROM b4 WHERE engine = 'loro' -->", ['a marker begins a line']],
  ["A slope of 0. <!--= SELECT slope FROM b4 WHERE engine = 'loro' -->", ['"0" is -0.171 in the data']],
  ['Slopes above zero: 0. <!--= SELECT count_if(slope > 0) FROM b4 -->', []],
  ['Yjs 7 ms.', ['"7 ms" has no marker']],
  ['| Yjs | 7 ms |\n| Loro | 8 ms |', ['"7 ms" has no marker', '"8 ms" has no marker']],
  [`10 ms. <!--= SELECT serverCpuPercent ${OF_23} -->`, ['"10 ms" is in % by']],
  ["4.1 s, no ms. <!--= SELECT applyMs / 1000 FROM b4 WHERE engine = 'loro' -->", []],
  ["4.1 ms. <!--= SELECT applyMs / 1000 FROM b4 WHERE engine = 'loro' -->", ['"4.1 ms" is in s by']],
  ['Yjs 7 ms. <!--= SELECT applyMs FROM prices -->', ['Table with name prices does not exist']],
  ["Yjs 7 ms. <!--= SELECT slope FROM b4 WHERE engine = 'yjs' -->", ['"7 ms" is null in the data']],
  [
    'On 21 and 22 November 2026, 9:30, with 112 users and Node 24.21 (yjs 13.6.33; B4, p95): [seven](b/8.md) `9 ms`, 95 % interval.',
    [],
  ],
  ['With 113 users.', ['"113" has no marker']],
  ['With 112 users, not pooled; it held with 112 users.', ['"112" has no marker']],
  [
    `It carries 112 people, with 112 users 10 %. <!--= SELECT users, users, serverCpuPercent ${OF_23} AND smooth -->`,
    [],
  ],
  ['No more than 112 typists were there.', ['"112" has no marker']],
  ['<!-- rows: written by npm run docs from\nSELECT 7 -->\n\n7 ms\n\n<!-- end of rows -->\n\n```\n8 ms\n```\n', []],
  ['In 2026 it took 2011 ms.', ['"2011 ms" has no marker']],
])('%s', async (text, expected) => {
  const found = await untiedFigures(text, cells);
  expect(found).toHaveLength(expected.length);
  for (const [index, message] of expected.entries()) expect(found[index]).toContain(message);
});

test('on other pages a figure needs no marker, and a marker needs the data', async () => {
  expect(await untiedFigures('It took 7 %.', cells, false)).toEqual([]);
  const page = { path: 'docs/faults.md', text: 'It took 7 %. <!--= SELECT nowhere FROM b4 -->' };
  expect(await untiedOf([page], cells)).toEqual([expect.stringContaining('docs/faults.md: Binder Error')]);
});
