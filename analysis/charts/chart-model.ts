/** Makes the models of charts from cells and series. */

import type { SeriesPoint } from '../../results/formats/summary.ts';
import { BUCKET_S } from '../figures/criterion.ts';
import { type ChartedFigure, figureOf, isHeadline, longUnit, titleOf } from '../figures/figure.ts';
import {
  countOf,
  formatFigure,
  formatOf,
  formatTick,
  formatWithInterval,
  MARK,
  markOf,
} from '../figures/figure-text.ts';
import { FAULT_WORDS } from '../resilience/fault-text.ts';
import { type Cell, GAVE_OUT, TIER_TITLES, type Tier, type TypingCell } from '../scenarios/cell.ts';
import { type ChartLine, type ChartModel, type ChartPoint, type ChartSpan, PLAIN } from './forms/form.ts';
import { faultsIn, spanText, time, users } from './forms/over.ts';
import { bars, rows } from './forms/rows.ts';
import { showsBound } from './forms/scale.ts';
import { assignStyles, type Colours, type FrameworkStyle, styleOfRun } from './palette.ts';

/** With so few user counts a line says nothing: frameworks become rows, and user counts points in them. */
export const FEW_COUNTS = 2;

export interface ChartCell extends TypingCell {
  /** Which of the runs of a report it belongs to. */
  run: number;
}

/** A cell, with the name of the line that it belongs to, and how that is drawn. */
export interface NamedCell<Cell extends ChartCell = ChartCell> {
  line: string;
  style: FrameworkStyle;
  cell: Cell;
}

/** Names the lines of a report: the framework's name, with the run's number where several runs have it. */
export function nameCells<Cell extends ChartCell>(
  cells: readonly Cell[],
  styles: ReadonlyMap<string, FrameworkStyle> = stylesOfCells(cells),
): NamedCell<Cell>[] {
  const runsOf = Map.groupBy(cells, ({ parameters }) => parameters.framework);
  return cells.map((cell) => {
    const { framework } = cell.parameters;
    const runs = [...new Set(runsOf.get(framework)!.map(({ run }) => run))];
    const line = runs.length === 1 ? framework : `${framework}, run ${cell.run + 1}`;
    return { line, style: styleOfRun(styles.get(framework)!, runs.indexOf(cell.run)), cell };
  });
}

/** @param colours of the frameworks that have their own */
export function stylesOfCells(cells: readonly TypingCell[], colours: Colours = {}): Map<string, FrameworkStyle> {
  return assignStyles([...new Set(cells.map(({ parameters }) => parameters.framework))], colours);
}

/** The cells of a chart. */
interface Selection {
  mode: string;
  users?: number;
  tier: Tier;
}

/** A figure against the number of users, for the cells of one mode and tier. */
export function usersChart(figure: ChartedFigure, cells: readonly NamedCell[], selection: Selection): ChartModel {
  // Of all tiers: their charts stand side by side.
  const ofMode = cells.filter(({ cell }) => cell.parameters.mode === selection.mode);
  const userCounts = new Set(ofMode.map(({ cell }) => cell.parameters.users));
  return {
    ...ofCells(figure, cells, selection, (cell) => [cellPoint(figure, cell)]),
    form: userCounts.size <= FEW_COUNTS ? rows : users,
  };
}

/** A figure over time, for the cells of one mode, user count and tier. */
export function timeChart(
  figure: ChartedFigure,
  cells: readonly NamedCell[],
  selection: Selection & { users: number },
): ChartModel {
  const selected = select(cells, selection).map(({ cell }) => cell);
  return {
    ...ofCells(figure, cells, selection, ({ series }) => seriesPoints(figure, series)),
    form: time,
    spans: [...warmUpOf(selected.map(({ series }) => series)), ...faultSpans(selected)],
  };
}

function select(cells: readonly NamedCell[], { mode, users, tier }: Selection): NamedCell[] {
  return cells.filter(
    ({ cell: { parameters, tier: own } }) =>
      parameters.mode === mode && own === tier && (users === undefined || parameters.users === users),
  );
}

