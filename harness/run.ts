/** Runs an experiment: its plan, trial after trial, with summary and report brought up to date after each. */
import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeReport } from '../analysis/report/report.ts';
import {
  ENVIRONMENT_FILE,
  PLAN_FILE,
  type PlanFile,
  type PlannedTrial,
  VERDICT_FILE,
  writeJson,
} from '../results/run-directory.ts';
import type { Summary } from '../results/summary.ts';
import { UserError } from '../results/user-error.ts';
import type { Verdict } from '../results/verdict.ts';
import { openPlace } from './place.ts';
import { type AskForDocument, assignDocuments, type TrialDocuments } from './plan/documents.ts';
import type { Experiment } from './plan/experiment.ts';
import { discoverFrameworks } from './plan/frameworks.ts';
import { makePlan } from './plan/plan.ts';
import type { TrialObserver } from './trial/trial.ts';

export interface RunObserver extends TrialObserver {
  /** Something that a person should know; a whole sentence or line. */
  onNotice(text: string): void;
  onTrial(planned: PlannedTrial, index: number, plan: readonly PlannedTrial[]): void;
  onVerdict(planned: PlannedTrial, verdict: Verdict, summary: Summary): void;
}

export interface RunOptions {
  experiment: Experiment;
  /** Where the results go. */
  directory: string;
  /** Go on with the run that lies in `directory`; what has a verdict is not run again. */
  resume: boolean;
  /** Open real windows to watch. */
  show: boolean;
  observer: RunObserver;
  signal: AbortSignal;
  /** Absent where no person can be asked. */
  askForDocument?: AskForDocument | null;
}

/**
 * @returns the summary of all finished trials
 * @throws UserError where nothing can be run, the signal's reason where the run was interrupted; finished trials are kept
 */
export async function runExperiment(options: RunOptions): Promise<Summary> {
  const { experiment, directory, observer, signal } = options;
  const plan = makePlan(experiment);
  // Looked at before anything starts anywhere.
  const planFile = await planFileFor(options, plan);
  const documents = await documentsFor(options, plan);
  const place = await openPlace({ experiment, plan, show: options.show, observer, signal });
  try {
    if (planFile !== null) await writeJson(join(directory, PLAN_FILE), planFile);
    await writeJson(join(directory, ENVIRONMENT_FILE), place.environment);

    for (const [index, planned] of plan.entries()) {
      const trialDirectory = join(directory, planned.directory);
      if (await exists(join(trialDirectory, VERDICT_FILE))) continue;
      // What an interrupted trial left is no record of anything.
      await rm(trialDirectory, { recursive: true, force: true });
      signal.throwIfAborted();
      observer.onTrial(planned, index, plan);
      const verdict = await place.runTrial(await documents.give(planned), trialDirectory);
      observer.onVerdict(planned, verdict, await report(directory));
    }
  } finally {
    await place.close();
  }
  return report(directory);
}

/** @throws UserError where trials need documents that are neither listed nor can be asked for */
async function documentsFor(
  { directory, experiment, askForDocument = null }: RunOptions,
  plan: readonly PlannedTrial[],
): Promise<TrialDocuments> {
  const stages = await Promise.all(
    plan.map(async (planned) => ({
      planned,
      isDone: await exists(join(directory, planned.directory, VERDICT_FILE)),
      isBegun: await exists(join(directory, planned.directory)),
    })),
  );
  const toRun = stages.filter(({ isDone }) => !isDone);
  return assignDocuments({
    plan,
    toRun: toRun.map(({ planned }) => planned),
    begun: toRun.filter(({ isBegun }) => isBegun).map(({ planned }) => planned),
    documents: experiment.documents,
    frameworks: await discoverFrameworks(),
    ask: askForDocument,
  });
}

/** Brings summary, tables and report up to date with all finished trials. */
async function report(directory: string): Promise<Summary> {
  const { summaries } = await writeReport([directory]);
  return summaries[0]!;
}

/** @returns what is to be written, or null where the folder holds just this plan and the run is to be resumed */
async function planFileFor(
  { directory, experiment, resume }: RunOptions,
  trials: PlannedTrial[],
): Promise<PlanFile | null> {
  const path = join(directory, PLAN_FILE);
  const older: PlanFile | null = await readFile(path, 'utf8').then(JSON.parse, () => null);
  if (older === null && resume) {
    throw new UserError(`${directory} holds no run to resume: there is no ${PLAN_FILE} in it`, { exitCode: 2 });
  }
  if (older !== null && !resume) {
    throw new UserError(
      `${directory} holds a run already; give another folder with --out, or go on with that run with --resume`,
      { exitCode: 2 },
    );
  }
  if (older !== null) {
    const now = JSON.parse(JSON.stringify({ experiment, trials }));
    if (isDeepStrictEqual(now, { experiment: older.experiment, trials: older.trials })) return null;
    throw new UserError(
      `the run in ${directory} was planned from another experiment; resume it with the same file and flags, or start anew with another --out`,
      { exitCode: 2 },
    );
  }
  return {
    schemaVersion: 1,
    startedAt: new Date().toISOString(),
    experiment: { ...experiment },
    trials,
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
