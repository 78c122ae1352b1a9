/** Network groups: the users at each distance from the server. */

import { FLEETS, type FleetName } from '../../infra/fleets.ts';
import { addsNothing, type Link } from '../../infra/network/link.ts';
import { formatBandwidth } from './bandwidth.ts';
import { formatDuration } from './duration.ts';
import type { NetworkGroup } from './network.ts';

/**
 * The group of each user, by number. Each group gets its share of the users, rounded so that the sum is right (by
 * largest remainder), and groups alternate as evenly as they can: any run of consecutive users is spread over them like
 * all users are. So writers, who are the first users, come from every group.
 *
 * @param groups at least one; their shares are taken relative to their sum
 */
export function groupsOf<Group extends { share: number }>(users: number, groups: readonly Group[]): Group[] {
  const counts = membersOf(users, groups);
  const given = groups.map(() => 0);
  return Array.from({ length: users }, (_, user) => {
    // How many users a group lacks of its part of those up to this one, times all users: whole numbers have no ties by rounding.
    const shortfall = counts.map((count, group) => count * (user + 1) - given[group]! * users);
    const next = shortfall.indexOf(Math.max(...shortfall));
    given[next]!++;
    return groups[next]!;
  });
}

/** The group of one user, as `groupsOf` spreads that number of users. */
export function groupOf<Group extends { share: number }>(user: number, users: number, groups: readonly Group[]): Group {
  const group = groupsOf(users, groups)[user];
  if (group === undefined) throw new RangeError(`there is no user ${user} among ${users} in ${groups.length} groups`);
  return group;
}

/** The region of each user, by number; those whose group names none are in the server's. */
export function regionsOfUsers(users: number, groups: readonly NetworkGroup[], serverRegion: string): string[] {
  return groupsOf(users, groups).map(({ region }) => region ?? serverRegion);
}

/** How many of the users each group gets, in the groups' order. */
export function membersOf(users: number, groups: readonly { share: number }[]): number[] {
  const sum = groups.reduce((total, { share }) => total + share, 0);
  const exact = groups.map(({ share }) => (users * share) / sum);
  const counts = exact.map((each) => Math.floor(each + ROUNDING));
  const byRemainder = exact.map((each, group) => ({ group, remainder: each - counts[group]! }));
  byRemainder.sort((a, b) => b.remainder - a.remainder);
  const left = users - counts.reduce((total, each) => total + each, 0);
  for (const { group } of byRemainder.slice(0, left)) counts[group]!++;
  return counts;
}

/** A third of 3 users must not come out as 0.9999…; far more than the arithmetic errs, far less than any share. */
const ROUNDING = 1e-9;

/**
 * The link that a fleet puts between a group's users and the server. A fleet with several places runs a group in its region.
 * The real distance then replaces the file's delay and jitter; both together would count the distance twice.
 */
export function linkOn(fleet: FleetName, { link, region }: Pick<NetworkGroup, 'link' | 'region'>): Link {
  return isFarBy(fleet, region) ? { ...link, oneWayDelayMs: 0, jitterMs: 0 } : link;
}

function isFarBy(fleet: FleetName, region: string | null): boolean {
  return FLEETS[fleet].regions && region !== null;
}

/** How far a group is from the server on a fleet, for people. */
export function formatDistance(fleet: FleetName, group: Pick<NetworkGroup, 'link' | 'region'>): string {
  if (!isFarBy(fleet, group.region)) return formatLink(group.link);
  const { bandwidthBytesPerSecond } = group.link;
  return `the real distance${bandwidthBytesPerSecond === null ? '' : `, ${formatBandwidth(bandwidthBytesPerSecond)}`}`;
}

/** A link as people read it: `30ms ± 2ms each way, 20Mbit/s`, or `no delay`. */
export function formatLink(link: Link): string {
  const { oneWayDelayMs, jitterMs, bandwidthBytesPerSecond } = link;
  if (addsNothing(link)) return 'no delay';
  const jitter = jitterMs === 0 ? '' : ` ± ${formatDuration(jitterMs)}`;
  const bandwidth = bandwidthBytesPerSecond === null ? '' : `, ${formatBandwidth(bandwidthBytesPerSecond)}`;
  return `${formatDuration(oneWayDelayMs)}${jitter} each way${bandwidth}`;
}
