/** The plan: an experiment expanded into the ordered list of its trials, before anything runs, and the resources of each. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { MODES, type Mode } from '../../frameworks/modes.ts';
import type { Need, Resources } from '../../infra/fleet.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { addsNothing } from '../../infra/network/link.ts';
import { type Company, cellMode, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { alignTable } from '../../results/text-table.ts';
import { type BackedFrameworks, backingLines, backingNotes, offersStore } from './backing.ts';
import { companiesOf, companyIn, companyLines, countCompany } from './company.ts';
import type { Experiment } from './experiment.ts';
import { formatFault } from './faults.ts';
import { formatDistance, formatLink, membersOf, type NetworkGroup } from './network.ts';
import { serverFor, takesServerProcess } from './servers.ts';
import { formatAbout, formatDuration } from './units.ts';

/** Server and users start, and join: a part that every trial has, and one for each user. */
const START_MS = 3_000;
const START_PER_USER_MS = 100;

/**
 * Expands an experiment into its trials, in the order in which they run: every cell's first trial, then every cell's
 * second, and so on. So a machine that slows down in the course of a run slows all cells alike, not the last ones. A cell
 * with company, such as cursors or readers, comes after the same one with less.
 *
 * @param frameworks cells are left out whose framework is among them, and has not the cell's store
 */
export function makePlan(experiment: Experiment, frameworks: BackedFrameworks = new Map()): PlannedTrial[] {
  const trials = Array.from({ length: experiment.trials }, (_, index) => index + 1);
  return trials.flatMap((trial) =>
    experiment.frameworks.flatMap((framework) =>
      experiment.modes.flatMap((mode) =>
        experiment.users.flatMap((users) =>
          companiesOf(experiment)
            .filter(({ store }) => offersStore(frameworks.get(framework), store))
            .map((company) => planTrial(experiment, { framework, mode, users, trial, ...company })),
        ),
      ),
    ),
  );
}

/** One trial of one cell, from 1. */
export function planTrial(
  { seed, probes }: Pick<Experiment, 'seed' | 'probes'>,
  of: Pick<PlannedTrial, 'framework' | 'mode' | 'users' | 'trial'> & Company,
): PlannedTrial {
  const { framework, mode, users, trial } = of;
  const company = companyIn(of);
  const cell = `${framework}-${cellMode({ mode, ...company })}-${users}`;
  const directory = `trials/${cell}-${trial}`;
  const planned = { cell, framework, mode, users, ...company, trial, seed: derivedSeed(seed, trial), directory };
  return probes === 'all' || probes >= users ? planned : { ...planned, probes };
}

/** A seed of 32 bits from another and a number. A trial’s is the same for every cell: frameworks are compared on the same typing. */
export function derivedSeed(seed: number, index: number): number {
  return createHash('sha256').update(`${seed}/${index}`).digest().readUInt32BE();
}

