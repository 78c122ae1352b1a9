/** The limit of a trial in which a criterion stopped holding: which resource was used up first, and how that shows. */
import { SERVER_LOOP_DELAY, USER_NETWORK } from '../figures/catalogue.ts';
import { LATE_SERVER_MS, USED_UP } from '../figures/criterion.ts';
import { figureOf } from '../figures/figure.ts';
import { formatFigure } from '../figures/figure-text.ts';
import type { Cell } from '../scenarios/cell.ts';
import { OWNERS, type ProfileShares } from '../trial/profile-shares.ts';
import { TELLS_OF_SERVER } from '../verdict/attached-checks.ts';

type LimitName =
  | 'the machine'
  | 'the measurement'
  | 'server CPU'
  | 'user CPU'
  | 'network'
  | 'memory'
  | 'convergence'
  | 'the framework'
  | 'the server or the way';

export interface Limit {
  what: LimitName;
  /** Of the resource, 1 = all of it; null if there is no measure of it. */
  used: number | null;
  /** Whole clauses. */
  evidence: string[];
}

/** A trial at which the criterion did not hold, or of which that is not known. */
export interface LimitedTrial {
  outcome: 'missed' | 'unknown';
  why: readonly string[];
  /** True: nothing spoilt it, and yet a figure of the criterion is not known. */
  lacksFigure?: boolean;
  /** Of this trial alone, with its figures whatever its verdict; null what is not known. */
  cell: Cell;
  /** Of the threads of users that were profiled. */
  userProfiles: readonly ProfileShares[];
  /** True if somebody else runs the server. */
  isAttached: boolean;
  /** True if users share such a thread: a busy one is then the machine's limit, and no user's. */
  sharesThreads: boolean;
  /** The users whose CPU and memory `cell` has: all, or the probes. */
  liveUsers: number;
  machine: { cores: number | null; memoryMiB: number | null };
  /** The narrowest link of any user, bytes per second each way; null: no limit. */
  bandwidthBytesPerSecond: number | null;
}

/**
 * The limits of a trial, the most used up first, and last the framework's failure, if there is one. The machine comes
 * first if it or the harness spoilt the trial, and the measurement if it lacks a figure; the framework is never blamed for that.
 */
export function gaveOut(trial: LimitedTrial): Limit[] {
  const used = [serverCpu(trial), userCpu(trial), network(trial), memory(trial)]
    .filter((limit) => limit !== null)
    .filter((limit) => limit.used! >= USED_UP)
    .sort((a, b) => b.used! - a.used!);
  if (trial.outcome === 'unknown') return [trial.lacksFigure ? measurement(trial) : machine(trial), ...used];
  const failure = failureOf(trial);
  if (failure !== null) return [...used, failure];
  return used.length > 0 ? used : elsewhere(trial);
}

/** Users here had time to spare, and nobody tells what the server took: somebody else runs it. */
function elsewhere({ cell, isAttached }: LimitedTrial): Limit[] {
  const { userCpuPercent = null, serverCpuPercent = null } = cell.figures;
  const isServerSeen = serverCpuPercent !== null || figureOf(cell, SERVER_LOOP_DELAY) !== null;
  if (!isAttached || userCpuPercent === null || isServerSeen) return [];
  const evidence = `a user took ${formatFigure(userCpuPercent)} % of a core, and nothing is known of the server → ${TELLS_OF_SERVER}`;
  return [{ what: 'the server or the way', used: null, evidence: [evidence] }];
}

/** A server has a core at most: of several, the busiest counts, whose share of their CPU is known. */
function serverCpu({ cell }: LimitedTrial): Limit {
  const {
    serverCpuPercent = null,
    busiestServerCpuPercent: busiestShare = null,
    serverWaitPercent = null,
  } = cell.figures;
  const isOne = serverCpuPercent === null || busiestShare === null;
  const ofBusiest = (percent: number | null) => (percent === null || isOne ? percent : (percent * busiestShare) / 100);
  const percent = ofBusiest(serverCpuPercent);
  const delayMs = figureOf(cell, SERVER_LOOP_DELAY);
  const isLate = delayMs !== null && delayMs >= LATE_SERVER_MS;
  return {
    what: 'server CPU',
    used: Math.max((percent ?? 0) / 100, isLate ? 1 : 0),
    evidence: [
      ...ifKnown(percent, (text) => `the ${isOne ? '' : 'busiest '}server took ${text} % of a core`),
      ...ifKnown(ofBusiest(serverWaitPercent), (percent) => `waited for another ${percent} % that others had`),
      ...ifKnown(delayMs, (ms) => {
        return `${percent === null ? 'the server’s' : 'its'} event loop came up to ${ms} ms late (99th percentile)`;
      }),
    ],
  };
}

