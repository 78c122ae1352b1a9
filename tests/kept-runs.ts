/** Kept runs: those of the project, and some of them in another folder, for tests whose queries need more columns than a run made up has. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { keptNames } from '../analysis/site/kept-runs.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { Cells } from '../tools/docs/cells.ts';

/** Of typing with faults and with intervals, and of documents. */
const SAMPLES = ['restart', 'versions', 'late-join', 'first-question-documents-saved'];

/** @param root of the other project */
export async function copyKeptRuns(root: string): Promise<void> {
  for (const experiment of SAMPLES) {
    const name = (await keptNames()).find((each) => each.replace(/^[\dT-]+-/, '') === experiment);
    const file = `results/measured/${name}.json.gz`;
    await cp(join(PROJECT_ROOT, file), join(root, file));
  }
}

let ofProject: Promise<Cells> | undefined;
let latest: { kept: string; cells: Promise<Cells> } | undefined;

/** The cells of the project's kept runs, opened once. */
export function projectCells(): Promise<Cells> {
  ofProject ??= Cells.open();
  return ofProject;
}

/** The cells of another project's kept runs, opened again only if another run is kept. */
export async function cellsIn(root: string): Promise<Cells> {
  const kept = [root, ...(await keptNames(root))].join();
  if (latest?.kept !== kept) latest = { kept, cells: Cells.open(root) };
  return await latest.cells;
}
