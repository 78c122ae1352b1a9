/** The views of a run's records as Parquet files, for tools that do not read SQL files. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { summarizeCell } from '../cell/cells.ts';
import { judgeTrial } from '../cell/judged-trial.ts';
import type { AnalysedRun } from '../run/analyse-run.ts';
import { addCellSummaries } from '../run/cell-summaries.ts';
import { openRecords } from '../views/database.ts';

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
          await mkdir(join(folder, view), { recursive: true });
          await records.exportParquet(view, join(folder, view, `${prefix}${directory.split('/').at(-1)}.parquet`));
        }
      }
    }
  }
}
