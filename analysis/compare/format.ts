/** A comparison as text: a table for the terminal, Markdown for a pull request. */
import { formatFigure, NOTHING } from '../figures/figure-text.ts';
import { renderMarkdown } from '../tables/render.ts';
import { left, right, type Table } from '../tables/table.ts';
import type { CellChange, Comparison } from './comparison.ts';
import { type FigureChange, isShare, NOISE_BOUND_PERCENT, NOISE_BOUND_POINTS } from './figure-change.ts';

/** Rows of texts: a heading per cell is left to the form. */
export function tabulateChanges({ figures }: { figures: readonly FigureChange[] }): Table {
  return {
    columns: [left('figure'), right('base'), right('new'), right('change'), right('95 % interval'), left('')],
    rows: figures.map((change) => [
      `${change.figure.label}, ${change.figure.unit}`,
      formatFigure(change.base),
      formatFigure(change.new),
      formatChange(change),
      formatInterval(change),
      describeWord(change),
    ]),
  };
}

export function describeCellChange({ framework, mode, users, base, new: fresh, pairs }: CellChange): string {
  const version = base.version === fresh.version ? base.version : `${base.version} → ${fresh.version}`;
  const inPairs = pairs === null ? '' : `, ${pairs} in pairs`;
  return `${framework} ${version}, ${mode}, ${users} users (${base.validTrials} and ${fresh.validTrials} valid trials${inPairs})`;
}

/** `Fully functional: base yes, new unclear`; the foot says what that means. */
export function describeFunctional({ functional }: CellChange): string {
  return `Fully functional: base ${functional.base}, new ${functional.new}`;
}

/** "No difference found" alone would be read as "none". */
function describeWord({ word, within, ci95Unit }: FigureChange): string {
  return within === null ? word : `${word} (within ±${formatFigure(within)} ${ci95Unit})`;
}

/** What was compared, for whoever reads the words without these pages. */
const DESIGNS: Record<Comparison['design'], string> = {
  apart:
    'Compared: two runs made apart. Runs may differ as much as trials do, of which these intervals know nothing: where they do, 18 of 100 differences between equals pass for real with 3 trials each, not 5. A run with --against compares in pairs.',
  'in pairs': 'Compared: base and new in turns within one run, trial by trial in pairs.',
};

/** What stands above and below the tables. */
export function describeComparison(comparison: Comparison): { head: string[]; foot: string[] } {
  const { design, base, new: fresh, comparisons, warnings, unmatched } = comparison;
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
      '"Fully functional" is unclear where an interval over trials reaches to both sides of a bound; with fewer than 3 trials there is none, and the figures alone decide.',
    ],
  };
}

function describeCorrection(comparisons: number): string {
  const alone = `One by one, ${(comparisons / 20).toFixed(1)} of ${comparisons} comparisons would find a difference by chance alone`;
  return `${alone}; faster, slower, less and more hold for all of them together (Holm: 1 in 20 for even one false word), "may be chance" is what does not.`;
}

/** For a pull request; what changed is in bold. */
export function formatMarkdownComparison(comparison: Comparison, failures: readonly string[]): string {
  const { head, foot } = describeComparison(comparison);
  const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
  const table = (cell: CellChange) => {
    const { columns, rows } = tabulateChanges(cell);
    const marked = rows.map((row, index) =>
      cell.figures[index]!.isBetter === null ? row : row.map((text, column) => (column === 5 ? `**${text}**` : text)),
    );
    return renderMarkdown({ columns, rows: marked });
  };
  const sections = [
    '## Comparison',
    list(head),
    ...(failures.length > 0 ? [`### Thresholds broken\n\n${list(failures)}`] : []),
    ...comparison.cells.flatMap((cell) => [`### ${describeCellChange(cell)}`, table(cell), describeFunctional(cell)]),
    list(foot),
  ];
  return sections.join('\n\n');
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
