/** The new run's figures in the customary JSON forms of tools that follow benchmarks over time. */
import { valueAt } from '../figures/figure.ts';
import type { Interval } from '../statistics/interval.ts';
import type { CellChange, Comparison } from './compared-run.ts';
import { type ComparedFigure, isShare } from './figure-change.ts';

/**
 * github-action-benchmark, tool `customSmallerIsBetter`. Every value must be better when smaller, so throughput is given
 * as the share of edits that were not typed, and a rate as the time for one. The value pools all samples of the cell, the range is half of the interval
 * over its trials (see `ci95` of the summary).
 *
 * @see https://github.com/benchmark-action/github-action-benchmark, README, "Examples"
 */
interface GithubActionEntry {
  name: string;
  unit: string;
  value: number;
  range?: string;
  extra?: string;
}

export function toGithubActionBenchmark({ cells }: Comparison): GithubActionEntry[] {
  return cells.flatMap((cell) =>
    knownFigures(cell).map(({ figure, value, interval }) => {
      const smaller = smallerIsBetter(figure);
      const ends = interval === null ? null : [smaller.of(interval.low), smaller.of(interval.high)];
      return {
        name: `${cell.name}: ${smaller.label}`,
        unit: smaller.unit,
        value: smaller.of(value),
        ...(ends === null ? {} : { range: `± ${(Math.abs(ends[1]! - ends[0]!) / 2).toFixed(3)}` }),
        extra: `${Object.values(cell.parameters)[0]} ${cell.new.version}, ${cell.new.validTrials} valid trials`,
      };
    }),
  );
}

/** A figure in a form that is better when smaller. */
function smallerIsBetter(figure: ComparedFigure): { label: string; unit: string; of: (value: number) => number } {
  const { label, unit, better } = figure;
  if (isShare(figure)) return { label: `not reached of ${label}`, unit, of: (value) => 100 - value };
  if (better === 'higher') {
    return { label: `time for one of ${label}`, unit: unit.replace(/^1\//, ''), of: (value) => 1 / value };
  }
  return { label, unit, of: (value) => value };
}

/**
 * Bencher Metric Format: benchmark → measure → value, with the 95 % interval over trials as its bounds. The value pools
 * all samples of the cell, so it may lie outside of them (see `ci95` of the summary).
 *
 * @see https://bencher.dev/docs/reference/bencher-metric-format/
 */
type BencherMetrics = Record<string, Record<string, { value: number; lower_value?: number; upper_value?: number }>>;

export function toBencher({ cells }: Comparison): BencherMetrics {
  return Object.fromEntries(
    cells.map((cell) => [
      cell.name,
      Object.fromEntries(
        knownFigures(cell).map(({ figure, value, interval }) => [
          slugOf(figure.label),
          { value, ...(interval === null ? {} : { lower_value: interval.low, upper_value: interval.high }) },
        ]),
      ),
    ]),
  );
}

/** Those of the new run, as its summary has them. */
function knownFigures({ new: cell, figures }: CellChange) {
  return figures.flatMap(({ figure }): { figure: ComparedFigure; value: number; interval: Interval | null }[] => {
    const value = valueAt(cell, figure.name);
    return value === null ? [] : [{ figure, value, interval: cell.ci95[figure.name] ?? null }];
  });
}

/** `local latency, median` → `local-latency-median`. */
function slugOf(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
