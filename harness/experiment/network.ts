/** The experiment's network: a delay for everyone, or groups of users at different distances. */
import * as z from 'zod';
import { formatDuration } from './duration.ts';
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
  word,
} from './property.ts';

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

const groupAsWritten = block(
  { name: groupName, share: groupShare, ...link.properties, region: groupRegion },
  'a block of properties such as { name: near, share: 1, oneWayDelay: 30ms }',
);

/** groups.ts spreads users over the groups. */
const group = property(
  reshaped(groupAsWritten, {
    resolved: z.object({
      name: groupName.resolved,
      share: groupShare.resolved,
      link: link.resolved,
      region: groupRegion.resolved,
    }),
    reshape: ({ name, share, region, ...link }) => ({ name, share, link, region }),
  }),
  { description: 'Users at the same distance from the server.' },
);
export type NetworkGroup = ValueOf<typeof group>;

const networkAsWritten = block({
  oneWayDelay: property(duration({ zero: true }), {
    description: 'Delay added between each user and the server, each way, if there are no groups.',
    default: '0ms',
    flag: { form: '--delay <time>', example: '30ms' },
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
      if (groups.length === 0) return { groups: [{ name: 'all', share: 1, link: all, region: null }] };
      if (oneWayDelayMs > 0) {
        const seen = `${formatDuration(oneWayDelayMs)} is a delay for everyone, but there are groups`;
        refuse('oneWayDelay', `${seen}; write the delay in each group`);
      }
      return { groups };
    },
  }),
  { description: 'Delays and limits added to the network between users and server.', default: {} },
);