/** The items in an order that the seed decides. @see Durstenfeld 1964, "Algorithm 235: Random permutation" */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = derivedSeed(seed, last) % (last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/**
 * About how long a trial takes, ms. The settle phase ends as soon as all replicas agree, so this is the most that a
 * trial without a fault takes; further servers, stores and readers start in a few seconds, and are not in it.
 */
export function estimateTrialMs({ durations }: Experiment, { users }: Pick<PlannedTrial, 'users'>): number {
  const { warmUpMs, measureMs, profileMs, settleMs } = durations;
  return START_MS + users * START_PER_USER_MS + warmUpMs + measureMs + profileMs + settleMs;
}

/** The same of all trials, with those of the other version. Recordings of crowds are not in it. */
export function estimatePlanMs(experiment: Experiment, plan: readonly PlannedTrial[]): number {
  const versions = experiment.base === null ? 1 : 2;
  return versions * plan.reduce((sum, trial) => sum + estimateTrialMs(experiment, trial), 0);
}

/**
 * The plan as text for `scriptorium plan`: what runs, how long it takes, what there is to carry it.
 *
 * @param fleetLines  the fleet's lines about the experiment
 * @param options.all list every trial in its order, with its seed, instead of the cells
 * @param options.frameworks those of the experiment, for notes on what they lack
 */
export function formatPlan(
  experiment: Experiment,
  plan: readonly PlannedTrial[],
  fleetLines: readonly string[],
  options: { all?: boolean; cores?: number; frameworks?: BackedFrameworks } = {},
): string {
  const { durations } = experiment;
  const { frameworks = new Map() } = options;
  const phases = [
    `warm-up ${formatDuration(durations.warmUpMs)}`,
    `measure ${formatDuration(durations.measureMs)}`,
    `profile ${formatDuration(durations.profileMs)}`,
    `settle ${formatDuration(durations.settleMs)} at most`,
  ];
  const trials = plan.length === 1 ? '1 trial' : `${plan.length} trials`;
  return [
    `${experiment.name}: ${trials} on trace "${experiment.trace}", seed ${experiment.seed}`,
    `each: ${phases.join(', ')}`,
    ...(experiment.base === null ? [] : [`each in turns with the same trial of ${experiment.base}`]),
    ...groupLines(experiment),
    ...companyLines(experiment),
    ...backingLines(experiment),
    ...experiment.faults.map((fault) => `fault ${formatFault(fault)}`),
    '',
    ...(options.all ? trialLines(experiment, plan) : cellLines(experiment, plan)),
    ...(options.all ? [''] : []),
    `in all: ${formatAbout(estimatePlanMs(experiment, plan))} at most`,
    ...fleetLines,
    ...backingNotes(experiment, frameworks),
    ...planWarnings(experiment, plan, options.cores),
  ].join('\n');
}

function trialLines(experiment: Experiment, plan: readonly PlannedTrial[]): string[] {
  const rows = plan.map((trial, index) => [
    `${index + 1}`,
    trial.framework,
    cellMode(trial),
    `${trial.users}`,
    `${trial.trial}`,
    `${trial.seed}`,
    formatAbout(estimateTrialMs(experiment, trial)),
  ]);
  return [alignTable([['order', 'framework', 'mode', 'users', 'trial', 'seed', 'at most about'], ...rows])];
}

/** The user counts of a framework in a mode stand in one line. */
function cellLines({ trials }: Experiment, plan: readonly PlannedTrial[]): string[] {
  const cells = plan.filter(({ trial }) => trial === 1);
  const series = Map.groupBy(cells, (cell) => `${cell.framework} ${cellMode(cell)}`);
  const rows = [...series.values()].map((group) => {
    const [first] = group as [PlannedTrial, ...PlannedTrial[]];
    return [first.framework, cellMode(first), group.map(({ users }) => users).join(', ')];
  });
  const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
  const order = cells.length === 1 ? '' : ': the first of every cell, then the second of every cell, and so on';
  const rounds = trials === 1 ? `${count}, 1 trial of each` : `${count}, ${trials} trials of each${order}`;
  return [alignTable([['framework', 'mode', 'users'], ...rows]), '', `${rounds}; --all lists every trial`];
}

/** Warnings before a run: properties of the experiment that its fleet cannot honour, and users that these cores do not carry. */
export function planWarnings(
  { fleet, resources }: Experiment,
  plan: readonly PlannedTrial[],
  cores = availableParallelism(),
): string[] {
  const { limits: canLimit, isHere } = FLEETS[fleet.on];
  const limits = Object.values(resources).flatMap(({ cpus, memoryMiB }) => [cpus, memoryMiB]);
  const byMode = isHere ? Map.groupBy(plan, ({ mode }) => mode as Mode) : new Map<Mode, PlannedTrial[]>();
  const overloads = [...byMode].flatMap(([mode, trials]) => {
    const most = Math.max(...trials.map(liveUsers));
    const carried = usersCarried(mode, cores);
    const found = `${most} users in ${mode} on ${cores} cores are more than about ${carried}`;
    return most > carried ? [`warning: ${found}, where typing starts to wait for the machine`] : [];
  });
  if (canLimit || limits.every((limit) => limit === null)) return overloads;
  return [`warning: the ${fleet.on} fleet cannot limit CPU or memory, so "resources" has no effect`, ...overloads];
}

/** How many users of a mode so many cores carry, roughly, before typing waits for them. */
export function usersCarried(mode: Mode, cores = availableParallelism()): number {
  return cores * MODES[mode].userCost.usersPerCore;
}

/** The users' distances from the server, by group; empty if all users are at the server. */
function groupLines({ fleet, network, users }: Experiment): string[] {
  const { groups } = network;
  const pages = ({ cpuSlowdown }: NetworkGroup) => (cpuSlowdown === 1 ? '' : `, pages ${cpuSlowdown} times slower`);
  if (groups.length === 1) {
    const [all] = groups as [NetworkGroup];
    const isPlain = addsNothing(all.link) && pages(all) === '';
    return isPlain ? [] : [`network: ${formatLink(all.link)}${pages(all)}`];
  }
  const members = users.map((count) => membersOf(count, groups));
  const rows = groups.map((group, index) => [
    group.name,
    `${Number((100 * group.share).toFixed(1))} %`,
    members.map((counts) => counts[index]).join(', '),
    `${formatDistance(fleet.on, group)}${pages(group)}`,
    group.region ?? '–',
  ]);
  return ['', alignTable([['group', 'share', `of ${users.join(', ')} users`, 'link', 'region'], ...rows])];
}

const NO_LIMITS: Resources = { cpus: null, memoryMiB: null };

/** Users that share one process of the fleet, and so a Chrome, or, without one, a core; see `processPer` of the modes. */
export function usersPerProcess({ fleet }: Experiment, { mode, users }: Pick<PlannedTrial, 'mode' | 'users'>): number {
  const { usersPerProcess: ofFleet, isHere } = FLEETS[fleet.on];
  if (fleet.usersPerBrowser !== null) return fleet.usersPerBrowser;
  return MODES[mode as Mode].processPer === 'core' && isHere ? Math.ceil(users / availableParallelism()) : ofFleet;
}

/** Limits of the server's process and of each process of users in a trial of this mode; null: no limit. */
export function limitsOf(experiment: Experiment, mode: Mode): { server: Resources; users: Resources } {
  const { fleet, resources } = experiment;
  if (!FLEETS[fleet.on].limits) return { server: NO_LIMITS, users: NO_LIMITS };
  const paper = MODES[mode].userLimits;
  const { cpus, memoryMiB } = resources.user;
  // One user a container, as a rule of the experiment file has it.
  return { server: resources.server, users: { cpus: cpus ?? paper.cpus, memoryMiB: memoryMiB ?? paper.memoryMiB } };
}

/** The limits of every mode that the experiment runs, as `environment.json` keeps them; null if there are none. */
export function limitsByMode(experiment: Experiment): Record<string, ReturnType<typeof limitsOf>> | null {
  if (!FLEETS[experiment.fleet.on].limits) return null;
  return Object.fromEntries(experiment.modes.map((mode) => [mode, limitsOf(experiment, mode)]));
}

/** How many of a trial's users are live, the first of them; the others are a crowd. */
export function liveUsers({ users, probes }: Pick<PlannedTrial, 'users' | 'probes'>): number {
  return probes ?? users;
}

/** The processes of those beside a trial's users; readers who are sockets share one. */
export function companyProcesses(experiment: Experiment, planned: Company): number {
  const { agents, clientReaders, socketReaders } = countCompany(planned);
  const users = agents + clientReaders;
  const inNode = users === 0 ? 0 : Math.ceil(users / usersPerProcess(experiment, { mode: 'node', users }));
  return inNode + (socketReaders === 0 ? 0 : 1);
}

/** The processes that a trial launches, with their limits. Somebody else's server is none of them. */
export function needsOf(
  experiment: Experiment,
  planned: Pick<PlannedTrial, 'framework' | 'mode' | 'users' | 'probes'> & Company,
): Need[] {
  const { mode } = planned;
  const limits = limitsOf(experiment, mode as Mode);
  const live = liveUsers(planned);
  const company = companyProcesses(experiment, planned);
  const server = { name: 'server', count: 1, resources: limits.server };
  return [
    ...(takesServerProcess(serverFor(experiment, planned.framework)) ? [server] : []),
    {
      name: 'users',
      count: Math.ceil(live / usersPerProcess(experiment, { mode, users: live })) + company,
      atServer: company === 0 ? undefined : company,
      resources: limits.users,
    },
  ];
}
