/** Makes the models of charts from cells and series. */

import type { CellSummary, SeriesPoint } from '../../results/formats/summary.ts';
import { TIER_TITLES, type Tier } from '../cell/cell.ts';
import { BUCKET_S } from '../figures/criterion.ts';
import { type ChartedFigure, figureOf, isHeadline, longUnit, titleOf } from '../figures/figure.ts';
import { countOf, formatFigure, formatOf, formatWithInterval, MARK, markOf } from '../figures/figure-text.ts';
import { faultWord } from '../resilience/fault-text.ts';
import { type ChartLine, type ChartModel, type ChartPoint, type ChartSpan, PLAIN } from './forms/form.ts';
import { faultsIn, spanText, time, users } from './forms/over.ts';
import { bars, rows } from './forms/rows.ts';
import { assignStyles, type Colours, type FrameworkStyle, styleOfRun } from './palette.ts';

/** With so few user counts a line says nothing: frameworks become rows, and user counts points in them. */
const MAX_USER_COUNTS_IN_ROWS = 2;

/** A cell as charts show it. */
export interface ChartCell {
  /** Which of the runs of a report it belongs to. */
  run: number;
  summary: CellSummary;
  /** Over time; empty if there is none. */
  series: readonly SeriesPoint[];
}

/** A cell, with the name of the line that it belongs to, and how that is drawn. */
export interface NamedCell<Cell extends ChartCell = ChartCell> {
  line: string;
  style: FrameworkStyle;
  cell: Cell;
}

/**
 * Names the lines of a report: the framework's name, with the run's number where several runs have it.
 *
 * @param colours of the frameworks that have their own
 */
export function nameCells<Cell extends ChartCell>(cells: readonly Cell[], colours: Colours = {}): NamedCell<Cell>[] {
  const styles = assignStyles([...new Set(cells.map(({ summary }) => summary.framework))], colours);
  const runsOf = Map.groupBy(cells, (cell) => cell.summary.framework);
  return cells.map((cell) => {
    const { framework } = cell.summary;
    const runs = [...new Set(runsOf.get(framework)!.map(({ run }) => run))];
    const line = runs.length === 1 ? framework : `${framework}, run ${cell.run + 1}`;
    return { line, style: styleOfRun(styles.get(framework)!, runs.indexOf(cell.run)), cell };
  });
}

/** A figure against the number of users, for the cells of one mode and tier. */
export function usersChart(
  figure: ChartedFigure,
  cells: readonly NamedCell[],
  { mode, tier }: { mode: string; tier: Tier },
): ChartModel {
  const ofMode = cells.filter(({ cell: { summary } }) => summary.mode === mode && summary.tier === tier);
  const userCounts = new Set(ofMode.map(({ cell }) => cell.summary.users));
  return {
    ...described(figure, ofMode),
    form: userCounts.size <= MAX_USER_COUNTS_IN_ROWS ? rows : users,
    of: mode,
    tier: titleAmong(cells, tier),
    absent: ofMode.flatMap((named) => absentOf(named, `${named.line}, ${countOf(named.cell.summary.users, 'user')}`)),
    lines: linesOf(ofMode, (group) => group.map(({ cell }) => cellPoint(figure, cell)).sort((a, b) => a.x - b.x)),
  };
}

/** A figure over time, for the cells of one mode, user count and tier. */
export function timeChart(
  figure: ChartedFigure,
  cells: readonly NamedCell[],
  of: { mode: string; users: number; tier: Tier },
): ChartModel {
  const selected = cells.filter(
    ({ cell: { summary } }) => summary.mode === of.mode && summary.users === of.users && summary.tier === of.tier,
  );
  return {
    ...described(figure, selected),
    form: time,
    of: `${of.mode}, ${countOf(of.users, 'user')}`,
    tier: titleAmong(cells, of.tier),
    absent: selected.flatMap((named) => absentOf(named, named.line)),
    lines: linesOf(selected, (group) => group.flatMap(({ cell }) => seriesPoints(figure, cell.series))),
    spans: [...warmUpOf(selected.map(({ cell }) => cell.series)), ...faultSpans(selected.map(({ cell }) => cell))],
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
    ...described(figure),
    form: time,
    of: `${planned.cell}, trial ${planned.trial}`,
    lines: [{ name: planned.framework, style, points: seriesPoints(figure, series) }],
    spans: warmUpOf([series]),
  };
}

