/** The share of the page's main thread that its own observation takes, by the CPU profiles of one trial. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProfileShares } from '../../analysis/trial/profile-shares.ts';
import { buildPage } from '../../frameworks/page-build.ts';
import { userProfilesOf } from '../../harness/max/profile-sources.ts';
import { type BenchCell, runCell } from './run-cell.ts';

/** @returns of each user that was profiled; what is neither the framework's, nor the editor's or browser's, observes */
export async function benchObservation(cell: BenchCell): Promise<ProfileShares[]> {
  const { directory } = await runCell({ ...cell, profile: '13s' });
  const trials = join(directory, 'trials');
  const [trial] = await readdir(trials);
  return userProfilesOf(join(trials, trial!), await buildPage());
}
