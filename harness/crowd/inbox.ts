/** Messages that have arrived at a simulated user and wait for its next key. */
import type { Batching } from '../../editors/base/framework.ts';

interface Arrived {
  atMs: number;
  deliver: () => void;
}

export type Inbox = ReturnType<typeof createInbox>;

/**
 * Messages that have arrived at a user without a screen. Received messages matter only when this user types next. Its client
 * then gets in one go exactly those that its receive batches would have brought by then. Each edit so meets the same
 * document; only the states in between, which nobody sees, are left out.
 */
export function createInbox({ receiveMs, receivePhaseMs }: Batching) {
  const arrived: Arrived[] = [];
  const deliver = (count: number) => {
    for (const message of arrived.splice(0, count)) message.deliver();
    return count > 0;
  };
  const countUntil = (limitMs: number) => {
    const after = arrived.findIndex(({ atMs }) => atMs >= limitMs);
    return after === -1 ? arrived.length : after;
  };
  return {
    /** In order of arrival. */
    add: (atMs: number, deliver: () => void) => void arrived.push({ atMs, deliver }),
    /** Delivers what would have been applied by then. @returns whether there was anything */
    deliverBy(nowMs: number): boolean {
      if (receiveMs === 0) return deliver(countUntil(nowMs));
      if (receivePhaseMs !== undefined) return deliver(countUntil(lastTick(nowMs, receiveMs, receivePhaseMs)));
      let count = 0;
      while (count < arrived.length && arrived[count]!.atMs + receiveMs <= nowMs) {
        count = countUntil(arrived[count]!.atMs + receiveMs);
      }
      return deliver(count);
    },
  };
}

/** The last of the ticks up to now: `phaseMs` and whole periods more, as in `createBatcher`. */
function lastTick(nowMs: number, periodMs: number, phaseMs: number): number {
  return Math.floor((nowMs - phaseMs) / periodMs) * periodMs + phaseMs;
}
