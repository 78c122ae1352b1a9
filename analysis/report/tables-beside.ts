/** Tables beside the main one: resilience, growth with the users, and the cost on top of a framework that does nothing. */
import type { CellSummary, ScalingLaw } from '../../results/formats/summary.ts';
import { isBaselineIn } from '../cell/cell.ts';
import { SCALING_FIGURES, scalingLaws, withoutScaling } from '../cell/scaling.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import { formatExponent, formatFigure, NOTHING } from '../figures/figure-text.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { type FaultRow, faultFigureText, groupByFault, lastedText, trialsText } from '../resilience/fault-text.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type CaptionedTable, type Column, left, right } from '../tables/table.ts';
import type { ReportCell, ReportData } from './report-data.ts';

/** Empty where nothing was asked to break. */
export function resilienceTables({ cells, runs }: Pick<ReportData, 'cells' | 'runs'>): CaptionedTable[] {
  return runs.flatMap(({ experiment, startedAt }, run) => {
    const own = cells.filter((cell) => cell.run === run).map(({ summary }) => summary);
    const several = runs.length > 1;
    return faultTables(own).map((table) => ({
      ...table,
      id: table.id + (several ? `-${run + 1}` : ''),
      title: table.title + (several ? `, ${experiment} ${startedAt}` : ''),
    }));
  });
}

/** The same of one run. */
export function faultTables(cells: readonly CellSummary[]): CaptionedTable[] {
  return groupByFault(cells).map(({ fault, title, rows }) => ({
    id: `resilience-${fault + 1}`,
    title: `Resilience: ${title}`,
    columns: columnsOf(['trials', 'lasted s', ...FAULT_FIGURES.map(({ short }) => short)]),
    rows: rows.map(textsOf),
    notes: [
      `Lasted: until the end; of a restart, until the server accepts connections again. ${FAULT_FIGURES.map(({ label, what }) => `${label}: ${what}`).join('. ')}.`,
      `Means over trials; in brackets: their 95 % interval, where there are ${MIN_TRIALS} trials or more. Never: it did not come to pass within the trial.`,
    ],
  }));
}

function textsOf(row: FaultRow): string[] {
  const { summary, fault } = row;
  const { framework, mode, users } = summary;
  const figures = FAULT_FIGURES.map((figure) => (fault === null ? '' : faultFigureText(figure, fault)));
  return [framework, mode, String(users), trialsText(row), fault === null ? '' : lastedText(fault), ...figures];
}

const COMPARED = figuresIn('baseline');

/**
 * Has no rows where no run has cells of the baseline with the mode and users of others.
 *
 * @param all where the baseline is looked for: it is of one tier, and the baseline of every other too
 */
export function marginalTable({ cells, runs }: ReportData, all: readonly ReportCell[] = cells): CaptionedTable {
  const isBaseline = ({ run, summary }: ReportCell) => isBaselineIn(runs[run]!.environment, summary.framework);
  const baselines = new Map(
    measuredOf(all)
      .filter(isBaseline)
      .map((cell) => [conditionsOf(cell), cell.summary]),
  );
  const baselineNames = [...new Set([...baselines.values()].map(({ framework }) => framework))].join(', ');
  const rows = measuredOf(cells).flatMap((cell) => {
    const baseline = baselines.get(conditionsOf(cell));
    const { framework, mode, users } = cell.summary;
    if (baseline === undefined || isBaseline(cell)) return [];
    return [[...runText({ runs }, cell.run), framework, mode, String(users), ...differences(cell.summary, baseline)]];
  });
  return {
    id: 'marginal',
    title: `Cost over ${baselineNames}, of the same run, mode and users`,
    columns: [...runColumn({ runs }), ...columnsOf(COMPARED.map(({ short }) => short))],
    rows,
    notes: [
      `What ${baselineNames} takes is the editor’s, Chrome’s, the harness’s and a relay’s: Chrome’s shared processes drop out, so these figures compare between user counts.`,
    ],
  };
}

function measuredOf(cells: readonly ReportCell[]): ReportCell[] {
  return cells.filter(({ summary }) => summary.validTrials > 0);
}

function conditionsOf({ run, summary: { mode, users } }: ReportCell): string {
  return JSON.stringify([run, mode, users]);
}

function differences(summary: CellSummary, baseline: CellSummary): string[] {
  return COMPARED.map((figure) => {
    const [value, base] = [figureOf(summary, figure), figureOf(baseline, figure)];
    return value === null || base === null ? NOTHING : formatFigure(value - base);
  });
}

/** Has no rows where no framework has run with three user counts. */
export function scalingTable({ cells, runs }: Pick<ReportData, 'cells' | 'runs'>): CaptionedTable {
  const named = runs.map((_, run) => ({
    name: runText({ runs }, run),
    cells: cells.filter((cell) => cell.run === run),
  }));
  const rows = named.flatMap((run) =>
    [...Map.groupBy(scalingLaws(run.cells), ({ framework, mode }) => JSON.stringify([framework, mode])).values()].map(
      (laws) => [...run.name, ...rowOf(laws)],
    ),
  );
  return {
    id: 'scaling',
    title: 'How figures grow with the users: the exponent',
    columns: [...runColumn({ runs }), ...columnsOf(SCALING_FIGURES.map(({ label }) => label))],
    rows,
    notes: [
      '0: does not grow; 1: grows like the number of users; 2: like its square. In brackets: the 95 % interval, by what the trials leave over of a straight line on log-log scales; it says nothing of user counts beyond these.',
      'A part that does not grow, as an idle server’s CPU or a user’s own typing, makes an exponent smaller.',
      ...named.flatMap((run) => withoutScaling(run.cells)),
    ],
  };
}

function rowOf(laws: readonly ScalingLaw[]): string[] {
  const { framework, mode } = laws[0]!;
  const counts = [...new Set(laws.flatMap(({ users }) => users))].sort((a, b) => a - b);
  const texts = SCALING_FIGURES.map(({ name }) => {
    const law = laws.find(({ figure }) => figure === name);
    return law === undefined ? NOTHING : formatExponent(law.exponent, law.ci95);
  });
  return [framework, mode, `${counts[0]}–${counts.at(-1)}`, ...texts];
}

/** A cell's columns, and those of its figures. */
function columnsOf(figures: readonly Column['heading'][]): Column[] {
  return [...['framework', 'mode'].map(left), ...['users', ...figures].map((heading) => right(heading))];
}

/** A column for the run, where there are several. */
export function runColumn({ runs }: Pick<ReportData, 'runs'>): Column[] {
  return runs.length > 1 ? [left('run')] : [];
}

/** Its text in the row of a cell. */
export function runText({ runs }: Pick<ReportData, 'runs'>, run: number): string[] {
  return runs.length > 1 ? [`${runs[run]!.experiment} ${runs[run]!.startedAt}`] : [];
}
