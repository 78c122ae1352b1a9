/** Samples of a block's latencies, kept so that anyone can compute its quantiles again: a Parquet file for each valid trial. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sha256Of } from '../../results/formats/digest.ts';
import { makeFolder, writeFileAtomically } from '../../results/formats/write-file.ts';
import { analyseRun } from '../cell/analyse-run.ts';
import { openRecords } from '../views/database.ts';

/** As `sha256sum -c` reads it. */
const CHECKSUMS_FILE = 'SHA256SUMS';
/** Columns: trial, figure, and sample in ms; one row for each sample of the measured window. */
const SAMPLES_VIEW = 'samples';

/** @param folder for the files, beside their checksums */
export async function depositSamples(runDirectory: string, folder: string): Promise<void> {
  const { cells } = await analyseRun(runDirectory);
  makeFolder(folder);
  const lines: string[] = [];
  for (const { directory, figures } of cells.flatMap(({ ran }) => ran)) {
    if (figures === null) continue;
    const name = `${basename(directory)}.parquet`;
    await using records = await openRecords([join(runDirectory, directory)]);
    await records.exportParquet(SAMPLES_VIEW, join(folder, name));
    lines.push(`${sha256Of(await readFile(join(folder, name)))}  ${name}`);
  }
  await writeFileAtomically(join(folder, CHECKSUMS_FILE), `${lines.join('\n')}\n`);
}
