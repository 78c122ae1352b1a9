/** Tables of faults: how users fared with what was asked to break. */
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import {
  type FaultedCell,
  type FaultRow,
  faultFigureText,
  groupByFault,
  lastedText,
  trialsText,
} from '../resilience/fault-text.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type CaptionedTable, type ColumnOf, left, right, tabulate } from '../tables/table.ts';
import type { TypingReport } from './report-data.ts';

/** Empty where nothing was asked to break. */
export function resilienceTables({ cells, runs }: Pick<TypingReport, 'cells' | 'runs'>): CaptionedTable[] {
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
