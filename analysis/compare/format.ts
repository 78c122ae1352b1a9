/** A comparison as text: a table for the terminal, Markdown for a pull request. */
import { formatFigure, NOTHING } from '../figure-text.ts';
import { type ReportTable, renderMarkdown } from '../markup-table.ts';
import {
  type CellChange,
  type Comparison,
  type FigureChange,
  NOISE_BOUND_PERCENT,
  NOISE_BOUND_POINTS,
} from './compare.ts';

/** Rows of texts: a heading per cell is left to the form. */
export function tabulateChanges({ figures }: CellChange): ReportTable {
  return {
    columns: [
      { heading: 'figure', align: 'left' },
      { heading: 'base', align: 'right' },
      { heading: 'new', align: 'right' },
      { heading: 'change', align: 'right' },
      { heading: '95 % interval', align: 'right' },
      { heading: '', align: 'left' },
    ],
    rows: figures.map((change) => [
      `${change.figure.label}, ${change.figure.unit}`,
      formatFigure(change.base),
      formatFigure(change.new),
      formatChange(change),
      formatInterval(change),
      change.word,
    ]),
  };
}

export function describeCellChange({ framework, mode, users, base, new: fresh }: CellChange): string {
  const version = base.version === fresh.version ? base.version : `${base.version} → ${fresh.version}`;
  return `${framework} ${version}, ${mode}, ${users} users (${base.validTrials} and ${fresh.validTrials} valid trials)`;
}

/** What stands above and below the tables. */
export function describeComparison(comparison: Comparison): { head: string[]; foot: string[] } {
  const { base, new: fresh, warnings, unmatched } = comparison;
  const identity = ({ directory, experiment, startedAt }: Comparison['base']) =>
    `${directory} (${experiment}, ${startedAt})`;
  return {
    head: [`base: ${identity(base)}`, `new: ${identity(fresh)}`, ...warnings.map((warning) => `Beware: ${warning}`)],
    foot: [
      ...unmatched,
      `Intervals are over trials (Welch's t; for latencies of the ratio). "too noisy to tell": the interval holds no change, but also one of more than ${NOISE_BOUND_PERCENT} % (throughput: ${NOISE_BOUND_POINTS} points).`,
      'One in twenty intervals misses the truth, so with many figures a few changes are chance.',
    ],
  };
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
    ...comparison.cells.flatMap((cell) => [`### ${describeCellChange(cell)}`, table(cell)]),
    list(foot),
  ];
  return sections.join('\n\n');
}

function formatChange({ figure, difference, changePercent }: FigureChange): string {
  if (figure.better === 'higher') return difference === null ? NOTHING : `${signed(difference)} points`;
  return changePercent === null ? NOTHING : `${signed(changePercent)} %`;
}

function formatInterval({ ci95 }: FigureChange): string {
  return ci95 === null ? NOTHING : `${signed(ci95.low)} to ${signed(ci95.high)}`;
}

function signed(figure: number): string {
  return `${figure > 0 ? '+' : ''}${formatFigure(figure)}`;
}
