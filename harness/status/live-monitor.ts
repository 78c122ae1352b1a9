/**
 * Follows the trial that runs by what its processes report: throughput and the two latencies, of the last seconds and over
 * time. An estimate from what has arrived, unfiltered; the analysis decides.
 */

import { SERIES_FIGURES } from '../../analysis/figures/catalogue.ts';
import { BUCKET_S } from '../../analysis/figures/criterion.ts';
import { seriesPoint } from '../../analysis/figures/pooling.ts';
import { median, percentOf } from '../../analysis/statistics/quantile.ts';
import { type Phase, type RecordLine, TYPING_PHASES } from '../../results/formats/records.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import { type LiveEvent, LiveEvents } from './live-events.ts';

const BUCKET_MS = BUCKET_S * 1000;
/** Quantiles of large trials cost the machine that is measured something: a point is made anew no more often than this. */
const RENEWAL_MS = 5000;
/** How long a bucket keeps its samples after its end, for records that come late. Then only its point stays. */
const CLOSING_MS = 60_000;

/** A trial tells the rest when it has ended. */
const UNKNOWN = Object.fromEntries(
  SERIES_FIGURES.flatMap(({ source }) => ('column' in source ? [[source.column, null]] : [])),
);

export interface LiveFigures {
  throughputPercent: number | null;
  /** Medians, of however few samples. */
  localLatencyMs: number | null;
  endToEndLatencyMs: number | null;
}

interface Samples {
  offered: number;
  performed: number;
  localMs: number[];
  endToEndMs: number[];
  /** The sigils of these. */
  seen: Set<string>;
}

interface Bucket {
  /** Null once the bucket is closed. */
  samples: Samples | null;
  /** The point that was made last, and when; `isStale` once there is more. */
  shown: { point: SeriesPoint; atMs: number } | null;
  isStale: boolean;
}

const OF_PROBES: readonly RecordLine['type'][] = ['typing', 'sigil-shown'];

/** One for each trial. Instants are on the coordinator's clock. */
export class LiveMonitor {
  readonly #events = new LiveEvents();
  readonly #probes: number;
  readonly #buckets: Bucket[] = [];
  readonly #phases: { phase: Phase; atMs: number }[] = [];
  #endMs = Number.POSITIVE_INFINITY;
  #phaseEndsAtMs = Number.NEGATIVE_INFINITY;

  /**
   * @param probes how many users are live and measured, the first of all: throughput and latencies are theirs, as in the analysis.
   *               A crowd's are no measurement: a played one hands in, at the end, what it was to type.
   */
  constructor({ probes }: { probes: number }) {
    this.#probes = probes;
  }

  /** @param user the number of the user whose record the lines are of, null for the server's */
  add(user: number | null, lines: readonly RecordLine[]): void {
    const isOfCrowd = user !== null && user >= this.#probes;
    const counted = isOfCrowd ? lines.filter(({ type }) => !OF_PROBES.includes(type)) : lines;
    for (const event of counted.flatMap((line) => this.#events.take(user, line))) this.#addToBucket(event);
    this.#closeOld();
  }

  /** How many samples are kept; for tests of long sessions. */
  get kept(): number {
    const inBuckets = this.#buckets.map(({ samples }) =>
      samples === null ? 0 : samples.localMs.length + samples.endToEndMs.length,
    );
    return this.#events.kept + inBuckets.reduce((sum, count) => sum + count, 0);
  }

  /** A phase began at `atMs`, and is to end at `endsAtMs`. Typing starts with warm-up and ends with settle. */
  begin(phase: Phase, atMs: number, endsAtMs: number | null): void {
    if (TYPING_PHASES.includes(phase)) {
      this.#phases.push({ phase, atMs });
      this.#phaseEndsAtMs = endsAtMs ?? atMs;
    } else if (this.#phases.length > 0) this.#endMs = Math.min(this.#endMs, atMs);
  }

  /** Figures of the bucket that runs, and of the one before. */
  figures(nowMs: number): LiveFigures {
    const isRecent = (_: Bucket, index: number) => this.#fromMs(index + 2) > nowMs;
    const recent = this.#buckets.filter(isRecent).flatMap(({ samples }) => samples ?? []);
    const sum = (part: 'offered' | 'performed') => recent.reduce((all, samples) => all + samples[part], 0);
    return {
      throughputPercent: percentOf(sum('performed'), sum('offered')),
      localLatencyMs: medianOf(recent.flatMap(({ localMs }) => localMs)),
      endToEndLatencyMs: medianOf(recent.flatMap(({ endToEndMs }) => endToEndMs)),
    };
  }

  /** From the start of typing to its end or `nowMs`; empty before it. */
  points(nowMs: number): SeriesPoint[] {
    return this.#buckets.map((bucket, index) => {
      const { samples, shown, isStale } = bucket;
      if (shown !== null && (samples === null || !isStale)) return shown.point;
      const isDue = shown === null || nowMs >= shown.atMs + RENEWAL_MS || nowMs >= this.#endMs;
      return isDue ? this.#renew(bucket, index, nowMs) : shown.point;
    });
  }

