/**
 * What this project measured, and keeps for its documents: of each run its plan and its summary, in
 * `results/measured/<date>-<experiment>/`. The tables in the documents are written from the newest one of each experiment.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson, readPlan } from '../../analysis/run-files.ts';
import { PLAN_FILE, type PlanFile, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { PROJECT_ROOT } from '../project.ts';

export interface MeasuredRun {
  plan: PlanFile;
  summary: Summary;
}

const FOLDER = 'results/measured';

/** Loosely: figures that came after it are not in it, and shown as not measured. */
const keptSummarySchema = z.looseObject({
  experiment: z.string(),
  startedAt: z.string(),
  environment: z.record(z.string(), z.unknown()),
  cells: z.array(z.looseObject({ framework: z.string(), tier: z.string().default('unknown') })),
});

/**
 * The newest run of an experiment that is kept; null where there is none.
 *
 * @throws UserError where its files cannot be read
 */
export async function newestMeasured(experiment: string, root: string = PROJECT_ROOT): Promise<MeasuredRun | null> {
  const folder = join(root, FOLDER);
  const names = existsSync(folder) ? (await readdir(folder)).sort() : [];
  const newest = names.findLast((name) => /^\d{4}-\d\d-\d\d-(.*)$/.exec(name)?.[1] === experiment);
  return newest === undefined ? null : await readRun(join(folder, newest));
}

/**
 * Keeps a run's plan and summary.
 *
 * @throws UserError where the folder holds no run
 */
export async function keepMeasured(run: string, root: string = PROJECT_ROOT): Promise<MeasuredRun> {
  const { plan, summary } = await readRun(run);
  const folder = join(root, FOLDER, `${summary.startedAt.slice(0, 10)}-${summary.experiment}`);
  await mkdir(folder, { recursive: true });
  for (const file of [PLAN_FILE, SUMMARY_FILE]) await copyFile(join(run, file), join(folder, file));
  return { plan, summary };
}

async function readRun(folder: string): Promise<MeasuredRun> {
  const plan = await readPlan(folder);
  const summary = (await readJson(join(folder, SUMMARY_FILE), keptSummarySchema)) as unknown as Summary;
  return { plan, summary };
}
