/** A chart's content, before anything is drawn, and the forms that show it. */
import type { Chart } from 'chart.js';
import type { Bound, Figure } from '../../figures/figure.ts';
import { left, right, type Table } from '../../tables/table.ts';
import type { FrameworkStyle } from '../palette.ts';

export interface ChartPoint {
  /** Users, seconds from the start of typing to the middle of the bucket, or a parameter of documents. */
  x: number;
  /** Null if nothing was measured, or no trial is valid. */
  value: number | null;
  /** 95 % interval over trials, or how far the figure may reach, open if its end is not known; null if there is none. */
  interval: { low: number; high: number; isOpen?: boolean } | null;
  /** Said instead of a figure, where the cell is not valid; else null. */
  instead: string | null;
  /** Stands at the end of a bar. */
  label?: string;
}

export interface ChartLine {
  /** The framework, and which run where several have it; unique in the report. */
  name: string;
  style: FrameworkStyle;
  points: ChartPoint[];
}

/** The one source of a chart's canvas, its table and its label. */
export interface ChartModel {
  id: string;
  title: string;
  unit: string;
  hint: string;
  form: Form;
  /** The part of the report that is shown: the mode, and over time the number of users. */
  of: string;
  /** The common trait of its frameworks' servers if other charts show those of another tier; else null. */
  tier: string | null;
  /** The axis at first; null if a logarithmic one makes no sense. */
  scale: Figure['scale'] | null;
  bound: Bound | null;
  /** The axis of a share that is nearly whole ends at the whole, and need not begin at 0. */
  whole: number | null;
  lines: ChartLine[];
  /** The lines of all charts that share an axis with this one, and its own. Absent: it stands alone. */
  beside?: ChartLine[];
  /** The cells without figures, and why: `automerge, 144 users: not valid`. */
  absent: string[];
  /** A figure as text. */
  format: (value: number | null, interval: { low: number; high: number } | null) => string;
  /** Stretches of time that are shaded, in the order of their beginnings. */
  spans: ChartSpan[];
}

/** From when to when, in seconds from the start of typing. */
export interface ChartSpan {
  of: 'warm-up' | 'fault';
  name: string;
  fromS: number;
  toS: number;
}

/** A point as Chart.js holds it: where it lies, and what it stands for. */
export interface PlotPoint {
  x: number;
  y: number;
  point: ChartPoint;
}

export type PlotChart = Chart<'scatter', PlotPoint[]>;

/** Colours of what a canvas shows beside its data; the style sheet holds the page's own. */
export interface Theme {
  isDark: boolean;
  ink: string;
  faint: string;
  grid: string;
  bound: string;
  shade: string;
  fault: string;
  surface: string;
  /** Pixels of the canvas for one of the page; undefined for as many as the screen has. */
  pixelRatio: number | undefined;
}

/** How a chart is laid out. A chart asks its form for everything in which forms differ. */
export interface Form {
  /** The quantity that figures are shown against, in words. */
  against: string;
  /** The axis that figures are shown against. */
  across: { label: string; scale: 'linear' | 'log' };
  /** The axis that figures are read on. */
  valueAxis: 'x' | 'y';
  /** True if a line's points are joined. */
  isJoined: boolean;
  /** Which points the mouse is at. */
  interaction: { mode: 'nearest' | 'x'; intersect: boolean };
  /** The options of the other axis, for Chart.js. @param shown the lines that are not hidden */
  baseAxis(model: ChartModel, shown: readonly ChartLine[], theme: Theme): object;
  /** Where a point lies. @param value where its figure is drawn; NaN for nowhere */
  place(point: ChartPoint, value: number, line: ChartLine, row: number): { x: number; y: number };
  /** The colour, or colours, that fill a line's points. */
  fill(line: ChartLine, colour: string, surface: string): string | string[];
  /** The name of a point, to be read beside that of its line. */
  nameOf(point: ChartPoint): string;
  /** Draws the ground, below everything else. */
  drawGround(chart: PlotChart, model: ChartModel, theme: Theme): void;
  /** Names the bound. @param at where its line lies, in pixels on the axis of the figures */
  drawBoundLabel(chart: PlotChart, label: string, at: number): void;
  /** The intervals of one dataset. */
  drawIntervals(chart: PlotChart, dataset: number): void;
  /** Says that there is no figure at a point. */
  drawInstead(chart: PlotChart, dataset: number, plotted: PlotPoint, theme: Theme): void;
  table(model: ChartModel, textOf: (point: ChartPoint | undefined) => string): Table;
  legend(model: ChartModel, shown: readonly ChartLine[]): string;
  /** True if the legend tells something that no other legend of the page tells. */
  needsLegend(model: ChartModel): boolean;
  /** True if each cell without figures is named at its place, so that no list of them is needed. */
  namesAbsent: boolean;
  heightPx(lines: readonly ChartLine[]): number;
}

/** Every position of these lines once, in ascending order. */
export function positionsOf(lines: readonly ChartLine[]): number[] {
  return [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
}

/** 1, 2 or 5 times a power of ten, at least so much: what an axis is labelled with. */
export function roundUp(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  return [1, 2, 5, 10].map((times) => times * power).find((round) => round >= least * (1 - 1e-9))!;
}

/** Ends of a logarithmic axis: labels around all values, at least two of them. @param values above 0, at least one */
export function logEnds(values: readonly number[]): { min: number; max: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const min = 1 / roundUp(1 / least);
  return { min, max: Math.max(roundUp(most), roundUp(min * 1.01)) };
}

/** Charts of one figure that stand side by side, such as those of two tiers, on one axis. */
export function onOneAxis(models: readonly ChartModel[]): ChartModel[] {
  const beside = models.flatMap(({ lines }) => lines);
  const scale = models.some((model) => model.scale === 'log') ? 'log' : (models[0]?.scale ?? null);
  return models.map((model) => ({ ...model, scale, beside }));
}

/** A logarithmic axis has no place for 0 or less. */
export function atLeastScale(value: number, least: number): number {
  return Math.max(value, least);
}

/** How an axis with a title looks. */
export function titledAxis(theme: Theme, title: string, isAcross: boolean): object {
  return {
    title: { display: true, text: title, color: theme.faint, align: isAcross ? 'center' : 'end' },
    grid: { color: theme.grid, drawTicks: false },
    border: { display: false },
  };
}

/** A table with a row for each position and a column for each line. */
export function tableOverPositions(
  lines: readonly ChartLine[],
  corner: string,
  textOf: (point: ChartPoint | undefined) => string,
): Table {
  return {
    columns: [left(corner), ...lines.map(({ name }) => right(name))],
    rows: positionsOf(lines).map((place) => [
      String(place),
      ...lines.map(({ points }) => textOf(points.find(({ x }) => x === place))),
    ]),
  };
}
