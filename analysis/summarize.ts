/** From the files of a run to its `summary.json`. */
import { join } from 'node:path';
import { SUMMARY_FILE, writeJson } from '../results/formats/run-directory.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../results/formats/summary.ts';
import { type AnalysedRun, analyseRun } from './analyse-run.ts';

/**
 * Summarises a run from its files alone, and writes its `summary.json`.
 *
 * A trial that has not run is left out, and a cell without any trial that has run with it. A trial whose files cannot be
 * read is `unknown`, with the reason; the others stand.
 * @param runDirectory the folder that holds `plan.json` and `trials/`
 * @throws UserError (exit code 2) where plan or environment cannot be read
 */
export async function summarize(runDirectory: string): Promise<Summary> {
  return await writeSummary(await analyseRun(runDirectory));
}

/** Writes the summary of a run that is analysed already; unless another path is given, as its `summary.json`. */
export async function writeSummary(
  run: AnalysedRun,
  path: string = join(run.directory, SUMMARY_FILE),
): Promise<Summary> {
  const summary = summaryOf(run);
  await writeJson(path, summary);
  return summary;
}

export function summaryOf({ plan, environment, cells }: AnalysedRun): Summary {
  return {
    schemaVersion: SUMMARY_SCHEMA_VERSION,
    experiment: plan.experiment.name,
    startedAt: plan.startedAt,
    environment,
    cells: cells.map(({ summary }) => summary),
  };
}
