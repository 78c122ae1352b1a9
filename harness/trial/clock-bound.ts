/**
 * How wrong the conversion of a process's instants to the coordinator's clock can be, from its record's `clock` lines: the
 * rule of analysis/views/03-clocks.sql, which says why, for a verdict that is due before anything is analysed.
 */
import type { RecordOf } from '../../results/formats/records.ts';
import { DRIFT_RATE } from '../clock.ts';

export type ClockMeasurement = Pick<RecordOf<'clock'>, 'atMs' | 'offsetMs' | 'errorMs'>;

/** An interval of the coordinator's clock. */
export interface Interval {
  fromMs: number;
  toMs: number;
}

/** What an offset between two measurements may differ from their straight line, ms per ms, as 03-clocks.sql has it. */
const WANDER_RATE = 15e-6;

/**
 * The bound throughout `window`, or throughout the measurements where there is none.
 *
 * @returns ms, or null where nothing was measured
 */
export function clockBoundMs(measurements: readonly ClockMeasurement[], window: Interval | null): number | null {
  const all = inOrder(measurements);
  const points = all.filter((_, index) => tellsMost(all, index));
  const [first, last] = [points.at(0), points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const bounds = [
    ...points.slice(1).flatMap((point, index) => between(points[index]!, point, window)),
    ...outside(first, window === null ? 0 : first.atMs + first.offsetMs - window.fromMs),
    ...outside(last, window === null ? 0 : window.toMs - last.atMs - last.offsetMs),
    ...all.map((witness) => Math.abs(witness.offsetMs - offsetAt(points, witness.atMs)) - witness.errorMs),
  ];
  return bounds.reduce((greatest, each) => Math.max(greatest, each));
}

/** By time; of several at one instant the best. */
function inOrder(measurements: readonly ClockMeasurement[]): ClockMeasurement[] {
  const sorted = measurements.toSorted((a, b) => a.atMs - b.atMs || a.errorMs - b.errorMs);
  return sorted.filter(({ atMs }, index) => atMs !== sorted[index - 1]?.atMs);
}

/** Whether neither one other measurement, nor one on each side, tells more at this one's instant. */
function tellsMost(all: readonly ClockMeasurement[], index: number): boolean {
  const { atMs, errorMs } = all[index]!;
  const worsened = (others: readonly ClockMeasurement[], rate: number) =>
    others.reduce(
      (least, other) => Math.min(least, other.errorMs + rate * Math.abs(other.atMs - atMs)),
      Number.POSITIVE_INFINITY,
    );
  const [before, later] = [all.slice(0, index), all.slice(index + 1)];
  const onEachSide = Math.max(worsened(before, WANDER_RATE), worsened(later, WANDER_RATE));
  return errorMs <= Math.min(onEachSide, worsened(before, DRIFT_RATE), worsened(later, DRIFT_RATE));
}

function between(from: ClockMeasurement, to: ClockMeasurement, window: Interval | null): number[] {
  const touches =
    window === null || (from.atMs + from.offsetMs < window.toMs && to.atMs + from.offsetMs > window.fromMs);
  return touches ? [Math.max(from.errorMs, to.errorMs) + (WANDER_RATE * (to.atMs - from.atMs)) / 2] : [];
}

/** Of the window's part beyond the first or the last measurement, by how much it reaches beyond. */
function outside(point: ClockMeasurement, beyondMs: number): number[] {
  return beyondMs < 0 ? [] : [point.errorMs + DRIFT_RATE * beyondMs];
}

/** Straight lines between the points, level outside. */
function offsetAt(points: readonly ClockMeasurement[], atMs: number): number {
  const after = points.findIndex((point) => point.atMs > atMs);
  if (after === 0) return points[0]!.offsetMs;
  const [from, to] = after === -1 ? [points.at(-1)!, null] : [points[after - 1]!, points[after]!];
  if (to === null) return from.offsetMs;
  return from.offsetMs + ((to.offsetMs - from.offsetMs) * (atMs - from.atMs)) / (to.atMs - from.atMs);
}