/** How many users a framework carries. */
export interface CarriedUsers {
  framework: string;
  largestHeld: number | null;
  end: { users: number; outcome: 'missed' | 'unknown' } | null;
  /** False: a search that has not ended. */
  isOver: boolean;
}

/** A bar for each framework up to the most users that it carried, and how far they may reach. */
export function maxUsersChart(
  carried: readonly CarriedUsers[],
  { title, colours = {} }: { title: string; colours?: Colours },
): ChartModel {
  const styles = assignStyles([...new Set(carried.map(({ framework }) => framework))], colours);
  return {
    ...PLAIN,
    id: 'max-users',
    title,
    unit: 'users',
    hint: '',
    form: bars,
    of: '',
    format: (value, interval) => formatWithInterval(value, interval, formatFigure),
    lines: carried.map(({ framework, largestHeld, end, isOver }) => ({
      name: framework,
      style: styles.get(framework)!,
      points: [
        {
          x: 0,
          value: largestHeld,
          interval: end && { low: largestHeld ?? 0, high: end.users, isOpen: end.outcome === 'unknown' },
          instead: null,
          label: isOver ? carriedText(largestHeld, end) : 'unfinished',
        },
      ],
    })),
  };
}

function carriedText(largestHeld: number | null, end: CarriedUsers['end']): string {
  const isCertain = end?.outcome === 'missed';
  if (largestHeld === null) return isCertain ? `fewer than ${end.users}` : 'not known';
  return isCertain ? `${largestHeld}` : `≥ ${largestHeld}`;
}

function titleAmong(cells: readonly NamedCell[], tier: Tier): string | null {
  return cells.every(({ cell }) => cell.summary.tier === tier) ? null : TIER_TITLES[tier];
}

function seriesPoints(figure: ChartedFigure, series: readonly SeriesPoint[]): ChartPoint[] {
  return series.map((point) => ({
    x: point.fromS + BUCKET_S / 2,
    value: figureOf(point, figure),
    interval: null,
    instead: null,
  }));
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
  const lasted = cells.flatMap(({ summary, series }) =>
    (summary.faults ?? []).map(({ fault, kind, atS, forS }) => ({
      key: `${fault} ${kind}`,
      span: {
        of: 'fault' as const,
        name: faultWord(kind),
        fromS: atS,
        toS: forS === null ? (series.at(-1)?.fromS ?? atS) + BUCKET_S : atS + forS,
      },
    })),
  );
  return [...Map.groupBy(lasted, ({ key }) => key).values()]
    .map((same) => ({
      ...same[0]!.span,
      fromS: Math.min(...same.map(({ span }) => span.fromS)),
      toS: Math.max(...same.map(({ span }) => span.toS)),
    }))
    .sort((a, b) => a.fromS - b.fromS);
}

/** All but its form and its points. */
function described(figure: ChartedFigure, cells: readonly NamedCell[] = []): Omit<ChartModel, 'form' | 'of' | 'lines'> {
  const { chart, what, scale, bound } = figure;
  const missed = cells.some(({ cell }) => markOf(figure, cell.summary) !== '');
  return {
    ...PLAIN,
    id: chart.id,
    title: titleOf(figure) + (missed ? MARK : ''),
    unit: longUnit(figure),
    hint: missed ? `${what}; ${MARK} the last calibration missed its bound` : what,
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

/** In words, for those who do not see the canvas. The figures stand in the table below it. */
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

function cellPoint(figure: ChartedFigure, { summary }: ChartCell): ChartPoint {
  const instead = insteadOf(summary);
  return {
    x: summary.users,
    value: instead === null ? figureOf(summary, figure) : null,
    interval: instead === null && isHeadline(figure) ? summary.ci95[figure.name] : null,
    instead,
  };
}

/** The word in the place of figures if no trial is valid; null if one is. */
function insteadOf({ validTrials, verdict }: CellSummary): string | null {
  if (validTrials > 0) return null;
  return verdict === 'invalid' ? 'not valid' : verdict;
}

function absentOf({ cell }: NamedCell, name: string): string[] {
  const instead = insteadOf(cell.summary);
  return instead === null ? [] : [`${name}: ${instead}`];
}

function linesOf(cells: readonly NamedCell[], pointsOf: (group: NamedCell[]) => ChartPoint[]): ChartLine[] {
  return [...Map.groupBy(cells, ({ line }) => line)].map(([name, group]) => ({
    name,
    style: group[0]!.style,
    points: pointsOf(group),
  }));
}
