/** The table `cell_summaries` of a records database: what the summary says of cells, so that SQL need not pool again. */
import type { CellSummary } from '../../results/formats/summary.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { type Figure, figureOf } from '../figures/figure.ts';
import type { RecordsDatabase } from '../views/database.ts';

/**
 * Adds one row per cell with a valid trial, with the figures of the catalogue that say so, by the names of `summary.json`; latencies
 * as the view `series` calls them, such as `localP50Ms`.
 */
export async function addCellSummaries(
  records: RecordsDatabase,
  cells: readonly { name: string; summary: CellSummary }[],
): Promise<void> {
  const { quotedString } = await import('@duckdb/node-api');
  const figures = figuresIn('sql');
  const columns = figures.map((figure) => `${columnOf(figure)} DOUBLE`);
  await records.rows(
    `CREATE TABLE cell_summaries (cell VARCHAR, framework VARCHAR, mode VARCHAR, users INTEGER, trials INTEGER, ${columns.join(', ')})`,
  );
  for (const { name, summary } of cells) {
    if (summary.validTrials === 0) continue;
    const identity = [name, summary.framework, summary.mode].map(quotedString);
    const values = figures.map((figure) => figureOf(summary, figure) ?? 'NULL');
    await records.rows(
      `INSERT INTO cell_summaries VALUES (${[...identity, summary.users, summary.validTrials, ...values].join(', ')})`,
    );
  }
}

/** A figure's column in `cell_summaries`. */
function columnOf({ name }: Figure): string {
  return name.replace(/LatencyMs\.p(\d+)$/, 'P$1Ms').replace(/LatencyMs\.samples$/, 'Samples');
}
