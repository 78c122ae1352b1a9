/** A run's views for other programs: the table `cell_summaries`, so that SQL need not pool again, and Parquet files. */
import { join } from 'node:path';
import { makeFolder } from '../../results/formats/write-file.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { type Figure, figureOf } from '../figures/figure.ts';
import { type TypingCell, typingCells } from '../scenarios/cell.ts';
import { openRecords, type RecordsDatabase } from '../views/database.ts';
import type { AnalysedRun } from './analyse-run.ts';
import { summarizeCell } from './cells.ts';
import { judgeTrial } from './collect-cell.ts';

/**
 * Adds one row per cell with a valid trial, with the figures of the catalogue that say so, by the names of `summary.json`; latencies
 * by names without a point, such as `localP50Ms`.
 */
export async function addCellSummaries(records: RecordsDatabase, cells: readonly TypingCell[]): Promise<void> {
  const { quotedString } = await import('@duckdb/node-api');
  const figures = figuresIn('sql');
  const columns = figures.map((figure) => `${columnOf(figure)} DOUBLE`);
  await records.rows(
    `CREATE TABLE cell_summaries (cell VARCHAR, framework VARCHAR, mode VARCHAR, users INTEGER, trials INTEGER, ${columns.join(', ')})`,
  );
  for (const cell of cells) {
    const { name, parameters, validTrials } = cell;
    if (validTrials === 0) continue;
    const identity = [name, parameters.framework, parameters.mode].map(quotedString);
    const values = figures.map((figure) => figureOf(cell, figure) ?? 'NULL');
    await records.rows(
      `INSERT INTO cell_summaries VALUES (${[...identity, parameters.users, validTrials, ...values].join(', ')})`,
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
    for (const { name, parameters, tier, ran } of typingCells(run)) {
      for (const { trial, directory, figures } of ran) {
        if (figures === null) continue;
        const trialDirectory = join(run.directory, directory);
        await using records = await openRecords([trialDirectory]);
        const identity = { scenario: 'typing', name, parameters, tier } as const;
        const alone = summarizeCell(identity, [await judgeTrial({ trial }, trialDirectory)]);
        await addCellSummaries(records, [alone as TypingCell]);
        for (const view of await records.views()) {
          makeFolder(join(folder, view));
          await records.exportParquet(view, join(folder, view, `${prefix}${directory.split('/').at(-1)}.parquet`));
        }
      }
    }
  }
}
