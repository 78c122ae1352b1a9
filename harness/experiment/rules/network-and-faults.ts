/** Groups of users, the fleet of their processes, and the faults that strike them. */
import { FLEETS } from '../../../infra/fleets.ts';
import type { Experiment } from '../experiment.ts';
import { type AskedFault, isServerFault } from '../faults.ts';
import { membersOf } from '../network.ts';
import { formatDuration } from '../units.ts';
import { fleetsWith, itemRule, rule } from './rule.ts';

/** Shares add up to 1 within this, so that a third may be written as 0.333. */
const SHARE_TOLERANCE = 0.002;
/** How long users type on, at least, once a fault is over: that is when it shows how they come back. */
const TYPING_AFTER_MS = 5000;

/** When a fault is over, at the earliest. @param servers how many there are at most */
function endMs({ kind, atMs, forMs }: AskedFault, servers: readonly number[]): number {
  return atMs + (kind === 'server-roll' ? Math.max(...servers) : 1) * forMs;
}

const groupsOf = ['network.groups', ({ network }: Experiment) => network.groups] as const;
const faultsOf = ['faults', ({ faults }: Experiment) => faults] as const;

export const NETWORK_AND_FAULT_RULES = {
  sharesAddUp: rule(['network.groups'], ({ network: { groups } }) => {
    const sum = groups.reduce((total, { share }) => total + share, 0);
    if (Math.abs(sum - 1) <= SHARE_TOLERANCE) return null;
    return `the shares of the groups add up to ${Number(sum.toFixed(4))}; write shares that add up to 1`;
  }),

  groupsHaveTheirOwnNames: itemRule(
    groupsOf,
    ({ name }, { items, index }) =>
      items.findIndex((group) => group.name === name) === index
        ? null
        : `"${name}" names another group already; write a name of its own`,
    { at: 'name' },
  ),

  nothingArrivesBeforeItIsSent: itemRule(
    groupsOf,
    ({ link: { oneWayDelayMs, jitterMs } }) => {
      if (jitterMs <= oneWayDelayMs) return null;
      const delay = formatDuration(oneWayDelayMs);
      return `${formatDuration(jitterMs)} either way is more than the delay of ${delay}, so messages would arrive before they were sent; write ${delay} or less`;
    },
    { at: 'jitter' },
  ),

  serverHasARegion: rule(['fleet.region', 'fleet.on'], ({ fleet: { on, region } }) => {
    if (!FLEETS[on].regions || region !== null) return null;
    return `the server needs a region on ${on}; write "fleet.region", or give --region, such as us-east-1`;
  }),

  containersHaveOneUser: rule(['fleet.usersPerBrowser', 'fleet'], ({ fleet: { on, usersPerBrowser } }) => {
    if (!FLEETS[on].limits || usersPerBrowser === null || usersPerBrowser === 1) return null;
    return `on ${on} each user has a container of its own, so ${usersPerBrowser} cannot share a browser; leave it out, or write 1`;
  }),

  baseRunsThere: rule(['base', 'fleet.on'], ({ base, fleet: { on } }) => {
    if (base === null || FLEETS[on].isHere) return null;
    return `another version cannot run in turns with this one on ${on}; write "fleet: {on: ${fleetsWith('isHere')}}", or run each by itself and compare the two runs`;
  }),

  faultsEndWhileUsersType: itemRule(
    faultsOf,
    (fault, { experiment: { durations, servers } }) => {
      const typingMs = durations.warmUpMs + durations.measureMs;
      const latestMs = typingMs - TYPING_AFTER_MS;
      const overMs = endMs(fault, servers.counts);
      if (overMs <= latestMs) return null;
      return (
        `it would be over ${formatDuration(overMs)} after typing began; users type for ${formatDuration(typingMs)} ` +
        `until the measured window ends, and it must be over ${formatDuration(TYPING_AFTER_MS)} before, by ` +
        formatDuration(Math.max(0, latestMs))
      );
    },
    { at: 'at', beside: ['durations'], reads: ['faults', 'durations', 'servers'] },
  ),

  serverFaultsComeOneByOne: itemRule(
    faultsOf,
    (fault, { items, experiment: { servers } }) => {
      if (!isServerFault(fault.kind)) return null;
      const others = items.filter(({ kind }) => isServerFault(kind)).sort((a, b) => a.atMs - b.atMs);
      const before = others[others.indexOf(fault) - 1];
      if (before === undefined || fault.atMs >= endMs(before, servers.counts)) return null;
      const lasts = formatDuration(endMs(before, servers.counts));
      return `servers bear one fault at a time, and the one before lasts until ${lasts}; write a later time`;
    },
    { at: 'at', reads: ['faults', 'servers'] },
  ),

  groupsAreThere: itemRule(
    faultsOf,
    (fault, { experiment }) => {
      const group = 'group' in fault ? fault.group : null;
      if (group === null) return null;
      const { groups } = experiment.network;
      const place = groups.findIndex(({ name }) => name === group);
      if (place === -1) {
        const names = groups.map(({ name }) => `"${name}"`).join(', ');
        return `no group of the network is named "${group}"; write one of ${names}, or null for everyone`;
      }
      const fewest = Math.min(...experiment.users);
      if (membersOf(fewest, groups)[place]! > 0) return null;
      return `none of the ${fewest} users of the smallest cell is in the group "${group}"`;
    },
    { at: 'group', reads: ['faults', 'network.groups', 'users'] },
  ),

  usersType: itemRule(
    faultsOf,
    (fault, { experiment: { users, probes, writers } }) => {
      const fewest = Math.min(...users, ...[probes, writers].filter((count) => typeof count === 'number'));
      if (fault.kind !== 'offline' || fault.users <= fewest) return null;
      return `${fault.users} users are more than the ${fewest} of the smallest cell who are live and type; write ${fewest} at most`;
    },
    { at: 'users', beside: ['users'], reads: ['faults', 'users', 'probes', 'writers'] },
  ),
};
