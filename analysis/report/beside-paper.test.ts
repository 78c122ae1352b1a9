import { expect, test } from 'vitest';
import { readPublishedStudy } from '../../results/published/read-study.ts';
import { cellWithFigures } from '../../tests/runs.ts';
import { changed } from '../test-data/written-cell.ts';
import { besidePaper } from './beside-paper.ts';

const CELL = cellWithFigures();

test('a cell that the paper has stands above its numbers; others do not', async () => {
  const published = await readPublishedStudy();
  const cells = [
    changed(CELL, { framework: 'yjs', mode: 'noquill', users: 16, throughputPercent: 99.5 }),
    changed(CELL, { framework: 'yjs', mode: 'noquill', users: 17 }),
    changed(CELL, { framework: 'yjs', mode: 'node', users: 16 }),
  ];
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
