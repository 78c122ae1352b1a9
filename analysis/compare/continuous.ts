/** The new run's figures in the customary JSON forms of tools that follow benchmarks over time. */
import { HEADLINE_FIGURES } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import type { CellChange, Comparison } from './comparison.ts';

/**
 * github-action-benchmark, tool `customSmallerIsBetter`. Every value must be better when smaller, so throughput is given
 * as the share of edits that were not typed. The value pools all samples of the cell, the range is half of the interval
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
      const isShare = figure.better === 'higher';
      return {
        name: `${nameOf(cell)}: ${isShare ? `not reached of ${figure.label}` : figure.label}`,
        unit: figure.unit,
        value: isShare ? 100 - value : value,
        ...(interval === null ? {} : { range: `± ${((interval.high - interval.low) / 2).toFixed(3)}` }),
        extra: `${cell.framework} ${cell.new.version}, ${cell.new.validTrials} valid trials`,
      };
    }),
  );
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
      nameOf(cell),
      Object.fromEntries(
        knownFigures(cell).map(({ figure, value, interval }) => [
          slugOf(figure.label),
          { value, ...(interval === null ? {} : { lower_value: interval.low, upper_value: interval.high }) },
        ]),
      ),
    ]),
  );
}

function knownFigures({ new: cell }: CellChange) {
  return HEADLINE_FIGURES.flatMap((figure) => {
    const value = figureOf(cell, figure);
    return value === null ? [] : [{ figure, value, interval: cell.ci95[figure.name] }];
  });
}

function nameOf({ framework, mode, users }: CellChange): string {
  return `${framework}, ${mode}, ${users} users`;
}

/** `local latency, median` → `local-latency-median`. */
function slugOf(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
