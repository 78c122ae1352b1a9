/** A link between a user and the server: when a chunk that enters it leaves it. `delay-line.ts` does the waiting. */
import * as prng from 'lib0/prng';

/** The effect of a link on each chunk, the same in both directions. */
export interface Link {
  oneWayDelayMs: number;
  /** Each chunk's delay lies up to this much above or below `oneWayDelayMs`, every value as likely. */
  jitterMs: number;
  /** In each direction; null: no limit. */
  bandwidthBytesPerSecond: number | null;
}

/** True if chunks pass the link as if it were not there. */
export function addsNothing({ oneWayDelayMs, jitterMs, bandwidthBytesPerSecond }: Link): boolean {
  return oneWayDelayMs === 0 && jitterMs === 0 && bandwidthBytesPerSecond === null;
}

/**
 * One direction of a link. All connections of a user share it.
 *
 * @param seed the same seed draws the same jitter
 * @returns a function that takes a chunk's arrival at the near end (ms; never earlier than the one before) and its
 *          size, and returns when it leaves at the far end, ms. The chunk first waits until the link has sent what came
 *          before, then takes its own time to be sent, then travels. The instants may be out of order by the jitter:
 *          to keep the order of a stream, take the greatest so far.
 */
export function createLane(link: Link, seed: number): (arrivedMs: number, bytes: number) => number {
  const { oneWayDelayMs, jitterMs, bandwidthBytesPerSecond } = link;
  const generator = prng.create(seed);
  let sentMs = Number.NEGATIVE_INFINITY;
  return (arrivedMs, bytes) => {
    const sendingMs = bandwidthBytesPerSecond === null ? 0 : (1000 * bytes) / bandwidthBytesPerSecond;
    sentMs = Math.max(sentMs, arrivedMs) + sendingMs;
    const jitter = jitterMs === 0 ? 0 : jitterMs * (2 * prng.real53(generator) - 1);
    return sentMs + Math.max(0, oneWayDelayMs + jitter);
  };
}
