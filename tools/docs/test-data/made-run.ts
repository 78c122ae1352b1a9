/** Kept runs that tests make up, in another project's folder. */
import { join } from 'node:path';
import { type KeptRun, writeKept } from '../../../analysis/site/kept-file.ts';

interface MadeRun {
  experiment: string;
  startedAt: string;
  environment: object;
  cells: readonly object[];
}

/**
 * Keeps a run of such cells.
 *
 * @param more  beside plan and summary, such as the block that it is
 * @param asked beside what every run is asked
 */
export async function keepMade(root: string, run: MadeRun, more: object = {}, asked: object = {}): Promise<void> {
  const durations = { warmUpMs: 1000, measureMs: 1000 };
  const kept = {
    plan: { experiment: { trace: 'synthetic', trials: 1, durations, ...asked } },
    written: { schemaVersion: 1, ...run },
    ...more,
  };
  const file = `${run.startedAt.slice(0, 19).replaceAll(':', '')}-${run.experiment}.json.gz`;
  await writeKept(join(root, 'results/measured', file), kept as unknown as KeptRun);
}
