/** A comparison as text: a table for the terminal, Markdown for a pull request. */
import { formatFigure, NOTHING } from '../figures/figure-text.ts';
import { renderMarkdown, renderText } from '../tables/render.ts';
import { left, right, type Table } from '../tables/table.ts';
import type { CellChange, Comparison } from './compared-run.ts';
import { type FigureChange, isShare, NOISE_BOUND_PERCENT, NOISE_BOUND_POINTS } from './figure-change.ts';

/** Rows of the figures that one of the runs has; a heading per cell is left to the form. */
function tabulateChanges({ figures }: CellChange, mark: (word: string) => string): Table {
  return {
    columns: [left('figure'), right('base'), right('new'), right('change'), right('95 % interval'), left('')],
    rows: figures
      .filter(({ trials }) => trials.base > 0 || trials.new > 0)
      .map((change) => [
        `${change.figure.label}, ${change.figure.unit}`,
        formatFigure(change.base),
        formatFigure(change.new),
        formatChange(change),
        formatInterval(change),
        change.isBetter === null ? describeWord(change) : mark(describeWord(change)),
      ]),
  };
}

/** `yjs 13.6.33, noquill, 8 users (3 and 3 valid trials)`. */
function describeCellChange({ name, parameters, base, new: fresh, pairs }: CellChange): string {
  const version = base.version === fresh.version ? base.version : `${base.version} → ${fresh.version}`;
  const subject = String(Object.values(parameters)[0]);
  const inPairs = pairs === null ? '' : `, ${pairs} in pairs`;
  return `${subject} ${version}${name.slice(subject.length)} (${base.validTrials} and ${fresh.validTrials} valid trials${inPairs})`;
}

/** `Fully functional: base yes, new unclear`; the foot says what that means. */
function describeFunctional({ functional }: CellChange): string[] {
  return functional === null ? [] : [`Fully functional: base ${functional.base}, new ${functional.new}`];
}

/** "No difference found" alone would be read as "none". */
function describeWord({ word, within, ci95Unit }: FigureChange): string {
  return within === null ? word : `${word} (within ±${formatFigure(within)} ${ci95Unit})`;
}

/** The design of the comparison, for readers who have the words without these pages. */
const DESIGNS: Record<Comparison['design'], string> = {
  apart:
    'Compared: two runs made apart. Runs may differ as much as trials do, of which these intervals know nothing: where they do, 18 of 100 differences between equals pass for real with 3 trials each, not 5. A run with --against compares in pairs.',
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
      `Intervals are over ${design === 'apart' ? "trials (Welch's t" : "pairs of trials (Student's t"}; for latencies of the ratio), each for itself. "no difference found" says up to which change none was found, "too noisy to tell" that this is more than ${NOISE_BOUND_PERCENT} % (throughput: ${NOISE_BOUND_POINTS} points).`,
      describeCorrection(comparisons),
      ...(cells.some(({ functional }) => functional !== null)
        ? [
            '"Fully functional" is unclear where an interval over trials reaches to both sides of a bound; with fewer than 3 trials there is none, and the figures alone decide.',
          ]
        : []),
    ],
  };
}

function describeCorrection(comparisons: number): string {
  const alone = `One by one, ${(comparisons / 20).toFixed(1)} of ${comparisons} comparisons would find a difference by chance alone`;
  return `${alone}; faster, slower, less and more hold for all of them together (Holm: 1 in 20 for even one false word), "may be chance" is what does not.`;
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
  const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
  const sections = [
    '## Comparison',
    list(head),
    ...(failures.length > 0 ? [`### Thresholds broken\n\n${list(failures)}`] : []),
    ...comparison.cells.flatMap((cell) => [
      `### ${describeCellChange(cell)}`,
      renderMarkdown(tabulateChanges(cell, (word) => `**${word}**`)),
      ...describeFunctional(cell),
    ]),
    list(foot),
  ];
  return sections.join('\n\n');
}

/** For programs: a cell's parameters stand beside its other properties. */
export function comparisonJson({ cells, ...comparison }: Comparison): object {
  return { ...comparison, cells: cells.map(({ parameters, ...cell }) => ({ ...parameters, ...cell })) };
}

function formatChange({ figure, difference, changePercent }: FigureChange): string {
  if (isShare(figure)) return difference === null ? NOTHING : `${signed(difference)} points`;
  return changePercent === null ? NOTHING : `${signed(changePercent)} %`;
}

function formatInterval({ ci95 }: FigureChange): string {
  return ci95 === null ? NOTHING : `${signed(ci95.low)} to ${signed(ci95.high)}`;
}

function signed(figure: number): string {
  return `${figure > 0 ? '+' : ''}${formatFigure(figure)}`;
}
