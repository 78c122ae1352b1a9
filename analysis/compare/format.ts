/** A comparison for people, and in the JSON forms of tools that follow benchmarks over time. */
import { cellJson } from '../cell/cell-json.ts';
import { formatEstimate, formatFigure, NOTHING } from '../figures/figure-text.ts';
import type { Interval } from '../statistics/interval.ts';
import { markdownList, renderMarkdown, renderText } from '../tables/render.ts';
import { left, right, type Table } from '../tables/table.ts';
import type { CellChange, Comparison } from './compared-run.ts';
import {
  type ComparedFigure,
  type FigureChange,
  isShare,
  NOISE_BOUND_PERCENT,
  NOISE_BOUND_POINTS,
} from './figure-change.ts';

/** A change in words, as every table of a comparison has it. */
export function describeChange(change: FigureChange): Record<'base' | 'new' | 'change' | 'interval' | 'word', string> {
  const format = isShare(change.figure) ? formatFigure : formatEstimate;
  const { ci95, ci95Unit, word, within } = change;
  return {
    base: format(change.base),
    new: format(change.new),
    change: formatChange(change),
    interval: ci95 === null ? NOTHING : `${signed(ci95.low)} to ${signed(ci95.high)}`,
    // "No difference found" alone would be read as "none".
    word: within === null ? word : `${word} (within ±${formatFigure(within)} ${ci95Unit})`,
  };
}

/** Rows of the figures that one of the runs has; a heading per cell is left to the form. */
function tabulateChanges({ figures }: CellChange, mark: (word: string) => string): Table {
  return {
    columns: [left('figure'), right('base'), right('new'), right('change'), right('95 % interval'), left('')],
    rows: figures
      .filter(({ trials }) => trials.base > 0 || trials.new > 0)
      .map((each) => {
        const { base, new: fresh, change, interval, word } = describeChange(each);
        const marked = each.isBetter === null ? word : mark(word);
        return [`${each.figure.label}, ${each.figure.unit}`, base, fresh, change, interval, marked];
      }),
  };
}

/** `yjs 13.6.33, noquill, 8 users (3 and 3 valid trials)`. */
function describeCellChange({ name, parameters, base, new: fresh, pairs }: CellChange): string {
  const version = base.version === fresh.version ? base.version : `${base.version} → ${fresh.version}`;
  const subject = String(Object.values(parameters)[0]);
  const inPairs = pairs === null ? '' : `, ${pairs} in pairs`;
  return `${subject} ${version}${name.slice(subject.length)} (${base.validTrials} and ${fresh.validTrials} valid trials${inPairs})`;
}

/** `Fully functional: base yes, new not judged`; the foot says what that means. */
function describeFunctional({ functional }: CellChange): string[] {
  return functional === null ? [] : [`Fully functional: base ${functional.base}, new ${functional.new}`];
}

/** The design of the comparison, for readers who have the words without these pages. */
const DESIGNS: Record<Comparison['design'], string> = {
  apart:
    'Compared: two runs made apart. If runs differ as much as trials do, which these intervals cannot know, 18 of 100 differences between equals look real with 3 trials each, instead of 5. A run with --against compares in pairs.',
  'in pairs': 'Compared: base and new in turns within one run, trial by trial in pairs.',
};

/** The lines above and below the tables. */
function describeComparison(comparison: Comparison): { head: string[]; foot: string[] } {
  const { design, base, new: fresh, cells, comparisons, warnings, unmatched } = comparison;
  const identity = ({ directory, experiment, startedAt }: Comparison['base']) =>
    `${directory} (${experiment}, ${startedAt})`;
  return {
    head: [
      `base: ${identity(base)}`,
      `new: ${identity(fresh)}`,
      DESIGNS[design],
      ...warnings.map((warning) => `Beware: ${warning}`),
    ],
    foot: [
      ...unmatched,
      `Intervals are over ${design === 'apart' ? "trials (Welch's t" : "pairs of trials (Student's t"}; for latencies, of their ratio), each by itself. "no difference found" gives the largest change that may be hidden; "too noisy to tell": one of more than ${NOISE_BOUND_PERCENT} % (throughput: ${NOISE_BOUND_POINTS} points) may be.`,
      ...(comparisons === 0 ? [] : [describeCorrection(comparisons)]),
      ...(cells.some(({ functional }) => functional !== null)
        ? [
            '"Fully functional" is not judged where a figure is not known, or an interval over trials reaches to both sides of its bound; with fewer than 3 trials there is none, and the figures alone decide.',
          ]
        : []),
    ],
  };
}

