/** A run's views for other programs: the table `cell_summaries`, so that SQL need not pool again, and Parquet files. */
import { join } from 'node:path';
import type { CellSummary } from '../../results/formats/summary.ts';
import { makeFolder } from '../../results/formats/write-file.ts';
import { summarizeCell } from '../cell/cells.ts';
import { judgeTrial } from '../cell/collect-cell.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { type Figure, figureOf } from '../figures/figure.ts';
import { openRecords, type RecordsDatabase } from '../views/database.ts';
import type { AnalysedRun } from './analyse-run.ts';

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
  return name.replace(/(?:Latency|(Age))Ms\.p(\d+)$/, '$1P$2Ms').replace(/LatencyMs\.samples$/, 'Samples');
}

/**
 * Writes one file per view and trial, `<folder>/<view>/<trial>.parquet`, so that a large run needs no more memory than
 * its largest trial; `read_parquet('parquet/receipts/*.parquet')` reads them all. Only trials whose records can be used.
 */
export async function writeParquet(runs: readonly AnalysedRun[], folder: string): Promise<void> {
  for (const [index, run] of runs.entries()) {
    const prefix = runs.length > 1 ? `run-${index + 1}-` : '';
    for (const { name, summary, trials } of run.cells) {
      for (const { trial, directory, figures } of trials) {
        if (figures === null) continue;
        const trialDirectory = join(run.directory, directory);
        await using records = await openRecords([trialDirectory]);
        const alone = summarizeCell(summary, [await judgeTrial({ trial }, trialDirectory)]);
        await addCellSummaries(records, [{ name, summary: alone }]);
        for (const view of await records.views()) {
          makeFolder(join(folder, view));
          await records.exportParquet(view, join(folder, view, `${prefix}${directory.split('/').at(-1)}.parquet`));
        }
      }
    }
  }
}
