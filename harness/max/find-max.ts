/** `max`: finds the most users that hold a criterion, trial after trial in one run folder, framework after framework. */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gaveOut, type Limit } from '../../analysis/cell/gave-out.ts';
import { speedOf } from '../../analysis/figures/machine-speed.ts';
import { tierIn } from '../../analysis/scenarios/cell.ts';
import { onlyKnown } from '../../analysis/statistics/quantile.ts';
import {
  type CpuProfile,
  type Place,
  type ProfileShares,
  parseProfile,
  profileShares,
} from '../../analysis/trial/profile-shares.ts';
import { MODES } from '../../frameworks/modes.ts';
import { buildPageOf } from '../../frameworks/page-build.ts';
import { PROJECT_ROOT, shortPath } from '../../infra/project.ts';
import { PLAN_FILE, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { asReason, readEnvironment, readPlan } from '../../results/run-folder/run-files.ts';
import { openRunFolder } from '../../results/run-folder/run-folder.ts';
import { attachedTrials, Refusals } from '../attached/attach.ts';
import { estimateTypingMs } from '../crowd/needed-recordings.ts';
import { RecordingFailed } from '../crowd/recordings.ts';
import { companiesOf } from '../experiment/company.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { liveUsers, planTrial } from '../experiment/plan.ts';
import { serverFor } from '../experiment/servers.ts';
import { loadFleet, type Machine, thisMachine } from '../fleets/fleet-kind.ts';
import { type RunOptions, type RunSettings, runExperiment } from '../run/run.ts';
import { type MaxUsersFound, writeFound } from './found.ts';
import { type Attempt, Attempts, type Criterion } from './outcome.ts';
import { type SearchBounds, type SearchState, searchState } from './search.ts';
import { triedIn, UnrecordedTrials } from './unrecorded.ts';

interface MaxOptions extends Omit<RunOptions, 'plan'> {
  /** It has one mode; the search goes through its frameworks, and its user counts are the search's bounds. */
  experiment: Experiment;
  criterion: Criterion;
  bounds: SearchBounds;
  /** No trial is begun that may end later than this, ms since 1970; null: no limit. */
  deadlineMs: number | null;
}

/** Parts that tests replace. */
interface MaxSettings extends RunSettings {
  /** The built page of a framework, for the sources of its profiles. */
  pageOf?: (framework: string) => Promise<string>;
  /** How the trials went; by their records unless given. */
  attempts?: Pick<Attempts, 'of'>;
}

/**
 * Leaves the results so far in the run's folder after each trial.
 *
 * @throws UserError if the folder is of another run; what a run throws; finished trials are kept
 */
export async function findMax(options: MaxOptions, settings: MaxSettings = {}): Promise<MaxUsersFound[]> {
  const { experiment, directory, criterion } = options;
  const say = options.observer.onNotice;
  const { attempts: judged = new Attempts({ directory, criterion }), pageOf, machine } = settings;
  const unrecorded = await UnrecordedTrials.in(directory);
  const refusals = new Refusals();
  let plan: readonly PlannedTrial[] = [];
  const obstacleTo = (planned: PlannedTrial) => obstacleAfter(plan, planned, { ...options, machine });
  const run = (planned: PlannedTrial, ahead?: readonly PlannedTrial[]) => {
    // Another framework's may be left, which did not fit into the time.
    const turn = { ...options, plan, only: [planned], ahead, refusals };
    return runIfRecordable(turn, { planned, unrecorded, settings });
  };
  if (options.resume && existsSync(join(directory, PLAN_FILE))) plan = (await readPlan(directory)).trials;
  const mayChange = ['documents'];
  const { resume } = options;
  // Refuses a folder of another search, one whose results would be written over, and one that is not there.
  const folder = await openRunFolder({ directory, experiment, plan, sameMachine: false, mayChange, resume });
  const interrupted = folder.toRun.find((planned) => !unrecorded.has(planned));
  const obstacle = interrupted === undefined ? null : await obstacleTo(interrupted);
  if (obstacle !== null) say(`${describePlanned(interrupted!)}: not ended, as ${obstacle}`);
  else if (interrupted !== undefined) await run(interrupted);
  const found = new Map<string, MaxUsersFound>();
  const stateOf = async (framework: string) => {
    const own = plan.filter((planned) => planned.framework === framework);
    const attempts = unrecorded.among(own, await judged.of(own));
    const state = searchState(triedIn(attempts, options.bounds), options.bounds);
    found.set(framework, await describe(framework, attempts, state, { ...options, pageOf }));
    await writeFound(directory, [...found.values()], criterion);
    return { attempts, state };
  };
  // Answers of frameworks that are searched on later stay there meanwhile.
  for (const framework of new Set(plan.map((planned) => planned.framework))) await stateOf(framework);
  for (const framework of experiment.frameworks) {
    let { attempts, state } = await stateOf(framework);
    while (state.next !== null) {
      const next = nextTrial(options, { framework, attempts, users: state.next });
      const isNext = ({ directory }: PlannedTrial) => directory === next.directory;
      // One that a command could not end is planned already.
      const planned = plan.find(isNext) ?? next;
      const obstacle = await obstacleTo(planned);
      if (obstacle !== null) {
        say(`${describePlanned(planned)}: not tried, as ${obstacle}`);
        break;
      }
      if (!plan.includes(planned)) plan = [...plan, planned];
      await run(planned, trialsAhead(options, { planned, attempts }));
      ({ attempts, state } = await stateOf(framework));
      const attempt = attempts.find((each) => isNext(each.planned));
      if (attempt !== undefined && !attempt.isUnrecorded) say(describeAttempt(attempt));
    }
  }
  return [...found.values()];
}

/** Runs one trial of a search's plan; notes it if its crowd cannot be recorded. */
async function runIfRecordable(
  turn: Omit<RunOptions, 'resume'>,
  { planned, unrecorded, settings }: { planned: PlannedTrial; unrecorded: UnrecordedTrials; settings: RunSettings },
): Promise<void> {
  try {
    await runExperiment({ ...turn, resume: existsSync(join(turn.directory, PLAN_FILE)) }, settings);
  } catch (error) {
    if (!(error instanceof RecordingFailed)) throw error;
    await unrecorded.add(planned, error.why);
    const again = `to try it again, remove ${shortPath(unrecorded.path)} and go on with --resume`;
    turn.observer.onWarning(`${describePlanned(planned)}: ${error.why}; ${again}`);
  }
}

function describePlanned({ framework, users }: PlannedTrial): string {
  return `${framework}, ${users} users`;
}

/** Null: the trial may begin after those of the plan. */
async function obstacleAfter(
  plan: readonly PlannedTrial[],
  planned: PlannedTrial,
  {
    experiment,
    frameworks,
    deadlineMs,
    bounds,
    machine = thisMachine(),
  }: Pick<MaxOptions, 'experiment' | 'frameworks' | 'deadlineMs' | 'bounds'> & { machine?: Machine },
): Promise<string | null> {
  const whenFree = 'continue with --resume when more is free';
  if (planned.users > bounds.most) return `memory holds ${bounds.most} users now → ${whenFree}`;
  // As the run would refuse it, which ends a search before the frameworks to come.
  const { checkMachine } = await loadFleet(experiment.fleet.on);
  const refusal = await asReason(async () => [checkMachine?.([planned], machine)]);
  if (typeof refusal === 'string') return `${refusal} → ${whenFree}`;
  const takesMs = async () => estimateTypingMs({ scenario: 'typing', experiment, frameworks }, [planned]);
  if (deadlineMs !== null && Date.now() + (await takesMs()) > deadlineMs) {
    return `the time is up → ${plan.length === 0 ? 'give more with --stop-after' : 'continue with --resume'}`;
  }
  // Nobody knows beforehand how many trials a search takes.
  const named = experiment.documents.length;
  const trials = plan.includes(planned) ? plan : [...plan, planned];
  if (named === 0 || attachedTrials(experiment, trials).length <= named) return null;
  return 'each document that was named has had its trial → search anew with more';
}

function nextTrial(
  { experiment }: Pick<MaxOptions, 'experiment'>,
  { framework, attempts, users }: { framework: string; attempts: readonly Pick<Attempt, 'planned'>[]; users: number },
): PlannedTrial {
  // One of them may be gone, or damaged: then that is the next.
  const ended = new Set(attempts.filter(({ planned }) => planned.users === users).map(({ planned }) => planned.trial));
  let trial = 1;
  while (ended.has(trial)) trial++;
  return planTrial(experiment, { ...companiesOf(experiment)[0], framework, mode: experiment.modes[0]!, users, trial });
}

/**
 * Trials that a search may ask for after this one: however this one ends, and the first of the frameworks to come. None has more
 * users, so that its crowd is recorded by the time that this one's is.
 */
export function trialsAhead(
  { experiment, bounds }: Pick<MaxOptions, 'experiment' | 'bounds'>,
  {
    planned,
    attempts,
  }: { planned: PlannedTrial; attempts: readonly Pick<Attempt, 'planned' | 'outcome' | 'isUnrecorded'>[] },
): PlannedTrial[] {
  const { framework } = planned;
  const tried = triedIn(attempts, bounds);
  const next = (['missed', 'held', 'unknown'] as const).flatMap((outcome) => {
    const { next: users } = searchState([...tried, { users: planned.users, outcome }], bounds);
    return users === null
      ? []
      : [nextTrial({ experiment }, { framework, attempts: [...attempts, { planned }], users })];
  });
  const others = experiment.frameworks.slice(experiment.frameworks.indexOf(framework) + 1);
  const firsts = others.map((other) =>
    nextTrial({ experiment }, { framework: other, attempts: [], users: bounds.fewest }),
  );
  return [...next, ...firsts].filter(({ users }) => users <= planned.users);
}

/** Such as `yjs, 48 users, trial 2: did not hold: …`. */
export function describeAttempt({ planned: { framework, users, trial }, outcome, why }: Attempt): string {
  const words = { held: 'held', missed: 'did not hold', unknown: 'is not known' };
  const reasons = why.length === 0 ? '' : `: ${why.join('; ')}`;
  return `${framework}, ${users} users, trial ${trial}: ${words[outcome]}${reasons}`;
}

async function describe(
  framework: string,
  attempts: readonly Attempt[],
  { next, largestHeld, end }: SearchState,
  options: MaxOptions & Pick<MaxSettings, 'pageOf'>,
): Promise<MaxUsersFound> {
  const { experiment, directory } = options;
  const environment = await readEnvironment(directory);
  const atEnd = attempts.filter(({ planned }) => planned.users === end?.users);
  // Of as many that held as missed it is unknown, though no trial is.
  const limiting =
    atEnd.findLast(({ outcome }) => outcome === end?.outcome) ?? atEnd.findLast(({ outcome }) => outcome !== 'held');
  return {
    framework,
    version: attempts.findLast(({ cell }) => cell.version !== 'unknown')?.cell.version ?? 'unknown',
    tier: tierIn(environment, framework),
    mode: experiment.modes[0]!,
    largestHeld,
    end,
    isOver: next === null,
    bounds: { fewest: options.bounds.fewest, most: options.bounds.most },
    why: limiting?.why ?? [],
    gaveOut: limiting === undefined ? [] : await limitsOf(limiting, options),
    trials: attempts.map(({ planned: { users, trial }, outcome, why, cell }) => {
      return { users, trial, outcome, why, machineSpeed: speedOf(cell) };
    }),
    directory,
  };
}

/** The resources that were used up in a trial that did not hold, or is not known to, the first of them first. */
export async function limitsOf(
  { planned, cell, outcome, why, lacksFigure }: Attempt,
  {
    experiment,
    directory,
    frameworks,
    pageOf,
  }: Pick<MaxOptions & MaxSettings, 'experiment' | 'directory' | 'frameworks' | 'pageOf'>,
): Promise<Limit[]> {
  const environment = await readEnvironment(directory);
  const links = experiment.network.groups.map(({ link }) => link.bandwidthBytesPerSecond ?? Number.POSITIVE_INFINITY);
  const narrowest = Math.min(...links);
  const { needsChrome, processPer } = MODES[experiment.modes[0]!];
  const builtPage = pageOf ?? ((name: string) => buildPageOf(frameworks.get(name)!));
  const pageFolder = needsChrome ? await builtPage(planned.framework) : directory;
  return gaveOut({
    outcome: outcome === 'missed' ? 'missed' : 'unknown',
    why,
    lacksFigure,
    cell,
    userProfiles: await userProfilesOf(join(directory, planned.directory), pageFolder),
    isAttached: serverFor(experiment, planned.framework) !== null,
    sharesThreads: processPer === 'core',
    liveUsers: liveUsers(planned),
    machine: { cores: numberOr(environment.cores), memoryMiB: numberOr(environment.memoryMiB) },
    bandwidthBytesPerSecond: Number.isFinite(narrowest) ? narrowest : null,
  });
}

function numberOr(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/**
 * The shares of the users' profiles that a trial left; those that no source is known of, as where the page was built
 * from other sources since, are left out.
 *
 * @param pageFolder the built page, which holds its scripts' source maps
 */
export async function userProfilesOf(trialDirectory: string, pageFolder: string): Promise<ProfileShares[]> {
  const folder = join(trialDirectory, 'profiles');
  if (!existsSync(folder)) return [];
  const names = await Array.fromAsync(glob('user-*.cpuprofile', { cwd: folder }));
  const shares = await Array.fromAsync(names.sort(), async (name) => {
    const profile = await readProfile(join(folder, name));
    if (profile === null) return null;
    const sourceOf = await sourcesOf(profile, pageFolder);
    const isKnown = profile.nodes.some(({ callFrame }) => sourceOf(callFrame) !== null);
    return isKnown ? profileShares(profile, sourceOf) : null;
  });
  return onlyKnown(shares);
}

/** Null: it is cut off or damaged. A search does not end for want of evidence. */
async function readProfile(path: string): Promise<CpuProfile | null> {
  const text = await readFile(path, 'utf8');
  try {
    return parseProfile(text);
  } catch {
    return null;
  }
}

async function sourcesOf(profile: CpuProfile, pageFolder: string): Promise<(place: Place) => string | null> {
  const maps = new Map<string, SourceMap>();
  for (const url of new Set(profile.nodes.map(({ callFrame }) => callFrame.url))) {
    const path = join(pageFolder, 'assets', `${basename(url)}.map`);
    if (/^https?:/.test(url) && existsSync(path))
      maps.set(url, new SourceMap(JSON.parse(await readFile(path, 'utf8'))));
  }
  return ({ url, lineNumber, columnNumber }) => {
    // A project may lie below a folder called node_modules; its files are still the project's.
    if (url.startsWith('file:')) return relative(PROJECT_ROOT, fileURLToPath(url));
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    return entry !== undefined && 'originalSource' in entry ? (entry.originalSource ?? null) : null;
  };
}
