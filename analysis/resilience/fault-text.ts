/** Faults that were asked for, and their figures, as text. Browser-safe. */
import type { AskedFaultKind } from '../../results/formats/fault-records.ts';
import type { CellSummary, FaultSummary } from '../../results/formats/summary.ts';
import { formatFigure, formatWithInterval, NOTHING } from '../figures/figure-text.ts';
import type { FaultFigure } from './fault-figures.ts';

const WORDS: Readonly<Record<AskedFaultKind, string>> = {
  'server-restart': 'server restart',
  'network-cut': 'network cut',
  'network-slow': 'network slow',
  offline: 'offline',
};

type Named = Pick<FaultSummary, 'kind' | 'users' | 'atS'>;

/** `server restart at 25 s`; of some users only, `offline at 25 s, 2 users`. */
export function faultTitle({ kind, users, atS }: Named, cell: Pick<CellSummary, 'users'>): string {
  const whom = users === cell.users ? '' : `, ${users} ${users === 1 ? 'user' : 'users'}`;
  return `${faultWord(kind)} at ${seconds(atS)}${whom}`;
}

export function faultWord(kind: AskedFaultKind): string {
  return WORDS[kind];
}

/** `server restart at 25 s for 5.3 s`. */
export function describeFault(fault: Named & Pick<FaultSummary, 'forS'>, cell: Pick<CellSummary, 'users'>): string {
  return `${faultTitle(fault, cell)}${fault.forS === null ? ', without an end' : ` for ${seconds(fault.forS)}`}`;
}

/** All that was asked for in a cell's trials; empty if nothing was. */
export function describeFaults(cell: Pick<CellSummary, 'users' | 'faults'>): string {
  return (cell.faults ?? []).map((fault) => describeFault(fault, cell)).join('; ');
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
