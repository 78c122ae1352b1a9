/** Clocks: what time it is here, and how far another process's clock is off this one. */
import { setTimeout } from 'node:timers/promises';

/** Milliseconds since the epoch, monotonic within the process, microsecond resolution. The same reading as a page's. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** The other clock = this clock + offsetMs, give or take errorMs. */
export interface ClockOffset {
  offsetMs: number;
  errorMs: number;
}

/** One exchange: this clock when asking, the other's when answering, this clock when the answer arrived. */
export interface ClockExchange {
  sentMs: number;
  otherMs: number;
  receivedMs: number;
}

/**
 * The offset that the quickest of several exchanges shows. The other clock was read somewhere between sending and
 * receiving, so half of the round trip bounds the error whatever the two directions took.
 *
 * @throws RangeError if there is no exchange
 * @see Cristian 1989, "Probabilistic clock synchronization"
 */
export function offsetFrom(exchanges: readonly ClockExchange[]): ClockOffset {
  if (exchanges.length === 0) throw new RangeError('a clock offset needs at least one exchange');
  const quickest = exchanges.reduce((best, each) => (roundTrip(each) < roundTrip(best) ? each : best));
  return {
    offsetMs: quickest.otherMs - (quickest.sentMs + quickest.receivedMs) / 2,
    errorMs: roundTrip(quickest) / 2,
  };
}

/** Exchanges `rounds` times, one after the other, and keeps the quickest. */
export async function measureOffset(exchange: () => Promise<ClockExchange>, rounds: number): Promise<ClockOffset> {
  const exchanges: ClockExchange[] = [];
  for (let round = 0; round < rounds; round++) exchanges.push(await exchange());
  return offsetFrom(exchanges);
}

/** If b = a + first and c = b + second, then c = a + the result. */
export function chainOffsets(first: ClockOffset, second: ClockOffset): ClockOffset {
  return { offsetMs: first.offsetMs + second.offsetMs, errorMs: first.errorMs + second.errorMs };
}

/** If b = a + offset, then a = b + the result. */
export function invertOffset(offset: ClockOffset): ClockOffset {
  return { offsetMs: -offset.offsetMs, errorMs: offset.errorMs };
}

/**
 * An offset that is in use and must not change, with its error as a newer measurement of the same two clocks shows it:
 * the truth lies within the newer one's bound. Only for clocks that do not drift against each other, as two of one machine.
 */
export function checkedBy(kept: ClockOffset, newer: ClockOffset): ClockOffset {
  const differenceMs = Math.abs(newer.offsetMs - kept.offsetMs);
  const atMostMs = differenceMs + newer.errorMs;
  // If both cannot be true, the clock was moved, and what the older bound said is past.
  const moved = differenceMs > kept.errorMs + newer.errorMs;
  return { offsetMs: kept.offsetMs, errorMs: moved ? atMostMs : Math.min(kept.errorMs, atMostMs) };
}

function roundTrip(exchange: ClockExchange): number {
  return exchange.receivedMs - exchange.sentMs;
}

/** Time as the trial sees it, so that its protocol can be tested with a clock that does not run by itself. */
export interface Timer {
  nowMs(): number;
  /** Resolves at that instant, or at once if it is past; rejects with the signal's reason if it aborts. */
  until(instantMs: number, signal?: AbortSignal): Promise<void>;
}

export const realTimer: Timer = {
  nowMs,
  async until(instantMs, signal) {
    signal?.throwIfAborted();
    for (let leftMs = instantMs - nowMs(); leftMs > 0; leftMs = instantMs - nowMs()) {
      // Node's timers fire up to a millisecond early. What is due must not be, and waking twice costs more than waiting.
      await setTimeout(Math.ceil(leftMs) + 1, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  },
};
