/**
 * Follows the trial that runs by what its processes report: the last seconds, and the series so far. An estimate from
 * what has arrived, unfiltered; the analysis decides.
 */
import type { Phase, RecordLine } from '../../results/formats/records.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import { LiveEvents } from './live-events.ts';
import { type LiveFigures, RecentFigures } from './live-figures.ts';
import { LiveSeries } from './live-series.ts';

/** One for each trial. Instants are on the coordinator's clock. */
export class LiveMonitor {
  readonly #events = new LiveEvents();
  readonly #recent = new RecentFigures();
  readonly #series: LiveSeries;

  /** @param options.hasLongTasks whether the users' editors can tell of long tasks: those in Chrome can */
  constructor(options: { hasLongTasks: boolean }) {
    this.#series = new LiveSeries(options);
  }

  /** @param user the number of the user whose record the lines are of, null for the server's */
  add(user: number | null, lines: readonly RecordLine[]): void {
    for (const line of lines) {
      for (const event of this.#events.take(user, line)) {
        this.#recent.add(event);
        this.#series.add(event);
      }
    }
    this.#series.close(this.#events.users);
  }

  /** How much is kept of what came; for who watches what a long session takes. */
  get kept(): number {
    return this.#events.kept + this.#recent.kept + this.#series.kept;
  }

  /** A phase began at `atMs`, and is to end at `endsAtMs`. */
  begin(phase: Phase, atMs: number, endsAtMs: number | null): void {
    this.#series.begin(phase, atMs, endsAtMs);
  }

  /** Of the last seconds. */
  figures(nowMs: number): LiveFigures {
    return this.#recent.at(nowMs);
  }

  /** From the start of typing to its end or `nowMs`; empty before it. */
  points(nowMs: number): SeriesPoint[] {
    return this.#series.points(nowMs, this.#events.users);
  }
}