  /** A latency belongs to the bucket in which its sigil was sent. */
  #addToBucket(event: LiveEvent): void {
    const bucket = this.#bucketAt(event.type === 'latency' ? event.sentMs : event.atMs);
    if (bucket === null || bucket.samples === null) return;
    addTo(bucket.samples, event);
    bucket.isStale = true;
  }

  /**
   * Null before typing and after it: what happens then belongs to no bucket. Null too for instants that a wrong clock puts far
   * beyond the phase that runs, for which no buckets are laid out; lines that come a little before the next phase are taken.
   */
  #bucketAt(atMs: number): Bucket | null {
    const [start] = this.#phases;
    if (start === undefined || atMs < start.atMs || atMs >= this.#endMs || atMs >= this.#phaseEndsAtMs + BUCKET_MS) {
      return null;
    }
    const index = Math.floor((atMs - start.atMs) / BUCKET_MS);
    while (this.#buckets.length <= index) this.#buckets.push({ samples: emptySamples(), shown: null, isStale: true });
    return this.#buckets[index]!;
  }

  /** Makes the points of old buckets, and drops their samples: of many users these are MiB a minute. */
  #closeOld(): void {
    const oldest = this.#buckets.length - 1 - CLOSING_MS / BUCKET_MS;
    for (let index = oldest - 1; index >= 0 && this.#buckets[index]!.samples !== null; index--) {
      this.#renew(this.#buckets[index]!, index, this.#fromMs(index + 1));
      this.#buckets[index]!.samples = null;
    }
  }

  #renew(bucket: Bucket, index: number, atMs: number): SeriesPoint {
    const { offered, performed, localMs, endToEndMs, seen } = bucket.samples!;
    const middleMs = this.#fromMs(index) + BUCKET_MS / 2;
    const { phase } = this.#phases.findLast((begun) => begun.atMs <= middleMs) ?? this.#phases[0]!;
    const point = seriesPoint(index, [
      {
        phase,
        columns: { ...UNKNOWN, offered, performed, sigilsSeen: seen.size },
        samples: { localLatencyMs: Float64Array.from(localMs), endToEndLatencyMs: Float64Array.from(endToEndMs) },
      },
    ]);
    bucket.shown = { point, atMs };
    bucket.isStale = false;
    return point;
  }

  #fromMs(index: number): number {
    return this.#phases[0]!.atMs + index * BUCKET_MS;
  }
}

function emptySamples(): Samples {
  return { offered: 0, performed: 0, localMs: [], endToEndMs: [], seen: new Set() };
}

function addTo(samples: Samples, event: LiveEvent): void {
  if (event.type === 'typing') {
    samples.offered += event.offered;
    samples.performed += event.performed;
    return;
  }
  if (!event.isOwn) samples.seen.add(event.sigil);
  (event.isOwn ? samples.localMs : samples.endToEndMs).push(event.shownMs - event.sentMs);
}

function medianOf(samplesMs: readonly number[]): number | null {
  return samplesMs.length === 0 ? null : median(samplesMs);
}
