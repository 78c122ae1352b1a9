/**
 * A link between a user and the server, with its faults: when a chunk that enters it leaves it. `delay-line.ts` does the waiting.
 */
import * as prng from 'lib0/prng';

/** The effect of a link on each chunk, the same in both directions. */
export interface Link {
  oneWayDelayMs: number;
  /** Each chunk's delay lies up to this much above or below `oneWayDelayMs`, every value as likely. */
  jitterMs: number;
  /** In each direction; null: no limit. */
  bandwidthBytesPerSecond: number | null;
}

/** Chunks pass it as if it were not there. */
export const NO_LINK: Link = { oneWayDelayMs: 0, jitterMs: 0, bandwidthBytesPerSecond: null };

/** No chunk takes less time. */
export function leastDelayMs({ oneWayDelayMs, jitterMs }: Link): number {
  return Math.max(0, oneWayDelayMs - jitterMs);
}

/** True of `NO_LINK`, and its like. */
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

export type LineFault =
  /**
   * As a cable that is pulled out somewhere on the way: nothing passes and nobody is told. Connections stay; what was sent,
   * and who wants to connect, waits until the end.
   */
  | { kind: 'cut' }
  /** As a machine that is off the network, and knows it: connections are reset at both ends, and so is every new one. */
  | { kind: 'offline' }
  /** Chunks take this link instead. */
  | { kind: 'slow'; link: Link };

type Lane = ReturnType<typeof createLane>;
type Lanes = { there: Lane; back: Lane };

export class LineState {
  readonly #seed: number;
  readonly #own: Lanes;
  readonly #faults = new Set<LineFault>();
  readonly #slow: { fault: LineFault; lanes: Lanes }[] = [];
  /** Actions that wait until the line is whole, in order. */
  #waiting: (() => void)[] = [];

  /** @param seed where the jitter comes from */
  constructor(link: Link, seed: number) {
    this.#seed = seed;
    this.#own = this.#lanesOf(link);
  }

  /** @returns ends the fault */
  begin(fault: LineFault): () => void {
    this.#faults.add(fault);
    if (fault.kind === 'slow') this.#slow.push({ fault, lanes: this.#lanesOf(fault.link) });
    return () => {
      this.#faults.delete(fault);
      this.#slow.splice(0, this.#slow.length, ...this.#slow.filter((each) => each.fault !== fault));
      if (this.isCut) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const go of waiting) go();
    };
  }

  get isOff(): boolean {
    return this.#is('offline');
  }

  get isCut(): boolean {
    return this.#is('cut');
  }

  /** Does it now, or, while the line is cut, as soon as it is whole, after what came before. */
  whenWhole(go: () => void): void {
    if (this.isCut) this.#waiting.push(go);
    else go();
  }

  /** When a chunk that enters the line now leaves it; as a lane says, see `createLane`. */
  leavesMs(direction: keyof Lanes, nowMs: number, bytes: number): number {
    const { lanes } = this.#slow.at(-1) ?? { lanes: this.#own };
    return lanes[direction](nowMs, bytes);
  }

  #is(kind: LineFault['kind']): boolean {
    return this.#faults.size > 0 && [...this.#faults].some((fault) => fault.kind === kind);
  }

  #lanesOf(link: Link): Lanes {
    return { there: createLane(link, 2 * this.#seed + 1), back: createLane(link, 2 * this.#seed + 2) };
  }
}
