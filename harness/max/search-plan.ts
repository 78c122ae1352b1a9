/** The parts of a search, from a person's request: its experiment, and the counts between which it looks. */
import { join } from 'node:path';
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import type { Frameworks } from '../../frameworks/framework.ts';
import { MODES, type Mode } from '../../frameworks/modes.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { UserError } from '../../results/user-error.ts';
import { offersStore } from '../experiment/backing.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { loadExperiment, type TypingExperiment } from '../experiment/experiment-file.ts';
import type { Override } from '../experiment/experiment-options.ts';
import { MOST_USERS, refuseManyUsers } from '../experiment/servers.ts';
import { formatDuration } from '../experiment/units.ts';
import { type Machine, usersThatFit } from '../fleets/fleet-kind.ts';
import { type NeededSigils, neededSigils } from './needed-sigils.ts';
import type { Criterion } from './outcome.ts';
import { EDGE_TRIALS, type SearchBounds } from './search.ts';

export const CONDITIONS_FILE = join(PROJECT_ROOT, 'harness/experiments/max.yaml');
/** More than any framework carried in the paper (144), and little more to search. */
const DEFAULT_MOST = 256;
/** Some sigils are given up, and some fall due just outside the measured window. */
const MARGIN = 1.1;

export interface SearchRequest {
  frameworks: readonly string[];
  mode: Mode;
  criterion: Criterion;
  /** The experiment file with the conditions. */
  conditions: string;
  /** Values that flags give instead. */
  overrides: readonly Override[];
  from?: number;
  atMost?: number;
  precisionPercent: number;
  edgeTrials: number;
  /** The owner of a server that somebody else runs agrees to any load. */
  isAgreed?: boolean;
}

/**
 * @returns the search's experiment with its frameworks, and bounds, and notes for the person
 * @throws UserError (2) that lists what cannot be, before anything starts
 */
export async function planSearch(
  request: SearchRequest,
  machine: Machine,
): Promise<TypingExperiment & { bounds: SearchBounds; notes: string[] }> {
  refuseBlind(request);
  const load = (users: readonly number[], more: readonly Override[] = []) =>
    loadExperiment({ path: request.conditions, overrides: [...overridesOf(request, users), ...more] });
  const some = [request.from ?? request.atMost ?? DEFAULT_MOST];
  const { experiment: first, frameworks } = await load(some);
  refuseOtherCells(first, frameworks);
  refuseFaults(first, request);
  const needed = withMargin(neededSigils(request.criterion, { hasKeys: MODES[request.mode].needsChrome }));
  const longer = longerMeasure(first, needed.local, request);
  const { durations, typing, probes } = longer === null ? first : (await load(some, [longer.override])).experiment;
  const usersFor = (sigils: number) => Math.ceil((sigils * typing.sigilPeriodMs) / durations.measureMs);
  const ofCrowd = probes === 'all' || needed.crowd === 0 ? 0 : probes + usersFor(needed.crowd);
  const sampled = Math.max(ofCrowd, usersFor(probes === 'all' ? Math.max(needed.local, needed.remote) : needed.remote));
  const smallest = probes === 'all' ? 2 : probes + 1;
  const fewest = request.from ?? Math.max(smallest, sampled);
  if (fewest < sampled) refuseFew(`--from ${fewest}`, fewest, { sampled, ...first });
  const { writers } = first;
  if (writers !== 'all' && writers < sampled) refuseFew(`writers: ${writers}`, writers, { sampled, ...first });
  const most = mostUsers(request, first, machine);
  if (fewest > most) {
    const why = request.from === undefined ? `one trial needs ${fewest} users to be judged` : `--from is ${fewest}`;
    throw new UserError(
      `the search has no user count to try: ${why}, but at most ${most} may be tried; measure longer with --measure, or change the bounds with --from and --at-most`,
    );
  }
  // Free memory changes from hour to hour, and the experiment must be the same when the search is resumed.
  const loaded = await load([request.atMost ?? DEFAULT_MOST], longer === null ? [] : [longer.override]);
  const bounds = { fewest, most, precisionPercent: request.precisionPercent, edgeTrials: request.edgeTrials };
  return { ...loaded, bounds, notes: longer === null ? [] : [longer.note] };
}

