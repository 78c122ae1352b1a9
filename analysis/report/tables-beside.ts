/** Tables beside the main one: resilience, and the cost on top of a framework that does nothing. */

import { figuresIn } from '../figures/catalogue.ts';
import { type Figure, figureOf } from '../figures/figure.ts';
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
import { type CaptionedTable, type ColumnOf, left, right, tabulate } from '../tables/table.ts';
import { cellColumns, type ReportCell, type ReportData } from './report-data.ts';

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
  const columns: ColumnOf<FaultRow>[] = [
    { ...left('framework'), text: ({ cell }) => cell.parameters.framework },
    { ...left('mode'), text: ({ cell }) => cell.parameters.mode },
    { ...right('users'), text: ({ cell }) => String(cell.parameters.users) },
    ...faultColumns({ intervals: true }),
  ];
  return groupByFault(cells).map(({ fault, title, rows }) => ({
    ...tabulate(columns, rows),
    id: `resilience-${fault + 1}`,
    title: `Resilience: ${title}`,
    notes: [
      `Lasted: until the end; of a restart, until the server accepts connections again. ${FAULT_FIGURES.map(({ label, what }) => `${label}: ${what}`).join('. ')}.`,
      `Means over trials; in brackets: their 95 % interval, where there are ${MIN_TRIALS} trials or more. Never: it did not come to pass within the trial.`,
    ],
  }));
}

/** How users fared with a fault. */
export function faultColumns(options: { intervals: boolean }): ColumnOf<FaultRow>[] {
  return [
    { ...right('trials'), text: trialsText },
    { ...right(['lasted', 's']), text: ({ fault }) => (fault === null ? '' : lastedText(fault)) },
    ...FAULT_FIGURES.map((figure): ColumnOf<FaultRow> => {
      const text = ({ fault }: FaultRow) => (fault === null ? '' : faultFigureText(figure, fault, options));
      return { ...right(figure.short), text };
    }),
  ];
}

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
  const baselineOf = (cell: ReportCell) => baselines.get(conditionsOf(cell));
  const baselineNames = [...new Set([...baselines.values()].map(({ parameters }) => parameters.framework))].join(', ');
  const columns: ColumnOf<ReportCell>[] = [
    ...cellColumns({ runs }),
    { ...right('users'), text: ({ parameters }) => String(parameters.users) },
    ...figuresIn('baseline').map((figure): ColumnOf<ReportCell> => {
      return { ...right(figure.short), text: (cell) => differenceText(figure, cell, baselineOf(cell)!) };
    }),
  ];
  const costly = measuredOf(cells).filter((cell) => baselineOf(cell) !== undefined && !isBaseline(cell));
  return {
    ...tabulate(columns, costly),
    id: 'marginal',
    title: `Cost over ${baselineNames}, of the same run, mode and users`,
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

function differenceText(figure: Figure, cell: ReportCell, baseline: ReportCell): string {
  const [value, base] = [figureOf(cell, figure), figureOf(baseline, figure)];
  return value === null || base === null ? NOTHING : formatFigure(value - base);
}
