/** Faults that are asked for: when they are over, and whom they can befall. */
import { formatDuration } from '../duration.ts';
import { membersOf } from '../groups.ts';
import type { Problem, Rule } from './rule.ts';

/** So long, at least, are users to type on once a fault is over: that is when it shows how they come back. */
const TYPING_AFTER_MS = 5000;

const faultsEndWhileUsersType: Rule = {
  reads: ['faults', 'durations'],
  check: ({ faults, durations: { warmUpMs, measureMs } }) =>
    faults.flatMap(({ atMs, forMs }, index): Problem[] => {
      const latestMs = warmUpMs + measureMs - TYPING_AFTER_MS;
      if (atMs + forMs <= latestMs) return [];
      const text =
        `it would be over ${formatDuration(atMs + forMs)} after typing began; users type for ` +
        `${formatDuration(warmUpMs + measureMs)} until the measured window ends, and it must be over ` +
        `${formatDuration(TYPING_AFTER_MS)} before, by ${formatDuration(Math.max(0, latestMs))}`;
      return [{ paths: [['faults', index, 'at'], ['durations']], text }];
    }),
};

const restartsComeOneByOne: Rule = {
  reads: ['faults'],
  check({ faults }) {
    const restarts = faults
      .map((fault, index) => ({ ...fault, index }))
      .filter(({ kind }) => kind === 'server-restart');
    restarts.sort((a, b) => a.atMs - b.atMs);
    return restarts.flatMap(({ atMs, index }, place) => {
      const before = restarts[place - 1];
      if (before === undefined || atMs >= before.atMs + before.forMs) return [];
      const back = formatDuration(before.atMs + before.forMs);
      const text = `the server is still down then, until ${back}; write a later time`;
      return [{ paths: [['faults', index, 'at']], text }];
    });
  },
};

const groupsAreThere: Rule = {
  reads: ['faults', 'network.groups', 'users'],
  check: ({ faults, network: { groups }, users }) =>
    faults.flatMap((fault, index): Problem[] => {
      const group = 'group' in fault ? fault.group : null;
      if (group === null) return [];
      const paths = [['faults', index, 'group']];
      const place = groups.findIndex(({ name }) => name === group);
      if (place === -1) {
        const names = groups.map(({ name }) => `"${name}"`).join(', ');
        return [
          { paths, text: `no group of the network is named "${group}"; write one of ${names}, or null for everyone` },
        ];
      }
      const fewest = Math.min(...users);
      if (membersOf(fewest, groups)[place]! > 0) return [];
      return [{ paths, text: `none of the ${fewest} users of the smallest cell is in the group "${group}"` }];
    }),
};

const usersType: Rule = {
  reads: ['faults', 'users', 'probes', 'writers'],
  check({ faults, users, probes, writers }) {
    const fewest = Math.min(...users, ...[probes, writers].filter((count) => typeof count === 'number'));
    return faults.flatMap((fault, index): Problem[] => {
      if (fault.kind !== 'offline' || fault.users <= fewest) return [];
      const text = `${fault.users} users are more than the ${fewest} of the smallest cell who are live and type; write ${fewest} at most`;
      return [{ paths: [['faults', index, 'users'], ['users']], text }];
    });
  },
};

export const FAULT_RULES: readonly Rule[] = [faultsEndWhileUsersType, restartsComeOneByOne, groupsAreThere, usersType];