/** A search has one cell of each framework and count of users. */
function refuseOtherCells({ stores, store, servers, ...experiment }: Experiment, frameworks: Frameworks): void {
  const refuse = (text: string) => {
    throw new UserError(text);
  };
  const lists: [flag: string, values: readonly unknown[], what: string][] = [
    ['--stores', stores, 'store'],
    ['store.writeDelay', store.writeDelayMs.map(formatDuration), 'delay of writes'],
    ['--servers', servers.counts, 'count of servers'],
    ['--agents', experiment.agents, 'kind of agents'],
    ['--readers', experiment.readers, 'count of readers'],
    ['presence', experiment.presence === 'both' ? [true, false] : [experiment.presence], 'of both'],
  ];
  for (const [flag, values, what] of lists) {
    if (values.length > 1) refuse(`${flag} ${values.join(',')}: a search is for one ${what}; give one of them`);
  }
  const lacking = experiment.frameworks.filter((name) => !offersStore(frameworks.get(name), stores[0]));
  if (lacking.length > 0) refuse(`--stores ${stores[0]}: ${lacking.join(', ')} has no such store; leave it out`);
}

/** Figures of users whom something strikes are held to no bound of a criterion by name. */
function refuseFaults({ faults }: Experiment, { criterion, conditions }: SearchRequest): void {
  if (faults.length === 0 || criterion.name === 'where') return;
  throw new UserError(
    `--conditions ${conditions} has faults, and no criterion judges what it asked to break; leave the faults out, or give a bound of your own with --where`,
  );
}

/** Without a page nobody knows how long its tasks are. */
function refuseBlind({ mode, criterion }: SearchRequest): void {
  const row = MODES[mode];
  if (criterion.name !== 'smooth' || row.screen !== null) return;
  throw new UserError(
    `--criterion smooth judges the tasks of a page, and ${mode} has no page; give --criterion paper, or another mode`,
  );
}

function overridesOf({ frameworks, mode, overrides }: SearchRequest, users: readonly number[]): Override[] {
  const set = (flag: string, name: string, value: unknown): Override => ({ flag, path: [name], value });
  return [
    ...overrides,
    set('<frameworks>', 'frameworks', frameworks),
    set('--mode', 'modes', [mode]),
    set('--from, --at-most', 'users', users),
    // Its trials are of one version.
    set('max', 'base', null),
    set('max', 'trials', EDGE_TRIALS),
  ];
}

function withMargin({ local, remote, crowd }: NeededSigils): NeededSigils {
  return { local: Math.ceil(MARGIN * local), remote: Math.ceil(MARGIN * remote), crowd: Math.ceil(MARGIN * crowd) };
}

/** Few probes type few sigils however many users there are; then only time helps. */
function longerMeasure(
  { durations, typing, probes }: Experiment,
  sigils: number,
  { overrides }: SearchRequest,
): { override: Override; note: string } | null {
  if (probes === 'all') return null;
  const neededMs = Math.ceil((sigils * typing.sigilPeriodMs) / probes / 1000) * 1000;
  if (neededMs <= durations.measureMs) return null;
  const needed = formatDuration(neededMs);
  if (overrides.some(({ path }) => path.join('.') === 'durations.measure')) {
    throw new UserError(
      `--measure ${formatDuration(durations.measureMs)} is too short for ${probes} probes: they have to type ${sigils} sigils, which takes ${needed}; give --measure ${needed}, or more probes`,
    );
  }
  return {
    override: { flag: '--measure', path: ['durations', 'measure'], value: needed },
    note: `measuring for ${needed}, in which ${probes} probes type the ${sigils} sigils that the criterion needs`,
  };
}

/** @param given the flag or property that asks for so few who type */
function refuseFew(
  given: string,
  typists: number,
  { sampled, durations, typing }: Pick<Experiment, 'durations' | 'typing'> & { sampled: number },
): never {
  const needed = formatDuration(Math.ceil((durations.measureMs * sampled) / typists / 1000) * 1000);
  throw new UserError(
    `${given}: in ${formatDuration(durations.measureMs)} with a sigil each ${formatDuration(typing.sigilPeriodMs)}, one trial takes ${sampled} users who type to be judged; have so many, or give --measure ${needed}`,
  );
}

/** Memory is a known bound only if the users are processes of this machine. */
function mostUsers(
  { mode, atMost, isAgreed = false }: SearchRequest,
  experiment: Experiment,
  machine: Machine,
): number {
  const isElsewhere = experiment.servers.attached.length > 0;
  const [readers = 0] = experiment.readers;
  if (isElsewhere) refuseManyUsers(atMost ?? 0, { isAgreed, readers });
  const { fleet, probes } = experiment;
  const fitting = FLEETS[fleet.on].sameMachine ? usersThatFit(mode, machine, probes) : SIGIL_NUMBERS;
  if (atMost !== undefined && atMost > fitting) {
    const who = probes === 'all' || fitting < probes ? `in ${mode}` : `with ${probes} of them live in ${mode}`;
    throw new UserError(
      `--at-most ${atMost}: this machine's memory holds about ${fitting} users ${who}; give --at-most ${fitting} or less, or a machine with more memory`,
    );
  }
  return Math.min(atMost ?? (isElsewhere && !isAgreed ? MOST_USERS - readers : DEFAULT_MOST), fitting, SIGIL_NUMBERS);
}
