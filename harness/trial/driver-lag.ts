/** How late the drivers, the processes that type, were by themselves: the worst of them, as a trial's records have it. */
import { hasEnoughSamples, quantile } from '../../analysis/statistics/quantile.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import type { Interval } from './clock-bound.ts';
import { ofType } from './history.ts';

/** The lines of one user's record. */
export type UserLines = [user: string, lines: readonly RecordLine[]];

/** What is late once in a while limits nobody's typing. */
const LAG_QUANTILE = 0.95;

export interface DriverLag {
  /** The users that it types for. */
  users: string[];
  /** Its own part of the lag, ms, at the 95th percentile of their edits. */
  lateMs: number;
}

/**
 * The users of one host share a driver, and one that is too slow must not go unseen among many that are not. Where no
 * host has enough edits for a percentile, all hosts are taken together.
 *
 * @param users  in the order of their numbers
 * @param window of the coordinator's clock: only edits that fell due in it count
 * @returns null where there are none
 */
export function worstDriver(users: readonly UserLines[], window: Interval): DriverLag | null {
  const hosts = hostsOf(users).map((host) => lagsOf(host, window));
  const telling = hosts.filter(({ lagsMs }) => hasEnoughSamples(lagsMs.length, LAG_QUANTILE));
  const late = (telling.length > 0 ? telling : [lagsOf(users, window)])
    .filter(({ lagsMs }) => lagsMs.length > 0)
    .map(({ names, lagsMs }) => ({
      users: names,
      lateMs: quantile(
        lagsMs.toSorted((a, b) => a - b),
        LAG_QUANTILE,
      ),
    }))
    .sort((a, b) => b.lateMs - a.lateMs);
  return late.at(0) ?? null;
}

/** What each driver costs stands in the record of its first user; the users that follow have the same one. */
function hostsOf(users: readonly UserLines[]): UserLines[][] {
  const hosts: UserLines[][] = [];
  for (const user of users) {
    const isFirst = ofType(user[1], 'resources').some(({ of }) => of === 'driver');
    const host = isFirst ? undefined : hosts.at(-1);
    if (host === undefined) hosts.push([user]);
    else host.push(user);
  }
  return hosts;
}

function lagsOf(users: readonly UserLines[], window: Interval): { names: string[]; lagsMs: number[] } {
  return { names: users.map(([name]) => name), lagsMs: users.flatMap(([, lines]) => driverLagsMs(lines, window)) };
}

function driverLagsMs(lines: readonly RecordLine[], { fromMs, toMs }: Interval): number[] {
  // Lines stand for whole seconds: the latest offset to the coordinator's clock is exact enough.
  const offsetMs = ofType(lines, 'clock').at(-1)?.offsetMs ?? 0;
  return ofType(lines, 'typing')
    .filter(({ atMs }) => atMs + offsetMs >= fromMs && atMs + offsetMs < toMs)
    .flatMap(({ driverLagMs }) => driverLagMs);
}
