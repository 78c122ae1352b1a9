/** The limit of a trial in which a criterion stopped holding: which resource was used up first, and how that shows. */
import { SERVER_LOOP_DELAY, USER_NETWORK } from '../figures/catalogue.ts';
import { LATE_SERVER_MS, USED_UP } from '../figures/criterion.ts';
import { figureOf } from '../figures/figure.ts';
import { formatFigure } from '../figures/figure-text.ts';
import type { Cell } from '../scenarios/cell.ts';
import { OWNERS, type ProfileShares } from '../trial/profile-shares.ts';

type LimitName = 'the machine' | 'server CPU' | 'user CPU' | 'network' | 'memory' | 'convergence' | 'the framework';

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
  /** Of this trial alone, with its figures whatever its verdict; null what is not known. */
  cell: Cell;
  /** Of the threads of users that were profiled. */
  userProfiles: readonly ProfileShares[];
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
 * first if it or the harness spoilt the trial; the framework is never blamed for that.
 */
export function gaveOut(trial: LimitedTrial): Limit[] {
  const used = [serverCpu(trial), userCpu(trial), network(trial), memory(trial)].filter((limit) => limit !== null);
  used.sort((a, b) => b.used! - a.used!);
  if (trial.outcome === 'unknown') return [machine(trial), ...used];
  const failure = failureOf(trial);
  return failure === null ? used : [...used, failure];
}

function serverCpu({ cell }: LimitedTrial): Limit | null {
  const { serverCpuPercent = null, serverWaitPercent = null } = cell.figures;
  const cpu = (serverCpuPercent ?? 0) / 100;
  const delayMs = figureOf(cell, SERVER_LOOP_DELAY);
  const isLate = delayMs !== null && delayMs >= LATE_SERVER_MS;
  if (cpu < USED_UP && !isLate) return null;
  return {
    what: 'server CPU',
    used: Math.max(cpu, isLate ? 1 : 0),
    evidence: [
      `the server took ${formatFigure(serverCpuPercent)} % of a core`,
      ...(serverWaitPercent === null
        ? []
        : [`waited for another ${formatFigure(serverWaitPercent)} % that others had`]),
      ...(delayMs === null ? [] : [`its event loop came up to ${formatFigure(delayMs)} ms late (99th percentile)`]),
    ],
  };
}

function userCpu({ cell, userProfiles, sharesThreads }: LimitedTrial): Limit | null {
  const { userCpuPercent = null, worstUserLongTaskPercent = null } = cell.figures;
  const busiest = sharesThreads ? undefined : busiestOf(userProfiles);
  const used = Math.max((userCpuPercent ?? 0) / 100, (busiest?.busyPercent ?? 0) / 100);
  if (used < USED_UP) return null;
  return {
    what: 'user CPU',
    used,
    evidence: [
      `a user took ${formatFigure(userCpuPercent)} % of a core`,
      ...(busiest === undefined ? [] : [describeProfile(busiest)]),
      ...(worstUserLongTaskPercent === null
        ? []
        : [
            `the busiest page spent ${formatFigure(worstUserLongTaskPercent)} % of its time in tasks of 50 ms or longer`,
          ]),
    ],
  };
}

function busiestOf(profiles: readonly ProfileShares[]): ProfileShares | undefined {
  return profiles.toSorted((a, b) => b.busyPercent - a.busyPercent)[0];
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
  const used = (most * 1024) / bandwidthBytesPerSecond;
  if (used < USED_UP) return null;
  const limit = formatFigure(bandwidthBytesPerSecond / 1024);
  return { what: 'network', used, evidence: [`${formatFigure(most)} KiB/s passed a user's link of ${limit} KiB/s`] };
}

function memory({ cell, liveUsers, machine: { memoryMiB } }: LimitedTrial): Limit | null {
  const { userMemoryMiB = null, serverMemoryMiB = null } = cell.figures;
  if (memoryMiB === null || userMemoryMiB === null) return null;
  const takenMiB = liveUsers * userMemoryMiB + (serverMemoryMiB ?? 0);
  const used = takenMiB / memoryMiB;
  if (used < USED_UP) return null;
  return {
    what: 'memory',
    used,
    evidence: [`users and server held ${takenMiB.toFixed(0)} of the machine's ${memoryMiB.toFixed(0)} MiB`],
  };
}

function machine(trial: LimitedTrial): Limit {
  const {
    why,
    cell,
    liveUsers,
    machine: { cores },
  } = trial;
  const shared = trial.sharesThreads ? busiestOf(trial.userProfiles) : undefined;
  const {
    machineCpuPercent = null,
    userCpuPercent = null,
    serverCpuPercent = null,
    driverCpuPercent = null,
  } = cell.figures;
  const ofCores = cores === null ? '' : ` of ${cores} cores`;
  const users = userCpuPercent === null ? null : userCpuPercent * liveUsers;
  const takers = Object.entries({ users, server: serverCpuPercent, driver: driverCpuPercent }).flatMap(
    ([name, percent]) => (percent === null ? [] : [`${name} ${formatFigure(percent)} %`]),
  );
  return {
    what: 'the machine',
    used: machineCpuPercent === null ? null : machineCpuPercent / 100,
    evidence: [
      ...why,
      ...(machineCpuPercent === null ? [] : [`${formatFigure(machineCpuPercent)} %${ofCores} were busy`]),
      ...(takers.length === 0 ? [] : [`of a core, ${takers.join(', ')}`]),
      ...(shared === undefined ? [] : [`of a process of users, ${describeProfile(shared)}`]),
    ],
  };
}

/** A cell with valid trials only has missed a bound, which is a symptom; the framework failed in nothing. */
function failureOf({ why, cell }: LimitedTrial): Limit | null {
  if (cell.converged === false) return { what: 'convergence', used: null, evidence: [...why] };
  return cell.failedTrials > 0 ? { what: 'the framework', used: null, evidence: [...why] } : null;
}