function ofCells(
  figure: ChartedFigure,
  cells: readonly NamedCell[],
  selection: Selection,
  pointsOf: (cell: ChartCell) => ChartPoint[],
): Omit<ChartModel, 'form'> {
  const { mode, users, tier } = selection;
  const selected = select(cells, selection);
  const described = describe(figure);
  const isMarked = selected.some(({ cell }) => markOf(figure, cell) !== '');
  return {
    ...described,
    title: described.title + (isMarked ? MARK : ''),
    hint: described.hint + (isMarked ? `; ${MARK} the last calibration missed its bound` : ''),
    of: users === undefined ? mode : `${mode}, ${countOf(users, 'user')}`,
    tier: cells.every(({ cell }) => cell.tier === tier) ? null : TIER_TITLES[tier],
    lines: [...Map.groupBy(selected, ({ line }) => line)].map(([name, group]) => ({
      name,
      style: group[0]!.style,
      points: group.flatMap(({ cell }) => pointsOf(cell)).sort((a, b) => a.x - b.x),
    })),
    absent: selected.flatMap(({ line, cell }) => {
      const name = users === undefined ? `${line}, ${countOf(cell.parameters.users, 'user')}` : line;
      const instead = insteadOf(cell);
      return instead === null ? [] : [`${name}: ${instead}`];
    }),
  };
}

/** A figure over time, for one trial that runs or has just ended. */
export function trialChart(
  figure: ChartedFigure,
  trial: { planned: { framework: string; cell: string; trial: number }; series: readonly SeriesPoint[] },
  colours: Colours = {},
): ChartModel {
  const { planned, series } = trial;
  const style = assignStyles([planned.framework], colours).get(planned.framework)!;
  return {
    ...describe(figure),
    form: time,
    of: `${planned.cell}, trial ${planned.trial}`,
    lines: [{ name: planned.framework, style, points: seriesPoints(figure, series) }],
    spans: warmUpOf([series]),
  };
}

export interface CarriedUsers {
  framework: string;
  largestHeld: number | null;
  end: { users: number; outcome: 'missed' | 'unknown' } | null;
  /** In words, behind its bar. */
  answer: string;
}

/** A bar for each framework up to the most users that it carried, and how far they may reach. */
export function maxUsersChart(
  carried: readonly CarriedUsers[],
  { title, colours = {} }: { title: string; colours?: Colours },
): ChartModel {
  const styles = assignStyles([...new Set(carried.map(({ framework }) => framework))], colours);
  const lines = carried.map(({ framework, largestHeld, end, answer }): ChartLine => {
    const interval = end && { low: largestHeld ?? 0, high: end.users, isOpen: end.outcome === 'unknown' };
    const point = { x: 0, value: largestHeld, interval, instead: null, label: answer };
    return { name: framework, style: styles.get(framework)!, points: [point] };
  });
  return { ...PLAIN, id: 'max-users', title, unit: 'users', hint: '', form: bars, of: '', format: formatFigure, lines };
}

function seriesPoints(figure: ChartedFigure, series: readonly SeriesPoint[]): ChartPoint[] {
  return series.map((point) => {
    const value = figureOf(point, figure);
    return { x: point.fromS + BUCKET_S / 2, value, interval: null, instead: null };
  });
}

/** The longest of the warm-ups, as far as series show it. */
function warmUpOf(all: readonly (readonly SeriesPoint[])[]): ChartSpan[] {
  const ends = all.flat().flatMap(({ phase, fromS }) => (phase === 'warm-up' ? [fromS + BUCKET_S] : []));
  return ends.length === 0 ? [] : [{ of: 'warm-up', name: 'warm-up', fromS: 0, toS: Math.max(...ends) }];
}

/**
 * The faults that the experiment asked for, each once. Cells of one experiment have the same faults, but one server may
 * take longer to come back than another. A fault that did not end lasts as long as the series.
 */