function describeCorrection(comparisons: number): string {
  const alone = `One by one, ${(comparisons / 20).toFixed(1)} of ${comparisons} comparisons would find a difference by chance alone`;
  return `${alone}; faster, slower, less and more hold for all of them together (Holm: 1 in 20 for even one false word), "may be chance" marks what does not.`;
}

/** A table per cell, for the terminal. */
export function formatComparison(comparison: Comparison): string {
  const { head, foot } = describeComparison(comparison);
  const cells = comparison.cells.map((cell) =>
    [describeCellChange(cell), renderText(tabulateChanges(cell, (word) => word)), ...describeFunctional(cell)].join(
      '\n',
    ),
  );
  return [head.join('\n'), ...cells, foot.join('\n')].join('\n\n');
}

/** For a pull request; what changed is in bold. */
export function formatMarkdownComparison(comparison: Comparison, failures: readonly string[]): string {
  const { head, foot } = describeComparison(comparison);
  const sections = [
    '## Comparison',
    markdownList(head),
    ...(failures.length > 0 ? [`### Thresholds broken\n\n${markdownList(failures)}`] : []),
    ...comparison.cells.flatMap((cell) => [
      `### ${describeCellChange(cell)}`,
      renderMarkdown(tabulateChanges(cell, (word) => `**${word}**`)),
      ...describeFunctional(cell),
    ]),
    markdownList(foot),
  ];
  return sections.join('\n\n');
}

/** For programs: a cell's parameters stand beside its other properties. */
export function comparisonJson({ cells, ...comparison }: Comparison): object {
  const cellOf = ({ parameters, scenario, name, base, new: fresh, ...cell }: CellChange) => {
    return { ...parameters, name, base: cellJson(base, scenario), new: cellJson(fresh, scenario), ...cell };
  };
  return { ...comparison, cells: cells.map(cellOf) };
}

function formatChange({ figure, difference, changePercent }: FigureChange): string {
  if (isShare(figure)) return difference === null ? NOTHING : `${signed(difference)} points`;
  return changePercent === null ? NOTHING : `${signed(changePercent)} %`;
}

function signed(figure: number): string {
  return `${figure > 0 ? '+' : ''}${formatFigure(figure)}`;
}

/**
 * github-action-benchmark, tool `customSmallerIsBetter`. Every value must be better when smaller, so throughput is given
 * as the share of edits that were not typed, and a rate as the time for one, which nobody has of a rate of 0. The value pools all samples of the cell, the range is half of the interval
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
    knownFigures(cell).flatMap(({ figure, value, interval }): GithubActionEntry[] => {
      const smaller = smallerIsBetter(figure);
      const told = smaller.of(value);
      if (told === null) return [];
      const [low, high] = interval === null ? [null, null] : [smaller.of(interval.low), smaller.of(interval.high)];
      return [
        {
          name: `${cell.name}: ${smaller.label}`,
          unit: smaller.unit,
          value: told,
          ...(low === null || high === null ? {} : { range: `± ${(Math.abs(high - low) / 2).toFixed(3)}` }),
          extra: `${Object.values(cell.parameters)[0]} ${cell.new.version}, ${cell.new.validTrials} valid trials`,
        },
      ];
    }),
  );
}

/** A figure in a form that is better when smaller; null: it has none. */
function smallerIsBetter(figure: ComparedFigure): {
  label: string;
  unit: string;
  of: (value: number) => number | null;
} {
  const oneOver = (value: number) => (value > 0 ? 1 / value : null);
  const { label, unit, better } = figure;
  if (isShare(figure)) return { label: `not reached of ${label}`, unit, of: (value) => 100 - value };
  if (better === 'higher' && !unit.startsWith('1/')) {
    return { label: `one over ${label}`, unit: `1/${unit}`, of: oneOver };
  }
  if (better === 'higher') {
    return { label: `time for one of ${label}`, unit: unit.replace(/^1\//, ''), of: oneOver };
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
          figure.label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
          { value, ...(interval === null ? {} : { lower_value: interval.low, upper_value: interval.high }) },
        ]),
      ),
    ]),
  );
}

/** Those of the new run, as its summary has them. */
function knownFigures({ new: cell, figures }: CellChange) {
  return figures.flatMap(({ figure }): { figure: ComparedFigure; value: number; interval: Interval | null }[] => {
    const value = cell.figures[figure.name] ?? null;
    return value === null ? [] : [{ figure, value, interval: cell.ci95[figure.name] ?? null }];
  });
}
