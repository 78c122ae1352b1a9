/** How long documents must stay equal after typing, and how long that takes at least. */
import type { Experiment } from './experiment.ts';
import { groupsOf, type NetworkGroup } from './network.ts';

/** Period of asking all users, each of whom makes digests for an answer. */
export const STATE_PERIOD_MS = 250;

/** A page that is busy for so long would not answer when asked. */
const LEAST_REST_MS = 1000;

type Batching = Experiment['batching'];

/** Longest way of a message, ms, over the link or the real distance. */
export function farMs({ link: { oneWayDelayMs, jitterMs } }: Pick<NetworkGroup, 'link'>): number {
  return oneWayDelayMs + jitterMs;
}

/** True if users of a cell gather what they send, in a mode where that applies. */
export function gathersSent({ sendFromUsers }: Pick<Batching, 'sendFromUsers'>, users: number): boolean {
  return sendFromUsers === 'always' || (sendFromUsers !== 'never' && users >= sendFromUsers);
}

/**
 * How long all documents must stay equal and unchanged to count as settled, ms. Otherwise a user's last message could still be
 * under way while the others already agree without it. A played crowd's last messages were read by the server, and are on
 * their way to the probes.
 */
export function restMs(of: { farthestMs: number; isPlayed: boolean; batching: Pick<Batching, 'receiveMs'> }): number {
  const { farthestMs, isPlayed, batching } = of;
  return (isPlayed ? LEAST_REST_MS + farthestMs : 2 * farthestMs) + batching.receiveMs;
}

/**
 * The least time in which a cell of so many users can be seen to settle, ms, if the framework itself takes none: the last
 * message is gathered, sent and shown, and documents rest. Either end is seen a period later at most.
 */
export function leastSettleMs(
  { batching, network: { groups } }: Pick<Experiment, 'batching' | 'network'>,
  { users, isPlayed, gathers }: { users: number; isPlayed: boolean; gathers: boolean },
): number {
  const farthestMs = Math.max(...groupsOf(users, groups).map(farMs));
  const sentMs = gathers && gathersSent(batching, users) ? batching.sendMs : 0;
  const arrivedMs = sentMs + 2 * farthestMs + batching.receiveMs;
  return arrivedMs + restMs({ farthestMs, isPlayed, batching }) + 2 * STATE_PERIOD_MS;
}
