/** How the trial that runs develops: the report's figures over time, in the same buckets. */
import { BUCKET_S } from '../../analysis/figures/bucket.ts';
import { SERIES_FIGURES } from '../../analysis/figures/catalogue.ts';
import { percentOf } from '../../analysis/statistics/known-figures.ts';
import { type Bucket, seriesPoint } from '../../analysis/trial/series-point.ts';
import type { Phase } from '../../results/formats/records.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import type { LiveEvent } from './live-events.ts';

const BUCKET_MS = BUCKET_S * 1000;
/** Quantiles of large trials cost the machine that is measured something: a point is made anew no more often than this. */
const RENEWAL_MS = 5000;
/** What a bucket holds is kept so long after its end, for records that come late. Then only its point is. */
const CLOSING_MS = 60_000;

/** What is not known before the trial has ended. */
const UNKNOWN = Object.fromEntries(
  SERIES_FIGURES.flatMap(({ source }) => ('column' in source ? [[source.column, null]] : [])),
);

interface OpenBucket {
  offered: number;
  performed: number;
  localMs: number[];
  endToEndMs: number[];
  /** The sigils of these. */
  seen: Set<string>;
  characters: number[];
  longTaskMs: number;
  cpu: Record<'chrome' | 'server', { cpuMs: number; wallMs: number }>;
  /** Whether nothing is added any more, and what it held was dropped. */
  isClosed: boolean;
  /** What was shown of it last, and when; `isStale` once there is more. */
  shown: { point: SeriesPoint; atMs: number } | null;
  isStale: boolean;
}

export class LiveSeries {
  readonly #hasLongTasks: boolean;
  readonly #buckets: OpenBucket[] = [];
  /** So many, from the first on. */
  #closed = 0;
  readonly #phases: { phase: Phase; atMs: number }[] = [];
  #endMs = Number.POSITIVE_INFINITY;
  #phaseEndsAtMs = Number.NEGATIVE_INFINITY;

  /** @param options.hasLongTasks whether the users' editors can tell of long tasks: those in Chrome can */
  constructor(options: { hasLongTasks: boolean }) {
    this.#hasLongTasks = options.hasLongTasks;
  }

