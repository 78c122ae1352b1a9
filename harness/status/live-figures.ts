/** The figures of the last seconds, for the progress line and the tiles of the status page. */
import { BUCKET_S } from '../../analysis/figures/bucket.ts';
import { percentOf } from '../../analysis/statistics/known-figures.ts';
import { quantile } from '../../analysis/statistics/quantile.ts';
import type { LiveEvent } from './live-events.ts';

const WINDOW_MS = 1000 * BUCKET_S;

export interface LiveFigures {
  throughputPercent: number | null;
  /** Medians, of however few samples. */
  localLatencyMs: number | null;
  endToEndLatencyMs: number | null;
}

type Recent = Extract<LiveEvent, { type: 'typing' | 'latency' }>;

/** Where nobody asks for figures, what is no longer recent is dropped when there is so much of it. */
const LEAST_TO_TIDY = 1000;

export class RecentFigures {
  #recent: Recent[] = [];
  #newestMs = Number.NEGATIVE_INFINITY;
  #tidyAt = LEAST_TO_TIDY;

  add(event: LiveEvent): void {
    if (event.type !== 'typing' && event.type !== 'latency') return;
    this.#recent.push(event);
    this.#newestMs = Math.max(this.#newestMs, instantOf(event));
    if (this.#recent.length < this.#tidyAt) return;
    this.#drop(this.#newestMs);
    this.#tidyAt = Math.max(LEAST_TO_TIDY, 2 * this.#recent.length);
  }

  /** How many events are kept; for who watches what a long session takes. */
  get kept(): number {
    return this.#recent.length;
  }

  /** @param nowMs the coordinator's clock */
  at(nowMs: number): LiveFigures {
    this.#drop(nowMs);
    const typed = this.#recent.filter((event) => event.type === 'typing');
    const shown = this.#recent.filter((event) => event.type === 'latency');
    const latencies = (own: boolean) =>
      shown.filter(({ isOwn }) => isOwn === own).map(({ sentMs, shownMs }) => shownMs - sentMs);
    return {
      throughputPercent: percentOf(
        typed.reduce((sum, { performed }) => sum + performed, 0),
        typed.reduce((sum, { offered }) => sum + offered, 0),
      ),
      localLatencyMs: median(latencies(true)),
      endToEndLatencyMs: median(latencies(false)),
    };
  }

  #drop(nowMs: number): void {
    this.#recent = this.#recent.filter((event) => instantOf(event) > nowMs - WINDOW_MS);
  }
}

function instantOf(event: Recent): number {
  return event.type === 'typing' ? event.atMs : event.shownMs;
}

function median(samplesMs: readonly number[]): number | null {
  return samplesMs.length === 0 ? null : quantile(Float64Array.from(samplesMs).sort(), 0.5);
}
