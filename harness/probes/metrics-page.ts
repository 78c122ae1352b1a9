/**
 * The text by which a server tells Prometheus of itself: series by their names, and how late its event loop was.
 *
 * @see Prometheus’ text exposition format 0.0.4
 */
import { addLateness, createDelayGroups, type GroupedDelays, LOOP_STEP_MS } from './this-process.ts';

/** Name, labels, value. A label's value stands in quotes, and may hold what ends the labels. */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?\s+(\S+)/;
const TYPE = /^#\s+TYPE\s+(\S+)\s+(\w+)/;
/** Series of a histogram or a summary that only grow, and those of OpenMetrics' counters: the type stands at the name before. */
const GROWING_END = /_(?:total|sum|count)$/;
const GROWING_TYPES = ['counter', 'histogram', 'summary'];
/** A series by the very name that has the type; a histogram or a summary has several by other names. */
const SINGLE_TYPES = ['counter', 'gauge'];
const BUCKET_END = '_bucket';
/** A longer line is none of a server's own, and may be longer than an expression can follow. */
const LONGEST_LINE = 100_000;

export class MetricsPage {
  readonly #samples = new Map<string, number[]>();
  readonly #types = new Map<string, string>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      if (line.length > LONGEST_LINE) continue;
      const [, typed, type] = TYPE.exec(line) ?? [];
      if (typed !== undefined) this.#types.set(typed, type!);
      const [, name, value] = SAMPLE.exec(line) ?? [];
      if (name === undefined || !Number.isFinite(Number(value)) || !this.#addsUp(name)) continue;
      const values = this.#samples.get(name);
      if (values === undefined) this.#samples.set(name, [Number(value)]);
      else values.push(Number(value));
    }
  }

  /** Of all series that add up, those too that have no sample yet. OpenMetrics gives the type of `NAME_total` as that of `NAME`. */
  get names(): string[] {
    const isWaiting = (name: string, type: string) =>
      SINGLE_TYPES.includes(type) && !this.#samples.has(`${name}_total`);
    const waiting = [...this.#types].flatMap(([name, type]) => (isWaiting(name, type) ? [name] : []));
    return [...new Set([...this.#samples.keys(), ...waiting])];
  }

  /** The sum of a series over its labels; null if it is not there, or does not add up. */
  sumOf(name: string): number | null {
    const sum = this.#samples.get(name)?.reduce((before, value) => before + value, 0) ?? Number.NaN;
    return Number.isFinite(sum) ? sum : null;
  }

  /** The value of a series without labels, or with one set of them; null if it is not there, or has several. */
  onlyValueOf(name: string): number | null {
    const values = this.#samples.get(name) ?? [];
    return values.length === 1 ? values[0]! : null;
  }

  isCounter(name: string): boolean {
    const type = this.#types.get(name);
    if (type !== undefined) return type === 'counter';
    return GROWING_END.test(name) && GROWING_TYPES.includes(this.#types.get(name.replace(GROWING_END, '')) ?? '');
  }

  /** False of a summary’s quantiles, and of a histogram’s buckets, each of which holds those before it. Types stand before samples. */
  #addsUp(name: string): boolean {
    if (this.#types.get(name) === 'summary') return false;
    return !name.endsWith(BUCKET_END) || this.#types.get(name.slice(0, -BUCKET_END.length)) !== 'histogram';
  }
}

/** As prom-client names them, of the intervals of a timer since the page was last read: the share of them that were no longer. */
const LAG_SHARES = [
  { share: 0, part: 'min' },
  { share: 0.5, part: 'p50' },
  { share: 0.9, part: 'p90' },
  { share: 0.99, part: 'p99' },
  { share: 1, part: 'max' },
] as const;
/** No timer of Node's comes more often, ms. */
const SHORTEST_PERIOD_MS = 1;
/** No interval is longer than the time since the last reading, but one page may have come sooner than the other. */
const MOST_OF_TIME = 2;

/**
 * The delays of an event loop between two readings, by the quantiles and the mean that a page tells. An interval holds the timer's own
 * period, which is told nowhere: it is the least median that was seen, as servers rest before users join.
 *
 * @see https://github.com/prometheus/client_js/pull/459 and https://github.com/nodejs/node/issues/34661
 * @returns takes a page and how long ago the last one was read; gives null if the page does not tell, tells of several processes, or
 *          tells what cannot be of that time
 */
export function createLagReader(): (page: MetricsPage, sinceMs: number) => GroupedDelays | null {
  let ownMs = Number.POSITIVE_INFINITY;
  return (page, sinceMs) => {
    const msOf = (part: string) => 1000 * (page.onlyValueOf(`nodejs_eventloop_lag_${part}_seconds`) ?? Number.NaN);
    const quantiles = LAG_SHARES.map(({ share, part }) => ({ share, ms: msOf(part) }));
    const meanMs = msOf('mean');
    const mayBe = (ms: number) => ms >= 0 && ms <= MOST_OF_TIME * sinceMs;
    if (![meanMs, ...quantiles.map(({ ms }) => ms)].every(mayBe)) return null;
    ownMs = Math.min(ownMs, msOf('p50'));
    const periodMs = Math.max(SHORTEST_PERIOD_MS, ownMs);
    const count = Math.round(sinceMs / Math.max(periodMs, meanMs));
    const groups = createDelayGroups(LOOP_STEP_MS);
    for (const intervalMs of intervalsBetween(quantiles, { count, meanMs })) {
      addLateness(groups, Math.max(0, intervalMs - ownMs), periodMs);
    }
    return groups.take();
  };
}

/**
 * The lengths of intervals, ascending. Those between two quantiles are at least as long as the lower one and at most as the upper; all
 * lie at the same share of that way, by which their sum is that of the mean. So one long interval among short ones stays alone.
 *
 * @param quantiles from the share 0 to 1, of HdrHistogram: the value of the rank ⌊share · count + ½⌋
 */
function intervalsBetween(
  quantiles: readonly { share: number; ms: number }[],
  { count, meanMs }: { count: number; meanMs: number },
): number[] {
  const known = quantiles.map(({ share, ms }) => ({ rank: Math.floor(share * count + 0.5), ms }));
  const longest = known.at(-1)!;
  // The count is a guess: a quantile that is the longest interval must not become a second one, nor stand in its place.
  const knots = known.filter((knot) => knot === longest || (knot.rank < count && knot.ms < longest.ms));
  const bounds = Array.from({ length: count }, (_, index) => {
    const upper = knots.findIndex(({ rank }) => rank > index);
    const to = knots[upper]!;
    const from = to.rank === index + 1 ? to : (knots[upper - 1] ?? to);
    return { leastMs: from.ms, spareMs: to.ms - from.ms };
  });
  const leastMs = bounds.reduce((sum, bound) => sum + bound.leastMs, 0);
  const spareMs = bounds.reduce((sum, bound) => sum + bound.spareMs, 0);
  const way = spareMs > 0 ? Math.min(1, Math.max(0, (count * meanMs - leastMs) / spareMs)) : 0;
  return bounds.map((bound) => bound.leastMs + way * bound.spareMs);
}