  /**
   * A phase began, at `atMs` on the coordinator's clock, and is to end at `endsAtMs`. Typing starts with warm-up and ends
   * with settle.
   */
  begin(phase: Phase, atMs: number, endsAtMs: number | null): void {
    if (isTyping(phase)) {
      this.#phases.push({ phase, atMs });
      this.#phaseEndsAtMs = endsAtMs ?? atMs;
    } else if (this.#phases.length > 0) this.#endMs = Math.min(this.#endMs, atMs);
  }

  /** A latency belongs to the bucket in which its sigil was sent. */
  add(event: LiveEvent): void {
    const bucket = this.#bucketAt(event.type === 'latency' ? event.sentMs : event.atMs);
    if (bucket === null || bucket.isClosed) return;
    bucket.isStale = true;
    switch (event.type) {
      case 'typing':
        bucket.offered += event.offered;
        bucket.performed += event.performed;
        return;
      case 'latency':
        if (!event.isOwn) bucket.seen.add(event.sigil);
        (event.isOwn ? bucket.localMs : bucket.endToEndMs).push(event.shownMs - event.sentMs);
        return;
      case 'document':
        bucket.characters.push(event.characters);
        return;
      case 'long-task':
        bucket.longTaskMs += event.durationMs;
        return;
      case 'cpu':
        bucket.cpu[event.of].cpuMs += event.cpuMs;
        bucket.cpu[event.of].wallMs += event.wallMs;
        return;
    }
  }

  /**
   * Makes the points of old buckets, and drops what they were made of: of many users it is MiB a minute.
   *
   * @param users how many there are
   */
  close(users: number): void {
    const last = this.#buckets.length - 1;
    for (; this.#closed < last && this.#fromMs(this.#closed + 1) + CLOSING_MS <= this.#fromMs(last); this.#closed++) {
      const bucket = this.#buckets[this.#closed]!;
      const atMs = this.#fromMs(this.#closed + 1);
      const point = seriesPoint(this.#closed, [this.#measured(bucket, this.#closed, { nowMs: atMs, users })]);
      this.#buckets[this.#closed] = { ...emptyBucket(), shown: { point, atMs }, isClosed: true };
    }
  }

  /** How many samples are kept; for who watches what a long session takes. */
  get kept(): number {
    return this.#buckets.reduce((sum, { localMs, endToEndMs }) => sum + localMs.length + endToEndMs.length, 0);
  }

  /**
   * From the start of typing to its end or `nowMs`, on the coordinator's clock; empty before it.
   *
   * @param users how many there are
   */
  points(nowMs: number, users: number): SeriesPoint[] {
    return this.#buckets.map((bucket, index) => {
      const { shown } = bucket;
      if (bucket.isClosed) return shown!.point;
      const isDue = shown === null || nowMs >= shown.atMs + RENEWAL_MS || nowMs >= this.#endMs;
      if (shown !== null && !(isDue && (bucket.isStale || this.#isOpen(index, shown.atMs)))) return shown.point;
      const point = seriesPoint(index, [this.#measured(bucket, index, { nowMs, users })]);
      bucket.shown = { point, atMs: nowMs };
      bucket.isStale = false;
      return point;
    });
  }

  /**
   * Null before typing and after it: what happens then belongs to no bucket. Null too for what a wrong clock puts far
   * beyond the phase that runs, for which no buckets are laid out; what comes a little before the next phase is taken.
   */
  #bucketAt(atMs: number): OpenBucket | null {
    const [start] = this.#phases;
    if (start === undefined || atMs < start.atMs || atMs >= this.#endMs || atMs >= this.#phaseEndsAtMs + BUCKET_MS) {
      return null;
    }
    const index = Math.floor((atMs - start.atMs) / BUCKET_MS);
    while (this.#buckets.length <= index) this.#buckets.push(emptyBucket());
    return this.#buckets[index]!;
  }

  /** Whether the bucket had not ended then: shares of its time change until it has. */
  #isOpen(index: number, atMs: number): boolean {
    return atMs < Math.min(this.#endMs, this.#fromMs(index) + BUCKET_MS);
  }

  #fromMs(index: number): number {
    return this.#phases[0]!.atMs + index * BUCKET_MS;
  }

  #measured(bucket: OpenBucket, index: number, { nowMs, users }: { nowMs: number; users: number }): Bucket {
    const fromMs = this.#fromMs(index);
    const elapsedMs = Math.min(BUCKET_MS, Math.min(nowMs, this.#endMs) - fromMs);
    const { offered, performed, localMs, endToEndMs, characters, longTaskMs, cpu } = bucket;
    const middle = this.#phases.findLast(({ atMs }) => atMs <= fromMs + BUCKET_MS / 2) ?? this.#phases[0]!;
    return {
      phase: middle.phase,
      columns: {
        ...UNKNOWN,
        offered,
        performed,
        sigilsSeen: bucket.seen.size,
        serverCpuPercent: percentOf(cpu.server.cpuMs, cpu.server.wallMs),
        userCpuPercent: percentOf(cpu.chrome.cpuMs, cpu.chrome.wallMs),
        documentCharacters:
          characters.length === 0 ? null : characters.reduce((sum, each) => sum + each, 0) / characters.length,
        longTaskPercent: this.#hasLongTasks && elapsedMs > 0 ? percentOf(longTaskMs, users * elapsedMs) : null,
      },
      samples: { localLatencyMs: Float64Array.from(localMs), endToEndLatencyMs: Float64Array.from(endToEndMs) },
    };
  }
}

function isTyping(phase: Phase): boolean {
  return phase === 'warm-up' || phase === 'measure' || phase === 'profile';
}

function emptyBucket(): OpenBucket {
  return {
    offered: 0,
    performed: 0,
    localMs: [],
    endToEndMs: [],
    seen: new Set(),
    characters: [],
    longTaskMs: 0,
    cpu: { chrome: { cpuMs: 0, wallMs: 0 }, server: { cpuMs: 0, wallMs: 0 } },
    shown: null,
    isStale: false,
    isClosed: false,
  };
}