function faultSpans(cells: readonly ChartCell[]): ChartSpan[] {
  const lasted = cells.flatMap(({ faults, series }) =>
    faults.map(({ forS, ...fault }) => {
      const toS = forS === null ? (series.at(-1)?.fromS ?? fault.atS) + BUCKET_S : fault.atS + forS;
      return { ...fault, toS };
    }),
  );
  return [...Map.groupBy(lasted, ({ fault, kind }) => `${fault} ${kind}`).values()]
    .map((same) => ({
      of: 'fault' as const,
      name: FAULT_WORDS[same[0]!.kind],
      fromS: Math.min(...same.map(({ atS }) => atS)),
      toS: Math.max(...same.map(({ toS }) => toS)),
    }))
    .sort((a, b) => a.fromS - b.fromS);
}

function describe(figure: ChartedFigure): Omit<ChartModel, 'form' | 'lines'> {
  const { chart, what, scale, bound } = figure;
  return {
    ...PLAIN,
    id: chart.id,
    title: titleOf(figure),
    unit: longUnit(figure),
    hint: what,
    of: '',
    scale: chart.axis === 'any' ? scale : null,
    bound,
    whole: chart.axis === 'nearly whole' ? 100 : null,
    format: (value, interval) => formatWithInterval(value, interval, formatOf(figure)),
  };
}

/** True if nothing is to be drawn: neither a figure, nor a cell that is not valid. */
export function isEmpty({ lines }: ChartModel): boolean {
  return lines.every(({ points }) => points.every(({ value, instead }) => value === null && instead === null));
}

/** `Server CPU, %: over the same relay`. */
export function headingOf({ title, unit, tier }: ChartModel): string {
  return `${title}, ${unit}${tier === null ? '' : `: ${tier}`}`;
}

/** Below the heading: the part of the report, what the figure is, and a bound that the axis does not reach. */
export function hintOf(model: ChartModel, isLog: boolean): string {
  const { bound, of, hint, unit } = model;
  const isFar = bound !== null && !showsBound(model, isLog);
  return [of, hint, ...(isFar ? [`bound: ${formatTick(bound.value)} ${unit}, far off`] : [])].join(' · ');
}

/** In words, for those who do not see the picture. The figures stand in the table below it. */
export function describeChart(model: ChartModel): string {
  const { title, unit, form, bound, format } = model;
  const of = model.tier === null ? model.of : `${model.of}, ${model.tier}`;
  const figures = model.lines.flatMap(({ name, points }) =>
    points.flatMap(({ value }) => (value === null ? [] : [{ name, value }])),
  );
  const sentences = [`${title}, ${unit}, ${form.against}, ${of}: ${model.lines.map(({ name }) => name).join(', ')}.`];
  if (figures.length > 0) {
    const least = figures.reduce((a, b) => (b.value < a.value ? b : a));
    const most = figures.reduce((a, b) => (b.value > a.value ? b : a));
    sentences.push(`From ${format(least.value, null)} (${least.name}) to ${format(most.value, null)} (${most.name}).`);
  }
  if (bound !== null) sentences.push(`Fully functional: ${bound.kind} ${bound.value} ${unit}.`);
  const shaded = faultsIn(model.spans).map(spanText);
  if (shaded.length > 0) sentences.push(`Shaded: ${shaded.join('; ')}.`);
  if (model.absent.length > 0) sentences.push(`No figures: ${model.absent.join('; ')}.`);
  return [...sentences, 'The table below the chart holds all figures.'].join(' ');
}

function cellPoint(figure: ChartedFigure, cell: ChartCell): ChartPoint {
  const instead = insteadOf(cell);
  return {
    x: cell.parameters.users,
    value: instead === null ? figureOf(cell, figure) : null,
    interval: instead === null && isHeadline(figure) ? (cell.ci95[figure.name] ?? null) : null,
    instead,
    label: cell.messages.find(({ code }) => code === GAVE_OUT)?.text,
  };
}

/** The word in the place of figures if no trial is valid; null if one is. */
export function insteadOf({ validTrials, verdict }: Cell): string | null {
  if (validTrials > 0) return null;
  return verdict === 'invalid' ? 'not valid' : verdict;
}
