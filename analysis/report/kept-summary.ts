/** A summary whose records are gone or damaged is all that is left of its run: nothing may replace it by an emptier one, or by another run's. */
import { existsSync, globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { FIGURES_FILE, PLAN_FILE, recordPath, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { recordsProblem } from '../../results/formats/trial-records.ts';
import { asReason, readJson } from '../../results/run-folder/run-files.ts';
import { areRecordsKept } from '../../results/run-folder/trial-stage.ts';
import { UserError } from '../../results/user-error.ts';
import { enumerate } from '../figures/figure-text.ts';

const counted = z.object({ cells: z.array(z.object({ trials: z.int() })) });

/**
 * @param outDirectory the folder that gets the new summary
 * @throws UserError (2) if another run is there; if the summary there tells of more trials than the run's folder has records of, or of who knows how
 *                   many, and there are none; or if the records of a trial that has figures are damaged
 */
export async function refuseToLose(runDirectories: readonly string[], outDirectory: string): Promise<void> {
  const path = join(outDirectory, SUMMARY_FILE);
  const [runDirectory = '', ...others] = runDirectories;
  const isOwn = others.length === 0 && resolve(runDirectory) === resolve(outDirectory);
  if (!isOwn && existsSync(join(outDirectory, PLAN_FILE))) {
    throw new UserError(`${outDirectory} holds a run, whose own report would be lost; give another folder with --out`);
  }
  if (!isOwn || !existsSync(path)) return;
  const damaged = await damagedTrials(join(runDirectory, 'trials'));
  if (damaged.length > 0) {
    throw new UserError(
      `${enumerate(damaged, { most: 3, between: '; ' })}; ${path} and the trials’ ${FIGURES_FILE} have been made of all records, and stay as they are. Copy the run's folder again, or give --out FOLDER for a report on what is here`,
    );
  }
  const summary = await asReason(() => readJson(path, counted));
  const told = typeof summary === 'string' ? null : summary.cells.reduce((sum, { trials }) => sum + trials, 0);
  const there = new Set(globSync(recordPath('*', '*'), { cwd: join(runDirectory, 'trials') }).map(dirname)).size;
  if (there >= (told ?? 1)) return;
  throw new UserError(
    `${path} tells of ${told ?? 'an unknown number of'} trials, but only ${there} have their records here, so a new one would lose the rest; it stays as it is. Give --out FOLDER for a report on what is here`,
  );
}

/** Of each trial that has figures, but not the records that these were made of: the problem. */
async function damagedTrials(folder: string): Promise<string[]> {
  const names = globSync(`*/${FIGURES_FILE}`, { cwd: folder }).map(dirname).sort();
  const damaged: string[] = [];
  for (const name of names) {
    const trial = join(folder, name);
    if (!(await areRecordsKept(trial))) damaged.push((await recordsProblem(trial)) ?? `${trial} has other records`);
  }
  return damaged;
}
