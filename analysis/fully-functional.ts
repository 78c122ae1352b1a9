/** Whether a cell is fully functional: does everyone type unhindered, and see the others' edits soon? */
import type { CellSummary } from '../results/formats/summary.ts';
import { neededSamples } from './statistics/quantile.ts';

/** @see Weidner et al. 2023, "Collabs: A Flexible and Performant CRDT Collaboration Framework", section 7 */
export const MIN_THROUGHPUT_PERCENT = 98;
export const MAX_MEDIAN_LOCAL_LATENCY_MS = 100;
export const MAX_MEDIAN_END_TO_END_LATENCY_MS = 3000;
/** The paper allows the 95th percentile twice the median's bound. */
export const P95_FACTOR = 2;
/** This project's own bound: latency says nothing of sigils that never arrive, so starved receivers would go unseen. */
const MIN_SIGILS_ARRIVED_PERCENT = 95;

/** How the reasons and notes of a cell begin that come from here; `max-users.ts` finds them by it. */
export const MISSED = 'not fully functional: ';
export const UNKNOWN = 'fully functional or not is unknown: ';

type Figures = Pick<CellSummary, 'throughputPercent' | 'sigilsArrivedPercent' | 'localLatencyMs' | 'endToEndLatencyMs'>;

interface Bound {
  figure: string;
  value: number | null;
  bound: number;
  unit: '%' | 'ms';
  kind: 'at least' | 'at most';
  /** Why the value may be missing. */
  missing: string;
}

export interface Functionality {
  /** Null where no bound is missed, but a figure that is needed is not known. */
  fullyFunctional: boolean | null;
  /** The bounds missed, and by how much. */
  missed: string[];
  /** The figures that are not known, and why. */
  unknown: string[];
}

/** Holds a cell's figures against the criterion. */
export function judgeFunctionality(figures: Figures): Functionality {
  const bounds = listBounds(figures);
  const missed = bounds.filter(isMissed).map(describeMiss);
  const unknown = bounds.filter(({ value }) => value === null).map(({ figure, missing }) => `${figure}: ${missing}`);
  const fullyFunctional = missed.length > 0 ? false : unknown.length > 0 ? null : true;
  return { fullyFunctional, missed, unknown };
}

function listBounds({ throughputPercent, sigilsArrivedPercent, localLatencyMs, endToEndLatencyMs }: Figures): Bound[] {
  const percent = { unit: '%', kind: 'at least' } as const;
  const milliseconds = { unit: 'ms', kind: 'at most' } as const;
  const tooFew = (samples: number, p: number) => `${samples} of the ${neededSamples(p)} samples that it needs`;
  return [
    {
      figure: 'throughput',
      value: throughputPercent,
      bound: MIN_THROUGHPUT_PERCENT,
      ...percent,
      missing: 'no edit fell due in the measured window',
    },
    {
      figure: 'median local latency',
      value: localLatencyMs.p50,
      bound: MAX_MEDIAN_LOCAL_LATENCY_MS,
      ...milliseconds,
      missing: tooFew(localLatencyMs.samples, 0.5),
    },
    {
      figure: '95th percentile of local latency',
      value: localLatencyMs.p95,
      bound: P95_FACTOR * MAX_MEDIAN_LOCAL_LATENCY_MS,
      ...milliseconds,
      missing: tooFew(localLatencyMs.samples, 0.95),
    },
    {
      figure: 'median end-to-end latency',
      value: endToEndLatencyMs.p50,
      bound: MAX_MEDIAN_END_TO_END_LATENCY_MS,
      ...milliseconds,
      missing: tooFew(endToEndLatencyMs.samples, 0.5),
    },
    {
      figure: '95th percentile of end-to-end latency',
      value: endToEndLatencyMs.p95,
      bound: P95_FACTOR * MAX_MEDIAN_END_TO_END_LATENCY_MS,
      ...milliseconds,
      missing: tooFew(endToEndLatencyMs.samples, 0.95),
    },
    {
      figure: 'sigils arrived',
      value: sigilsArrivedPercent,
      bound: MIN_SIGILS_ARRIVED_PERCENT,
      ...percent,
      missing: 'no unbroken sigil was sent in the measured window to another user',
    },
  ];
}

function isMissed({ value, bound, kind }: Bound): boolean {
  return value !== null && (kind === 'at least' ? value < bound : value > bound);
}

function describeMiss({ figure, value, bound, unit, kind }: Bound): string {
  const difference = Math.round(Math.abs(value! - bound) * 1000) / 1000;
  return `${figure} is ${value} ${unit}, ${kind} ${bound} ${unit} is needed (missed by ${difference} ${unit})`;
}
