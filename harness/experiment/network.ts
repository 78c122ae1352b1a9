/** The experiment's network: a delay for everyone, or groups of users at different distances, and each user's group. */
import * as z from 'zod';
import { FLEETS, type FleetName } from '../../infra/fleets.ts';
import { addsNothing, type Link } from '../../infra/network/link.ts';
import {
  bandwidth,
  block,
  duration,
  list,
  numberAbove,
  orNull,
  property,
  reshaped,
  type ValueOf,
  wholeNumber,
  word,
} from './property.ts';
import { formatBandwidth, formatDuration } from './units.ts';

/** A link between some users and the server, added to the network that is there. */
export const link = block({
  oneWayDelay: property(duration({ zero: true }), {
    description: 'Delay added between each of these users and the server, each way.',
  }),
  jitter: property(duration({ zero: true }), {
    description: 'Each message is delayed by up to this much more or less; the order stays.',
    default: '0ms',
  }),
  bandwidth: property(orNull(bandwidth()), {
    description: 'Bandwidth of each of these users, each way; null: no limit.',
    default: null,
  }),
});

const groupName = property(word('a name for the group'), { description: 'For messages and the plan.' });
const groupShare = property(numberAbove(0), { description: 'The group’s share of the users; all shares add up to 1.' });
const groupRegion = property(orNull(word('the name of a place, or null')), {
  description:
    'Region of these users on a fleet with several; the real distance then replaces delay and jitter. null: the server’s region.',
  default: null,
});

/** Chrome's own tools offer up to 20 for the slowest phones. */
const MOST_SLOWDOWN = 20;

const groupSlowdown = property(wholeNumber(1, MOST_SLOWDOWN), {
  description:
    'By how much the pages of these users are slowed down, as on a phone: 4 gives a key’s handlers four times as long. 1: not at all.',
  default: 1,
});

const groupAsWritten = block(
  { name: groupName, share: groupShare, ...link.properties, region: groupRegion, cpuSlowdown: groupSlowdown },
  'a block of properties such as { name: near, share: 1, oneWayDelay: 30ms }',
);

const group = property(
  reshaped(groupAsWritten, {
    resolved: z.object({
      name: groupName.resolved,
      share: groupShare.resolved,
      link: link.resolved,
      region: groupRegion.resolved,
      cpuSlowdown: groupSlowdown.resolved,
    }),
    reshape: ({ name, share, region, cpuSlowdown, ...link }) => ({ name, share, link, region, cpuSlowdown }),
  }),
  { description: 'Users at the same distance from the server, with pages of one speed.' },
);
export type NetworkGroup = ValueOf<typeof group>;

const networkAsWritten = block({
  oneWayDelay: property(duration({ zero: true }), {
    description: 'Delay added between each user and the server, each way, if there are no groups.',
    default: '0ms',
    flag: { form: '--delay <time>', help: 'network delay, each way', example: '30ms' },
  }),
  groups: property(list(group, { empty: true }), {
    description: 'Groups of users at different distances; each gets its share of the users.',
    default: [],
  }),
});

/** Without groups, everyone is in one. */
export const network = property(
  reshaped(networkAsWritten, {
    resolved: z.object({ groups: list(group).resolved }),
    reshape({ oneWayDelayMs, groups }, refuse) {
      const all = { oneWayDelayMs, jitterMs: 0, bandwidthBytesPerSecond: null };
      if (groups.length === 0) return { groups: [{ name: 'all', share: 1, link: all, region: null, cpuSlowdown: 1 }] };
      if (oneWayDelayMs > 0) {
        const seen = `${formatDuration(oneWayDelayMs)} is a delay for everyone, but there are groups`;
        refuse('oneWayDelay', `${seen}; write the delay in each group`);
      }
      return { groups };
    },
  }),
  { description: 'Delays and limits added to the network between users and server.', default: {} },
);

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
