import { expect, test } from 'vitest';
import { FIGURES } from '../../analysis/figures/catalogue.ts';
import { figuresTable } from './figures-table.ts';

test('the table has a row for every figure', () => {
  const rows = figuresTable().split('\n').slice(2);
  expect(rows).toHaveLength(FIGURES.length);
  expect(rows[0]).toBe(
    '| `throughputPercent` | throughput | % | edits typed, of those that fell due; fully functional: at least 98 % | all performed ÷ all offered | series, main table, report’s table, intervals, `compare`, `cell_summaries`, chart over users and over time |',
  );
});
