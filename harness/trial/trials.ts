/** What all trials of an experiment share: the trace as edits, the built page. Readied once, wherever trials run. */

import { findFramework, frameworkVersion } from '../../frameworks/discover.ts';
import { documentSourceOf } from '../../frameworks/document-source.ts';
import { hasPage } from '../../frameworks/modes.ts';
import { buildPageOf } from '../../frameworks/page-build.ts';
import type { Fleet } from '../../infra/fleet.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { editsOf } from '../../traces/edits.ts';
import type { Trace } from '../../traces/format.ts';
import { stretchFor } from '../../traces/stretches.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { liveUsers } from '../experiment/fleet-sizes.ts';
import { editCount, fittedTo } from './assignments.ts';
import { authorOfStart, beginningIn, startOf } from './start.ts';
import { runTrial } from './trial.ts';
import type { TrialCrowd } from './trial-crowd.ts';
import type { TrialObserver } from './trial-options.ts';

/** Runs one trial of the experiment, and leaves its files in a directory. */
export type RunOne = (options: {
  planned: PlannedTrial;
  fleet: Fleet;
  /** The users who are no probes; absent: there are none. */
  crowd?: TrialCrowd;
  directory: string;
  show: boolean;
  observer: TrialObserver;
  signal: AbortSignal;
}) => Promise<Verdict>;

/** @param root the folder of the project whose processes run, and whose page they open */
export async function readyTrials(experiment: Experiment, trace: Trace, root: string = PROJECT_ROOT): Promise<RunOne> {
  const authors = editsOf(trace);
  const start = await startOf(experiment, trace);
  const pages = await pagesFor(experiment, root);
  return async (options) => {
    const { crowd, planned } = options;
    const { framework } = planned;
    const author = authorOfStart({ playedFrom: crowd?.kind === 'recorded' ? liveUsers(planned) : null });
    const { about } = await findFramework(framework, root);
    return runTrial({
      ...options,
      experiment: fittedTo(experiment, about, planned),
      version: await frameworkVersion(framework, root),
      source: documentSourceOf(planned, about),
      startText: start,
      editsFor: (user) =>
        beginningIn(start, { user, author }, stretchFor({ authors, user, count: editCount(experiment) })),
      pageFolder: pages.get(framework) ?? null,
    });
  };
}

/** The page of each framework; none where no user opens one. */
async function pagesFor({ modes, frameworks }: Experiment, root: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  if (!modes.some(hasPage)) return pages;
  for (const framework of frameworks) pages.set(framework, await buildPageOf(framework, root));
  return pages;
}
