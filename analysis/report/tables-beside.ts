/** Tables beside the main one: resilience, and the cost on top of a framework that does nothing. */

import { figuresIn } from '../figures/catalogue.ts';
import { type FiguredCell, figureOf } from '../figures/figure.ts';
import { formatFigure, NOTHING } from '../figures/figure-text.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import {
  type FaultedCell,
  type FaultRow,
  faultFigureText,
  groupByFault,
  lastedText,
  trialsText,
} from '../resilience/fault-text.ts';
import { isBaselineIn } from '../scenarios/cell.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type CaptionedTable, type Column, left, right } from '../tables/table.ts';
import { type ReportCell, type ReportData, runColumn, runText } from './report-data.ts';

/** Empty where nothing was asked to break. */
export function resilienceTables({ cells, runs }: Pick<ReportData, 'cells' | 'runs'>): CaptionedTable[] {
  return runs.flatMap(({ experiment, startedAt }, run) => {
    const own = cells.filter((cell) => cell.run === run);
    const several = runs.length > 1;
    return faultTables(own).map((table) => ({
      ...table,
      id: table.id + (several ? `-${run + 1}` : ''),
      title: table.title + (several ? `, ${experiment} ${startedAt}` : ''),
    }));
  });
}

/** The same of one run. */
export function faultTables(cells: readonly FaultedCell[]): CaptionedTable[] {
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
  const { cell, fault } = row;
  const { framework, mode, users } = cell.parameters;
  const figures = FAULT_FIGURES.map((figure) => (fault === null ? '' : faultFigureText(figure, fault)));
  return [framework, mode, String(users), trialsText(row), fault === null ? '' : lastedText(fault), ...figures];
}

type Figured = Pick<FiguredCell, 'figures'>;

const COMPARED = figuresIn('baseline');

/**
 * Has no rows where no run has cells of the baseline with the mode and users of others.
 *
 * @param all where the baseline is looked for: it is of one tier, and the baseline of every other too
 */
export function marginalTable({ cells, runs }: ReportData, all: readonly ReportCell[] = cells): CaptionedTable {
  const isBaseline = ({ run, parameters }: ReportCell) => isBaselineIn(runs[run]!.environment, parameters.framework);
  const baselines = new Map(
    measuredOf(all)
      .filter(isBaseline)
      .map((cell) => [conditionsOf(cell), cell]),
  );
  const baselineNames = [...new Set([...baselines.values()].map(({ parameters }) => parameters.framework))].join(', ');
  const rows = measuredOf(cells).flatMap((cell) => {
    const baseline = baselines.get(conditionsOf(cell));
    const { framework, mode, users } = cell.parameters;
    if (baseline === undefined || isBaseline(cell)) return [];
    return [[...runText({ runs }, cell.run), framework, mode, String(users), ...differences(cell, baseline)]];
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
  return cells.filter(({ validTrials }) => validTrials > 0);
}

function conditionsOf({ run, parameters: { mode, users } }: ReportCell): string {
  return JSON.stringify([run, mode, users]);
}

function differences(cell: Figured, baseline: Figured): string[] {
  return COMPARED.map((figure) => {
    const [value, base] = [figureOf(cell, figure), figureOf(baseline, figure)];
    return value === null || base === null ? NOTHING : formatFigure(value - base);
  });
}

/** A cell's columns, and those of its figures. */
function columnsOf(figures: readonly Column['heading'][]): Column[] {
  return [...['framework', 'mode'].map(left), ...['users', ...figures].map((heading) => right(heading))];
}
