/** Whether a cell is fully functional: does everyone type unhindered, and see the others' edits soon? */
import type { CellSummary } from '../results/formats/summary.ts';
import { BOUNDED_FIGURES } from './figures/catalogue.ts';
import { type Bound, type BoundedFigure, type Figure, figureOf } from './figures/figure.ts';
import { neededSamples } from './statistics/quantile.ts';

/** How the reasons and notes of a cell begin that come from here; `max-users.ts` finds them by it. */
export const MISSED = 'not fully functional: ';
export const UNKNOWN = 'fully functional or not is unknown: ';

type Bounded = Pick<CellSummary, 'throughputPercent' | 'sigilsArrivedPercent' | 'localLatencyMs' | 'endToEndLatencyMs'>;

interface Functionality {
  /** Null where no bound is missed, but a figure that is needed is not known. */
  fullyFunctional: boolean | null;
  /** The bounds missed, and by how much. */
  missed: string[];
  /** The figures that are not known, and why. */
  unknown: string[];
}

/** How the figures came to be. */
export interface Circumstances {
  trials: number;
  /** Trials that the framework failed. */
  failedTrials: number;
  /** The same figures of the trials whose machine was not busy throughout; null where it was in none. */
  calm: Bounded | null;
}

/**
 * Holds a cell's figures against the criterion: the bounds of the catalogue, and that the framework failed no trial. A bound
 * that is missed only where the machine was busy throughout may be the machine's miss, so that is not known.
 */
export function judgeFunctionality(figures: Bounded, { trials, failedTrials, calm }: Circumstances): Functionality {
  const bounded = BOUNDED_FIGURES.map((figure) => ({ figure, value: figureOf(figures as CellSummary, figure) }));
  const misses = bounded.filter(({ figure, value }) => value !== null && isMissed(value, figure.bound));
  const isMachines = ({ figure }: { figure: BoundedFigure }) => {
    const value = calm && figureOf(calm as CellSummary, figure);
    return calm !== null && (value === null || !isMissed(value, figure.bound));
  };
  const missed = [
    ...(failedTrials > 0 ? [`${failedTrials} of ${trials} ${trials === 1 ? 'trial' : 'trials'} failed`] : []),
    ...misses.filter((miss) => !isMachines(miss)).map(({ figure, value }) => describeMiss(figure, value!)),
  ];
  const machines = misses.filter(isMachines);
  const unknown = [
    ...machines.map(
      ({ figure, value }) => `${describeMiss(figure, value!)}, but only where the machine was busy throughout`,
    ),
    ...unknownOf(bounded, figures),
  ];
  const fullyFunctional = missed.length > 0 ? false : unknown.length > 0 ? null : true;
  return { fullyFunctional, missed, unknown };
}

function unknownOf(bounded: readonly { figure: BoundedFigure; value: number | null }[], figures: Bounded): string[] {
  return bounded.flatMap(({ figure, value }) =>
    value === null ? [`${inSentence(figure)}: ${whyMissing(figure, figures)}`] : [],
  );
}

function isMissed(value: number, { value: bound, kind }: Bound): boolean {
  return kind === 'at least' ? value < bound : value > bound;
}

function describeMiss(figure: BoundedFigure, value: number): string {
  const { unit } = figure;
  const { value: bound, kind } = figure.bound;
  const difference = Math.round(Math.abs(value - bound) * 1000) / 1000;
  return `${inSentence(figure)} is ${value} ${unit}, ${kind} ${bound} ${unit} is needed (missed by ${difference} ${unit})`;
}

function whyMissing({ source }: Figure, figures: Bounded): string {
  if (source.pooled === 'share') return source.none;
  if (source.pooled !== 'quantile') return 'it was not measured';
  const samples = figures[source.samples as 'localLatencyMs' | 'endToEndLatencyMs'].samples;
  return `${samples} of the ${neededSamples(source.p)} samples that it needs`;
}

/** `local latency, median` → `median local latency`. */
function inSentence({ label }: Figure): string {
  const [what, part] = label.split(', ');
  if (part === undefined) return label;
  return part === 'median' ? `median ${what}` : `${part} of ${what}`;
}
