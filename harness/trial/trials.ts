/** Resources that all trials of an experiment share: the trace as edits, the built page. Readied once, wherever trials run. */

import { type Frameworks, versionToday } from '../../frameworks/framework.ts';
import { hasPage } from '../../frameworks/modes.ts';
import { buildPageOf } from '../../frameworks/page-build.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { editsOf } from '../../traces/edits.ts';
import type { Trace } from '../../traces/format.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { fittedTo } from './assignments.ts';
import { runTrial } from './trial.ts';
import { documentSourceOf, type TrialOptions } from './trial-options.ts';
import { editsFor, startOf } from './trial-users.ts';

/** Runs one trial of the experiment, and leaves its files in a directory. */
export type RunOne = (
  options: Pick<TrialOptions, 'planned' | 'fleet' | 'crowd' | 'directory' | 'show' | 'observer' | 'signal'>,
) => Promise<Verdict>;

/** @param frameworks the experiment's, of the project whose processes run, and whose page they open */
export async function readyTrials(experiment: Experiment, trace: Trace, frameworks: Frameworks): Promise<RunOne> {
  const material = { authors: editsOf(trace), startText: await startOf(experiment, trace) };
  const pages = await pagesFor(experiment, frameworks);
  return async (options) => {
    const { planned } = options;
    const framework = frameworks.get(planned.framework)!;
    return runTrial({
      ...options,
      experiment: fittedTo(experiment, framework.about, planned),
      version: versionToday(framework),
      source: documentSourceOf(planned, framework.about),
      startText: material.startText,
      editsFor: (user) => editsFor(user, material),
      pageFolder: pages.get(framework.name) ?? null,
    });
  };
}

/** The page of each framework; none if no user opens one. */
async function pagesFor({ modes }: Experiment, frameworks: Frameworks): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  if (!modes.some(hasPage)) return pages;
  for (const [name, framework] of frameworks) pages.set(name, await buildPageOf(framework));
  return pages;
}
