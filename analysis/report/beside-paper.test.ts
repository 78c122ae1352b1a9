import { expect, test } from 'vitest';
import { readPublishedStudy } from '../../results/published/read-study.ts';
import { cellWithFigures } from '../../tests/runs.ts';
import { besidePaper } from './beside-paper.ts';
import type { ReportData } from './report-data.ts';

const { summary } = cellWithFigures();

test('a cell that the paper has stands above its numbers; others do not', async () => {
  const published = await readPublishedStudy();
  const cells = [
    { ...summary, framework: 'yjs', mode: 'noquill', users: 16, throughputPercent: 99.5 },
    { ...summary, framework: 'yjs', mode: 'noquill', users: 17 },
    { ...summary, framework: 'yjs', mode: 'node', users: 16 },
  ].map((each) => ({ summary: each })) as unknown as ReportData['cells'];
  const { rows, columns } = besidePaper({ cells, published })!;
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    ['16', 'noquill', 'yjs', 'here'],
    ['', '', '', 'paper'],
  ]);
  const [here, paper] = rows as [string[], string[]];
  expect(columns[4]!.heading).toBe('throughput %');
  expect(here[4]).toBe('99.5');
  expect(Number(paper[4])).toBeGreaterThan(90);
  expect(besidePaper({ cells, published: null })).toBeNull();
  expect(besidePaper({ cells: cells.slice(1), published })).toBeNull();
});
