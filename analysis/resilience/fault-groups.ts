/** The cells of a run beside each other, for each fault that the experiment asked for. */
import type { CellSummary, FaultSummary } from '../../results/formats/summary.ts';
import { faultTitle } from './fault-text.ts';

export interface FaultGroup {
  /** Among the faults of the run. */
  fault: number;
  /** `Server restart at 25 s`. */
  title: string;
  rows: FaultRow[];
}

export interface FaultRow {
  summary: CellSummary;
  /** Null where no trial of the cell is valid. */
  fault: FaultSummary | null;
}

/** One group for each fault, in the order of the experiment's list; none where nothing was asked to break. */
export function groupByFault(cells: readonly CellSummary[]): FaultGroup[] {
  const faults = cells.flatMap((cell) => (cell.faults ?? []).map((fault) => ({ cell, fault })));
  const groups = Map.groupBy(faults, ({ fault }) => fault.fault);
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([number, [first]]) => {
      const title = faultTitle(first!.fault, first!.cell);
      return {
        fault: number,
        title: title.charAt(0).toUpperCase() + title.slice(1),
        rows: cells.map((summary) => ({
          summary,
          fault: summary.faults?.find(({ fault }) => fault === number) ?? null,
        })),
      };
    });
}

/** In how many trials it happened; where none is valid, what they are instead. */
export function trialsText({ summary, fault }: FaultRow): string {
  return fault === null ? summary.verdict : String(fault.trials);
}
