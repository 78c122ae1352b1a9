/** What all trials of an experiment share: the trace as edits, the built page. Readied once, wherever trials run. */
import type { Fleet } from '../../infra/fleet.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { editsOf } from '../../traces/edits.ts';
import type { Trace } from '../../traces/format.ts';
import { stretchFor } from '../../traces/stretches.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { findFramework, frameworkVersion } from '../frameworks/discover.ts';
import { buildPage } from '../page-build.ts';
import { runTrial, type TrialObserver } from './trial.ts';

/** Runs one trial of the experiment, and leaves its files in a directory. */
export type RunOne = (options: {
  planned: PlannedTrial;
  fleet: Fleet;
  directory: string;
  show: boolean;
  observer: TrialObserver;
  signal: AbortSignal;
}) => Promise<Verdict>;

export async function readyTrials(experiment: Experiment, trace: Trace): Promise<RunOne> {
  const authors = editsOf(trace);
  const pageFolder = await buildPage();
  return async (options) => {
    const { framework, users } = options.planned;
    return runTrial({
      ...options,
      experiment,
      version: await frameworkVersion(framework),
      hosting: (await findFramework(framework)).about.hosted ?? null,
      editsFor: (user) => stretchFor({ authors, user, users, count: editCount(experiment) }),
      pageFolder,
    });
  };
}

/** As many edits as a user can come to in a trial. */
function editCount({ durations, typing }: Experiment): number {
  const typingMs = durations.warmUpMs + durations.measureMs + durations.profileMs;
  return Math.ceil((typingMs / 1000) * typing.keysPerSecond) + 1;
}
