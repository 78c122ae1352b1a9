/** Kept runs of the project in another folder, for tests whose queries need more columns than a run made up has. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { keptNames } from '../analysis/site/kept-runs.ts';
import { PROJECT_ROOT } from '../infra/project.ts';

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
