/** Runs trials with the coordinator in this process, on a fleet that is near enough to reach it. */
import { sharingOf } from '../../editors/base/framework.ts';
import type { StoreName } from '../../editors/base/stores.ts';
import { type Framework, type Frameworks, versionToday } from '../../frameworks/framework.ts';
import { hasPage } from '../../frameworks/modes.ts';
import { buildPageOf } from '../../frameworks/page-build.ts';
import type { Need, RunFleet } from '../../infra/fleet.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { clearUpAfter } from '../../results/user-error.ts';
import { editsOf } from '../../traces/edits.ts';
import type { Trace } from '../../traces/format.ts';
import { resolveTrace } from '../../traces/store.ts';
import { freshDocument, namedDocument, proveAttachable } from '../attached/attach.ts';
import { freshName } from '../attached/hello.ts';
import { readyCrowd } from '../crowd/recordings.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { needsOf } from '../experiment/plan.ts';
import { type AttachedServer, serverFor, serverOf } from '../experiment/servers.ts';
import { describeEnvironment } from '../machine/environment.ts';
import { measureSpeed } from '../machine/machine-speed.ts';
import { lookAround } from '../machine/surroundings.ts';
import { fittedTo } from '../trial/assignments.ts';
import { runTrial } from '../trial/trial.ts';
import { documentSourceOf, type TrialContext, type TrialOptions } from '../trial/trial-options.ts';
import { editsFor, startOf } from '../trial/trial-users.ts';
import type { Runner, RunnerOptions } from './runner.ts';

/** A run as a fleet knows it before it starts anything. */
interface FleetRequest {
  /** The needs of each trial of the run. */
  trials: readonly (readonly Need[])[];
  /** Those of the run. */
  frameworks: readonly Framework[];
  /** For what a person should know before or while the fleet is readied. */
  say: (text: string) => void;
  signal: AbortSignal;
}

/** @param options.isCrowdLive true: a crowd is live although it might be recorded, to compare the two */
export async function openRunnerHere(
  { experiment, frameworks, plan, toRun, ahead, root, refusals, ...context }: RunnerOptions,
  openFleet: (request: FleetRequest) => Promise<RunFleet>,
  { isCrowdLive = false }: { isCrowdLive?: boolean } = {},
): Promise<Runner> {
  // Before a fleet takes its time, and an image is built for nothing.
  const trace = await resolveTrace(experiment.trace);
  if (experiment.start.trace !== null) await resolveTrace(experiment.start.trace);
  const trials = plan.map((planned) => needsOf(experiment, planned));
  const { signal } = context;
  const say = context.observer.onNotice;
  const prove = (server: AttachedServer, planned: PlannedTrial, where: { document: string; isStrange?: boolean }) => {
    const isNamed = namedDocument(experiment, plan, planned) === where.document;
    return proveAttachable(server, frameworks.get(server.framework)!, { ...where, isNamed });
  };
  // A server's refusal is known before anything starts.
  for (const server of experiment.servers.attached) {
    const first = toRun.find(({ framework }) => framework === server.framework);
    if (first === undefined) continue;
    const document = namedDocument(experiment, plan, first) ?? freshName('hello');
    await prove(server, first, { document, isStrange: true });
  }
  const fleet = await openFleet({ trials, frameworks: [...frameworks.values()], say, signal });
  try {
    const [runOne, environment] = await Promise.all([
      readyTrials(experiment, { trace, frameworks, root, say }),
      describeEnvironment(experiment, { frameworks, chrome: fleet.chrome, project: root }),
    ]);
    return {
      environment,
      async runTrial(planned, directory) {
        const upcoming = toRun.slice(1 + toRun.findIndex((other) => other.directory === planned.directory));
        const server = serverFor(experiment, planned.framework);
        const asked = { experiment, frameworks, planned, upcoming, ahead, say, signal };
        const crowd = await readyCrowd({ ...asked, isCrowdLive });
        await fleet.ready(needsOf(experiment, planned));
        if (server !== null) {
          const watchedMs = await prove(server, planned, { document: planned.document! });
          const watched = watchedMs === 0 ? '' : `, which stayed empty for ${watchedMs / 1000} s`;
          say(`the document at ${server.url}: ${planned.document}${watched}`);
        }
        return runOne({ planned, fleet, crowd, directory, ...context });
      },
      async heed(planned, verdict) {
        const server = serverFor(experiment, planned.framework);
        if (server === null) return;
        // One that a person named is not empty any more; where they do, the server may make no other.
        const document = namedDocument(experiment, plan, planned) ?? freshDocument(planned);
        const isThere = () => prove({ ...server, write: true }, planned, { document });
        await refusals.heed(server.url, verdict, isThere);
      },
      close: () => fleet.close(),
    };
  } catch (error) {
    return clearUpAfter(error, { clearUp: () => fleet.close(), say });
  }
}

/** The properties of a trial that differ from one to the next, or come from the run. */
type TrialRequest = Pick<TrialOptions, 'planned' | 'fleet' | 'crowd' | 'directory' | keyof TrialContext>;

/**
 * Readies what all trials of an experiment share: the trace as edits, the built page.
 *
 * @param options.frameworks the experiment's, of the project whose processes run, and whose page they open
 * @param options.root       the folder of that project
 * @returns runs one trial, and leaves its files in a directory
 */
async function readyTrials(
  experiment: Experiment,
  options: { trace: Trace; frameworks: Frameworks; root?: string; say: (text: string) => void },
): Promise<(request: TrialRequest) => Promise<Verdict>> {
  const { trace, frameworks, root, say } = options;
  const material = { authors: editsOf(trace), startText: await startOf(experiment, trace) };
  const pages = await pagesFor(experiment, frameworks);
  return async (request) => {
    const { planned } = request;
    const framework = frameworks.get(planned.framework)!;
    return runTrial({
      ...request,
      experiment: fittedTo(experiment, framework.about, planned),
      version: versionToday(framework),
      source: documentSourceOf(planned, framework.about, serverFor(experiment, planned.framework)),
      measureSpeed,
      lookAround: () => lookAround({ root, say }),
      meetsUser0: areServersApart(planned, framework)
        ? (user) => serverOf(user, { count: planned.servers!, affinity: experiment.affinity }) === 0
        : undefined,
      startText: material.startText,
      editsFor: (user) => editsFor(user, material),
      pageFolder: pages.get(framework.name) ?? null,
    });
  };
}

/** True if the trial has several servers without a way to share a document. */
function areServersApart({ store = 'memory', servers = 1 }: PlannedTrial, { about }: Framework): boolean {
  return servers > 1 && sharingOf(about, store as StoreName) === null;
}

/** The page of each framework; none if no user opens one. */
async function pagesFor({ modes }: Experiment, frameworks: Frameworks): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  if (!modes.some(hasPage)) return pages;
  for (const [name, framework] of frameworks) pages.set(name, await buildPageOf(framework));
  return pages;
}
