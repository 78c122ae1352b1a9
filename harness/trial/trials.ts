/** What all trials of an experiment share: the trace as edits, the built page. Readied once, wherever trials run. */
import type { Fleet } from '../../infra/fleet.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { Edit } from '../../traces/edit.ts';
import { editsOf } from '../../traces/edits.ts';
import type { Trace } from '../../traces/format.ts';
import { startText } from '../../traces/start-text.ts';
import { resolveTrace } from '../../traces/store.ts';
import { goldenFraction, stretchFor } from '../../traces/stretches.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { findFramework, frameworkVersion } from '../frameworks/discover.ts';
import { documentSourceOf } from '../frameworks/document-source.ts';
import { hasPage } from '../modes.ts';
import { buildPageOf } from '../page-build.ts';
import { PROJECT_ROOT } from '../project.ts';
import { editCount, fittedTo } from './assignments.ts';
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
  const start = await startTextOf(experiment, trace);
  const pages = await pagesFor(experiment, root);
  return async (options) => {
    const { framework } = options.planned;
    const { about } = await findFramework(framework, root);
    return runTrial({
      ...options,
      experiment: fittedTo(experiment, about),
      version: await frameworkVersion(framework, root),
      source: documentSourceOf(options.planned, about),
      startText: start,
      editsFor: (user) => beginningIn(start, user, stretchFor({ authors, user, count: editCount(experiment) })),
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

/** @throws UserError (2) where its trace is not here, or too short */
async function startTextOf({ start, trace: name }: Experiment, trace: Trace): Promise<string> {
  const { characters } = start;
  if (start.trace === null) return startText({ trace: null, characters });
  return startText({ trace: start.trace === name ? trace : await resolveTrace(start.trace), characters });
}

/** Users begin all over the document, whose start their cursors stand at; user 0, who put it in, goes on at its end. */
function beginningIn(start: string, user: number, [first, ...edits]: Edit[]): Edit[] {
  if (first === undefined) return [];
  return [{ ...first, move: first.move + Math.floor(goldenFraction(user) * start.length) }, ...edits];
}
