/** Runs an experiment: its plan, trial after trial, with the summary brought up to date after each. */
import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { summarize } from '../analysis/summarize.ts';
import { createLocalFleet } from '../infra/local/local-fleet.ts';
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
import { editsOf } from '../traces/edits.ts';
import { resolveTrace } from '../traces/library.ts';
import { stretchFor } from '../traces/stretches.ts';
import { describeEnvironment } from './machine/environment.ts';
import { buildPage } from './page-build.ts';
import type { Experiment } from './plan/experiment.ts';
import { frameworkVersion } from './plan/frameworks.ts';
import { makePlan } from './plan/plan.ts';
import { PROJECT_ROOT } from './project.ts';
import { runTrial, type TrialObserver } from './trial/trial.ts';

export interface RunObserver extends TrialObserver {
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
}

/**
 * @returns the summary of all finished trials
 * @throws UserError where nothing can be run, the signal's reason where the run was interrupted; finished trials are kept
 */
export async function runExperiment(options: RunOptions): Promise<Summary> {
  const { experiment, directory, observer, signal } = options;
  const plan = makePlan(experiment);
  const [authors, pageFolder, environment] = await Promise.all([
    resolveTrace(experiment.trace).then(editsOf),
    buildPage(),
    describeEnvironment(experiment.fleet.on),
  ]);
  await openDirectory(options, plan);
  await writeJson(join(directory, ENVIRONMENT_FILE), environment);

  for (const [index, planned] of plan.entries()) {
    const trialDirectory = join(directory, planned.directory);
    if (await exists(join(trialDirectory, VERDICT_FILE))) continue;
    // What an interrupted trial left is no record of anything.
    await rm(trialDirectory, { recursive: true, force: true });
    signal.throwIfAborted();
    observer.onTrial(planned, index, plan);
    const verdict = await runTrial({
      planned,
      experiment,
      version: await frameworkVersion(planned.framework),
      editsFor: (user) => stretchFor({ authors, user, users: planned.users, count: editCount(experiment) }),
      fleet: await createLocalFleet(PROJECT_ROOT),
      pageFolder,
      directory: trialDirectory,
      show: options.show,
      observer,
      signal,
    });
    observer.onVerdict(planned, verdict, await summarize(directory));
  }
  return summarize(directory);
}

/** As many edits as a user can come to in a trial. */
function editCount({ durations, typing }: Experiment): number {
  const typingMs = durations.warmUpMs + durations.measureMs + durations.profileMs;
  return Math.ceil((typingMs / 1000) * typing.keysPerSecond) + 1;
}

async function openDirectory({ directory, experiment, resume }: RunOptions, trials: PlannedTrial[]): Promise<void> {
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
    if (isDeepStrictEqual(now, { experiment: older.experiment, trials: older.trials })) return;
    throw new UserError(
      `the run in ${directory} was planned from another experiment; resume it with the same file and flags, or start anew with another --out`,
      { exitCode: 2 },
    );
  }
  const plan: PlanFile = {
    schemaVersion: 1,
    startedAt: new Date().toISOString(),
    experiment: { ...experiment },
    trials,
  };
  await writeJson(path, plan);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
