/** From the faults of trials to those of their cell. */
import type { FaultSummary } from '../../results/formats/summary.ts';
import { interval95 } from '../statistics/interval.ts';
import { meanOfKnown, onlyKnown, roundFigure } from '../statistics/known-figures.ts';
import { FAULT_FIGURES, type FaultFigure, type FaultFigureName } from './fault-figures.ts';
import type { TrialFault } from './trial-fault.ts';

/**
 * Pools the faults of a cell's valid trials, each with the same fault of the others. Figures are means over trials, which are the
 * independent unit here: a trial has one of each.
 */
export function poolFaults(trials: readonly (readonly TrialFault[])[]): FaultSummary[] {
  const groups = Map.groupBy(trials.flat(), ({ fault }) => fault);
  return [...groups].sort(([a], [b]) => a - b).map(([, faults]) => poolFault(faults));
}

function poolFault(faults: readonly TrialFault[]): FaultSummary {
  const { fault, kind } = faults[0]!;
  const figures = FAULT_FIGURES.map((figure) => [figure.name, poolFigure(faults, figure)] as const);
  return {
    fault,
    kind,
    users: Math.max(...faults.map(({ users }) => users)),
    atS: roundFigure(meanOfKnown(faults.map(({ atS }) => atS)))!,
    forS: roundFigure(meanOfKnown(faults.map(({ forS }) => forS))),
    trials: faults.length,
    ...(Object.fromEntries(figures) as Record<FaultFigureName, FaultSummary[FaultFigureName]>),
  };
}

/** Waits may be 0, so that no interval on the log scale could be had; and none is under 0, so neither is a bound. */
function poolFigure(faults: readonly TrialFault[], { name, never }: FaultFigure): FaultSummary[FaultFigureName] {
  const known = onlyKnown(faults.map((fault) => fault[name]));
  const interval = interval95(known, 'linear');
  return {
    mean: roundFigure(meanOfKnown(known)),
    ci95: interval && { low: roundFigure(Math.max(0, interval.low)), high: roundFigure(interval.high) },
    never: never === null ? 0 : faults.filter((fault) => fault[never]).length,
  };
}
