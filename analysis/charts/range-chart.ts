/** The chart that answers first: a bar from the median to the 95th percentile for each framework, the shortest on top. */

import { QUICKNESS, QUICKNESS_P95 } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import { countOf, formatFigure } from '../figures/figure-text.ts';
import { TIER_TITLES, type Tier } from '../scenarios/cell.ts';
import type { NamedCell } from './chart-model.ts';
import { type ChartModel, PLAIN } from './forms/form.ts';
import { ranges as inRanges } from './forms/rows.ts';
import type { FrameworkStyle } from './palette.ts';

export interface Range {
  /** Unique in its chart. */
  name: string;
  style: FrameworkStyle;
  users: number;
  median: number | null;
  p95: number | null;
  /** Said instead of figures if the cell has no valid trial; else null. */
  instead: string | null;
}

/** End-to-end latency of the cells of one mode, user count and tier. */
export function answerChart(
  cells: readonly NamedCell[],
  { mode, users, tier }: { mode: string; users: number; tier: Tier },
): ChartModel {
  const ofTier = cells.filter(({ cell }) => cell.tier === tier);
  const shown = ofTier.filter(({ cell: { parameters } }) => parameters.mode === mode && parameters.users === users);
  return rangeChart(
    shown.map(({ line, style, cell }) => {
      const isValid = cell.validTrials > 0;
      const known = (figure: typeof QUICKNESS) => (isValid ? figureOf(cell, figure) : null);
      const instead = isValid ? null : cell.verdict;
      return { name: line, style, users, median: known(QUICKNESS), p95: known(QUICKNESS_P95), instead };
    }),
    {
      id: 'answer',
      title: 'From key to the others’ screens',
      unit: 'ms',
      hint: 'end-to-end latency, from the median to the 95th percentile',
      of: `${mode}, ${countOf(users, 'user')}`,
      tier: ofTier.length === cells.length ? null : TIER_TITLES[tier],
    },
  );
}

/** @param isSorted true if the order is the reader's */
export function rangeChart(
  ranges: readonly Range[],
  {
    isSorted = false,
    ...described
  }: Pick<ChartModel, 'id' | 'title' | 'unit' | 'hint' | 'of' | 'tier'> & { isSorted?: boolean },
): ChartModel {
  const order = ({ p95, median }: Range) => p95 ?? median ?? Number.POSITIVE_INFINITY;
  const sorted = isSorted ? ranges : ranges.toSorted((a, b) => order(a) - order(b) || 0);
  return {
    ...PLAIN,
    ...described,
    form: inRanges,
    scale: 'log',
    lines: sorted.map(({ name, style, users, median, p95, instead }) => {
      const interval = median === null || p95 === null ? null : { low: median, high: p95 };
      return { name, style, points: [{ x: users, value: median, interval, instead }] };
    }),
    format: (median, range) =>
      range === null ? formatFigure(median) : `${formatFigure(median)} to ${formatFigure(range.high)}`,
  };
}
