/**
 * The figures that a reader looks at first: what they are called, how one trial gives them, and how they are compared.
 * They have intervals over trials, and `compare` compares them.
 */
import type { CellSummary } from '../results/formats/summary.ts';
import { quantileOrNull } from './statistics/quantile.ts';
import type { TrialFigures } from './trial-figures.ts';

export type HeadlineFigureName = keyof CellSummary['ci95'];

export interface HeadlineFigure {
  name: HeadlineFigureName;
  /** As a heading says it, without the unit. */
  label: string;
  unit: '%' | 'ms' | 'MiB';
  /** Latencies are skewed and what disturbs a trial multiplies them, so their scale is logarithmic. */
  scale: 'linear' | 'log';
  better: 'lower' | 'higher';
  /** A trial's own figure; null where it was not measured or has too few samples. */
  of(trial: TrialFigures): number | null;
}

export const HEADLINE_FIGURES: readonly HeadlineFigure[] = [
  {
    name: 'throughputPercent',
    label: 'throughput',
    unit: '%',
    scale: 'linear',
    better: 'higher',
    of: ({ edits }) => (edits.offered === 0 ? null : (100 * edits.performed) / edits.offered),
  },
  {
    name: 'localLatencyMs.p50',
    label: 'local latency, median',
    unit: 'ms',
    scale: 'log',
    better: 'lower',
    of: ({ localLatenciesMs }) => quantileOrNull(localLatenciesMs, 0.5),
  },
  {
    name: 'localLatencyMs.p95',
    label: 'local latency, 95th percentile',
    unit: 'ms',
    scale: 'log',
    better: 'lower',
    of: ({ localLatenciesMs }) => quantileOrNull(localLatenciesMs, 0.95),
  },
  {
    name: 'endToEndLatencyMs.p50',
    label: 'end-to-end latency, median',
    unit: 'ms',
    scale: 'log',
    better: 'lower',
    of: ({ endToEndLatenciesMs }) => quantileOrNull(endToEndLatenciesMs, 0.5),
  },
  {
    name: 'endToEndLatencyMs.p95',
    label: 'end-to-end latency, 95th percentile',
    unit: 'ms',
    scale: 'log',
    better: 'lower',
    of: ({ endToEndLatenciesMs }) => quantileOrNull(endToEndLatenciesMs, 0.95),
  },
  {
    name: 'serverCpuPercent',
    label: 'server CPU',
    unit: '%',
    scale: 'linear',
    better: 'lower',
    of: ({ resources }) => resources.serverCpuPercent,
  },
  {
    name: 'userCpuPercent',
    label: 'user CPU',
    unit: '%',
    scale: 'linear',
    better: 'lower',
    of: ({ resources }) => resources.userCpuPercent,
  },
  {
    name: 'userMemoryMiB',
    label: 'user memory',
    unit: 'MiB',
    scale: 'linear',
    better: 'lower',
    of: ({ resources }) => resources.userMemoryMiB,
  },
];

/** One value per headline figure. */
export function mapHeadlineFigures<T>(give: (figure: HeadlineFigure) => T): Record<HeadlineFigureName, T> {
  return Object.fromEntries(HEADLINE_FIGURES.map((figure) => [figure.name, give(figure)])) as Record<
    HeadlineFigureName,
    T
  >;
}

/** A cell's own figure of that name, pooled over its valid trials. */
export function headlineFigureOf(cell: CellSummary, name: HeadlineFigureName): number | null {
  switch (name) {
    case 'localLatencyMs.p50':
      return cell.localLatencyMs.p50;
    case 'localLatencyMs.p95':
      return cell.localLatencyMs.p95;
    case 'endToEndLatencyMs.p50':
      return cell.endToEndLatencyMs.p50;
    case 'endToEndLatencyMs.p95':
      return cell.endToEndLatencyMs.p95;
    default:
      return cell[name];
  }
}
