/** Faults that were asked for, and their figures, as text; the cells of a run beside each other, for each fault. Browser-safe. */
import type { AskedFaultKind } from '../../results/formats/fault-records.ts';
import type { FaultSummary } from '../../results/formats/summary.ts';
import { countOf, formatFigure, formatWithInterval, NOTHING } from '../figures/figure-text.ts';
import type { FaultFigure } from './fault-figures.ts';

export const FAULT_WORDS: Readonly<Record<AskedFaultKind, string>> = {
  'server-restart': 'server restart',
  'server-pause': 'server pause',
  'server-roll': 'rolling restart',
  'server-apart': 'server apart',
  'store-restart': 'store restart',
  'broker-restart': 'broker restart',
  'network-cut': 'network cut',
  'network-slow': 'network slow',
  offline: 'offline',
};

type Named = Pick<FaultSummary, 'kind' | 'users' | 'atS'>;

/** The part of a cell that the texts of its faults need. */
export interface FaultedCell {
  parameters: { framework: string; mode: string; users: number };
  verdict: string;
  faults: readonly FaultSummary[];
}

interface WithUsers {
  parameters: { users: number };
}

/** `server restart at 25 s`; of some users only, `offline at 25 s, 2 users`. */
export function faultTitle({ kind, users, atS }: Named, cell: WithUsers): string {
  return `${FAULT_WORDS[kind]} at ${seconds(atS)}${whomText(users, cell)}`;
}

function whomText(users: number, cell: WithUsers): string {
  return users === cell.parameters.users ? '' : `, ${countOf(users, 'user')}`;
}

/** From so many on, equal faults are told as one. */
const MANY_FAULTS = 3;

/** All that was asked for in a cell's trials: `server restart at 25 s for 5.3 s; …`; empty if nothing was. */
export function describeFaults(cell: WithUsers & Pick<FaultedCell, 'faults'>): string {
  const equal = Map.groupBy(cell.faults, ({ kind, users, forS }) => [kind, users, lastedFor(forS)].join());
  const texts = [...equal.values()].flatMap((faults) => {
    const [{ kind, users, atS, forS }] = faults as [FaultSummary];
    const lasted = lastedFor(forS);
    if (faults.length < MANY_FAULTS) return faults.map((fault) => faultTitle(fault, cell) + lasted);
    const times = `${faults.length} times from ${seconds(atS)} to ${seconds(faults.at(-1)!.atS)}`;
    return [`${FAULT_WORDS[kind]} ${times}${whomText(users, cell)}, each${lasted}`];
  });
  return texts.join('; ');
}

function lastedFor(forS: number | null): string {
  return forS === null ? ', without an end' : ` for ${seconds(forS)}`;
}

/**
 * `5.2 (4.8–5.6)`; `never` where it came in no trial; `5.2, never in 1 of 3` where it did in some.
 *
 * @param options.intervals leaves them out where false
 */
export function faultFigureText(
  { name, per }: FaultFigure,
  fault: FaultSummary,
  { intervals = true }: { intervals?: boolean } = {},
): string {
  const { mean, ci95, never } = fault[name];
  if (never === fault.trials) return 'never';
  const interval = intervals && ci95 !== null ? { low: ci95.low / per, high: ci95.high / per } : null;
  const text = formatWithInterval(mean === null ? null : mean / per, interval);
  return never === 0 ? text : `${text}, never in ${never} of ${fault.trials}`;
}

/** How long it lasted, in seconds. */
export function lastedText({ forS }: Pick<FaultSummary, 'forS'>): string {
  return forS === null ? NOTHING : formatFigure(forS);
}

/** One decimal, and none where it is a whole number. */
function seconds(value: number): string {
  return `${value.toFixed(1).replace(/\.0$/, '')} s`;
}

export interface FaultGroup<Of extends FaultedCell> {
  /** Among the faults of the run. */
  fault: number;
  /** `Server restart at 25 s`. */
  title: string;
  rows: FaultRow<Of>[];
}

export interface FaultRow<Of extends FaultedCell = FaultedCell> {
  cell: Of;
  /** Null where no trial of the cell is valid. */
  fault: FaultSummary | null;
}

/** One group for each fault, in the order of the experiment's list; none where nothing was asked to break. */
export function groupByFault<Of extends FaultedCell>(cells: readonly Of[]): FaultGroup<Of>[] {
  const faults = cells.flatMap((cell) => cell.faults.map((fault) => ({ cell, fault })));
  const groups = Map.groupBy(faults, ({ fault }) => fault.fault);
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([number, [first]]) => {
      const title = faultTitle(first!.fault, first!.cell);
      return {
        fault: number,
        title: title.charAt(0).toUpperCase() + title.slice(1),
        rows: cells.map((cell) => ({
          cell,
          fault: cell.faults.find(({ fault }) => fault === number) ?? null,
        })),
      };
    });
}

/** In how many trials it happened; where none is valid, what they are instead. */
export function trialsText({ cell, fault }: FaultRow): string {
  return fault === null ? cell.verdict : String(fault.trials);
}
