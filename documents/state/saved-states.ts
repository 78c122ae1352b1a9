/** The states that the trials of a run saved: one user's of each framework, of its largest cell. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENTS_FOLDER, SAVED_STATE_ENDING } from '../../results/formats/run-directory.ts';
import { readPlan, readVerdict } from '../../results/run-folder/run-files.ts';
import { UserError } from '../../results/user-error.ts';

export interface SavedState {
  framework: string;
  /** The trial's name, as `yjs-optquill-16-1`. */
  trial: string;
  path: string;
}

/** @throws UserError (2) where it holds no run, or no valid trial with a saved state */
export async function savedStates(run: string): Promise<SavedState[]> {
  const { trials } = await readPlan(run);
  const largest = new Map<string, { users: number; state: SavedState }>();
  for (const { framework, users, directory } of trials) {
    if (users <= (largest.get(framework)?.users ?? 0)) continue;
    const verdict = await readVerdict(join(run, directory));
    if (typeof verdict === 'string' || verdict.verdict !== 'valid') continue;
    const folder = join(run, directory, DOCUMENTS_FOLDER);
    const names = existsSync(folder) ? await readdir(folder) : [];
    const [first] = names.filter((name) => name.endsWith(SAVED_STATE_ENDING)).sort();
    if (first === undefined) continue;
    const trial = directory.split('/').at(-1)!;
    largest.set(framework, { users, state: { framework, trial, path: join(folder, first) } });
  }
  if (largest.size > 0) return [...largest.values()].map(({ state }) => state);
  throw new UserError(`${run} has no valid trial with a saved state; give a run in which people typed, or null`, {
    exitCode: 2,
  });
}
