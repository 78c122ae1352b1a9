/** The comparison of frameworks in Markdown: in short for the README, whole for a page in `docs/`. */

import { groupByTier } from '../../analysis/cell/tiers.ts';
import { countOf } from '../../analysis/charts/numbers.ts';
import { formatMarkdownTable, formatRows } from '../../analysis/tables/summary-table.ts';
import type { Mode } from '../../frameworks/modes.ts';
import { formatDuration } from '../../harness/experiment/duration.ts';
import type { Summary } from '../../results/formats/summary.ts';
import type { MeasuredDocuments, MeasuredRun } from './measured.ts';

export const COMPARISON = 'compare';
/** The modes that have a table and charts each, and who their users are. */
export const COMPARED = {
  optquill: 'users who type into Quill',
  noquill: 'users of an editor that renders nothing',
} as const satisfies Partial<Record<Mode, string>>;
export type ComparedMode = keyof typeof COMPARED;
/** The charts that the page shows: the name of each, and what it shows. */
export const CHARTS = {
  'end-to-end-median': 'End-to-end latency, median',
  'server-cpu': 'Server CPU',
};
/** The README is read in any terminal. */
const COLUMNS = 118;

/** The cells with most users who type into Quill. */
export function comparisonInShort(run: MeasuredRun): string {
  const ofMode = onlyMode(run.summary, 'optquill');
  const most = Math.max(...ofMode.cells.map(({ users }) => users));
  const shown: Summary = { ...ofMode, cells: ofMode.cells.filter(({ users }) => users === most) };
  return [
    wrap(
      `${countOf(shown.cells.length, 'framework')} with ${countOf(most, 'user')} who type into Quill, on ${conditionsOf(run)}:`,
    ),
    ['```', formatRows(shown), '```'].join('\n'),
    wrap(
      'Compare within a tier only: a relay and a library’s own server [do unlike jobs](docs/frameworks.md#two-tiers). [All cells](docs/measurements.md#the-comparison), with notes, and [without rendering](docs/measurements.md#without-rendering); [what changed](docs/what-changed.md) since the first table.',
    ),
  ].join('\n\n');
}

/** Every cell of a mode, reasons and notes, and charts. */
export function comparisonInFull(run: MeasuredRun, mode: ComparedMode): string {
  const summary = onlyMode(run.summary, mode);
  const charts = Object.entries(CHARTS).flatMap(([chart, title]) =>
    chartTiers(summary).map(
      ({ tier, name }) => `![${title}, ${COMPARED[mode]}${name}](${chartFile(chart, tier, mode)})`,
    ),
  );
  return [
    wrap(`\`${COMPARISON}.yaml\` on ${conditionsOf(run)}.`),
    formatMarkdownTable(summary),
    charts.join('\n'),
  ].join('\n\n');
}

/** The modes of a run that have a table of their own. */
export function comparedModes({ cells }: Summary): ComparedMode[] {
  const modes = Object.keys(COMPARED) as ComparedMode[];
  return modes.filter((compared) => cells.some(({ mode }) => mode === compared));
}

/** A run's cells of one mode. */
export function onlyMode(summary: Summary, mode: ComparedMode): Summary {
  return { ...summary, cells: summary.cells.filter((cell) => cell.mode === mode) };
}

/** The tiers that have charts of their own. */
export function chartTiers({ cells }: Summary): { tier: string; name: string }[] {
  return groupByTier(cells, ({ tier }) => tier).map(({ tier, title }) => ({
    tier,
    name: title === null ? '' : `, ${title}`,
  }));
}

/** The chart's file in `docs/`. */
export function chartFile(chart: string, tier: string, mode: ComparedMode): string {
  return `${COMPARISON}-${chart}-${tier}-${mode}.png`;
}

/** The chart's file as the report's images are called. */
export function imageFile(chart: string, tier: string, mode: ComparedMode, summary: Summary): string {
  const isTiered = groupByTier(summary.cells, (cell) => cell.tier).length > 1;
  return [chart, ...(isTiered ? [tier] : []), `${mode}.png`].join('-');
}

/** The machine and how it was measured there, in a line. */
export function conditionsOf({ plan, summary }: MeasuredRun, { hasTrials = true } = {}): string {
  const { trace, trials, durations } = plan.experiment as {
    trace?: string;
    trials?: number;
    durations?: { warmUpMs: number; measureMs: number };
  };
  return machineOf(summary, [
    `the trace \`${trace}\``,
    ...(durations === undefined
      ? []
      : [`${formatDuration(durations.warmUpMs)} of warm-up and ${formatDuration(durations.measureMs)} measured`]),
    ...(hasTrials ? [trialsOf(summary, trials ?? 0)] : []),
  ]);
}

/** As planned, or from the fewest on that a cell has, where the run was stopped before its end. */
function trialsOf({ cells }: Summary, planned: number): string {
  const fewest = Math.min(planned, ...cells.map(({ trials }) => trials));
  return `${fewest < planned ? `${fewest} to ` : ''}${countOf(planned, 'trial')} of each`;
}

/** The same of a document scenario. */
export function documentConditionsOf({ plan, summary }: MeasuredDocuments): string {
  const { trace, trials } = plan.experiment as { trace?: string; trials?: number };
  return machineOf(summary, [`the trace \`${trace}\``, `${countOf(trials ?? 0, 'trial')} of each`]);
}

/** @param made what else there is to say of how it was measured there */
function machineOf({ environment, startedAt }: Pick<Summary, 'environment' | 'startedAt'>, made: string[]): string {
  const { cores, cpu, memoryMiB, os, chrome, node } = environment;
  const date = new Date(startedAt).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
  const programs = [os, ...(typeof chrome === 'string' ? [chrome] : []), `Node ${String(node).replace(/^v/, '')}`];
  const all = [programs.join(', '), ...made, date];
  return `${countOf(Number(cores), 'core')} of ${cpu} with ${Math.round(Number(memoryMiB) / 1024)} GiB (${all.join('; ')})`;
}

/** Between words, where lines would become too long. */
export function wrap(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