function userCpu({ cell, userProfiles, sharesThreads }: LimitedTrial): Limit {
  const { userCpuPercent = null, worstUserLongTaskPercent = null } = cell.figures;
  const busiest = sharesThreads ? [] : busiestOf(userProfiles);
  return {
    what: 'user CPU',
    used: Math.max(userCpuPercent ?? 0, ...busiest.map(({ busyPercent }) => busyPercent)) / 100,
    evidence: [
      ...ifKnown(userCpuPercent, (text) => `a user took ${text} % of a core`),
      ...busiest.map(describeProfile),
      ...ifKnown(
        worstUserLongTaskPercent,
        (percent) => `the busiest page spent ${percent} % of its time in tasks of 50 ms or longer`,
      ),
    ],
  };
}

/** A clause on a figure; none if it is not known. */
function ifKnown(figure: number | null, clause: (text: string) => string): string[] {
  return figure === null ? [] : [clause(formatFigure(figure))];
}

/** One, or none of no profiles. */
function busiestOf(profiles: readonly ProfileShares[]): ProfileShares[] {
  return profiles.toSorted((a, b) => b.busyPercent - a.busyPercent).slice(0, 1);
}

/** `its main thread was busy for 96 % of the profile: framework 61 %, editor 20 %, …`. */
function describeProfile({ busyPercent, percentOf }: ProfileShares): string {
  const parts = OWNERS.toSorted((a, b) => percentOf[b] - percentOf[a]).map(
    (owner) => `${owner} ${percentOf[owner].toFixed(0)} %`,
  );
  return `its main thread was busy for ${busyPercent.toFixed(0)} % of the profile: ${parts.join(', ')}`;
}

function network({ cell, bandwidthBytesPerSecond }: LimitedTrial): Limit | null {
  if (bandwidthBytesPerSecond === null) return null;
  const most = Math.max(...USER_NETWORK.map((figure) => figureOf(cell, figure) ?? 0));
  const limit = formatFigure(bandwidthBytesPerSecond / 1024);
  return {
    what: 'network',
    used: (most * 1024) / bandwidthBytesPerSecond,
    evidence: [`${formatFigure(most)} KiB/s passed a user's link of ${limit} KiB/s`],
  };
}

function memory({ cell, liveUsers, machine: { memoryMiB } }: LimitedTrial): Limit | null {
  const { userMemoryMiB = null, serverMemoryMiB = null } = cell.figures;
  if (memoryMiB === null || userMemoryMiB === null) return null;
  const takenMiB = liveUsers * userMemoryMiB + (serverMemoryMiB ?? 0);
  return {
    what: 'memory',
    used: takenMiB / memoryMiB,
    evidence: [`users and server held ${takenMiB.toFixed(0)} of the machine's ${memoryMiB.toFixed(0)} MiB`],
  };
}

function machine({ why, cell, liveUsers, machine: { cores }, sharesThreads, userProfiles }: LimitedTrial): Limit {
  const {
    machineCpuPercent = null,
    userCpuPercent = null,
    serverCpuPercent = null,
    driverCpuPercent = null,
  } = cell.figures;
  const ofCores = cores === null ? '' : ` of ${cores} cores`;
  const users = userCpuPercent === null ? null : userCpuPercent * liveUsers;
  const takers = Object.entries({ users, server: serverCpuPercent, driver: driverCpuPercent }).flatMap(
    ([name, percent]) => ifKnown(percent, (text) => `${name} ${text} %`),
  );
  return {
    what: 'the machine',
    used: machineCpuPercent === null ? null : machineCpuPercent / 100,
    evidence: [
      ...why,
      ...ifKnown(machineCpuPercent, (percent) => `${percent} %${ofCores} were busy`),
      ...(takers.length === 0 ? [] : [`of a core, ${takers.join(', ')}`]),
      ...(sharesThreads ? busiestOf(userProfiles) : []).map((own) => `of a process of users, ${describeProfile(own)}`),
    ],
  };
}

/** The machine had no part in it: users typed too little for the figure, or nobody measures it in such a trial. */
function measurement({ why }: LimitedTrial): Limit {
  return { what: 'the measurement', used: null, evidence: [...why] };
}

/** A cell with valid trials only has missed a bound, which is a symptom; the framework failed in nothing. */
function failureOf({ why, cell }: LimitedTrial): Limit | null {
  if (cell.converged === false) return { what: 'convergence', used: null, evidence: [...why] };
  return cell.failedTrials > 0 ? { what: 'the framework', used: null, evidence: [...why] } : null;
}
