/** A chart's content, the forms that lay it out, and the picture that comes of it, for `plot.ts` to draw. */
import type { Bound, Figure } from '../../figures/figure.ts';
import type { Interval } from '../../statistics/interval.ts';
import { left, right, type Table } from '../../tables/table.ts';
import type { Colour, FrameworkStyle } from '../palette.ts';

export interface ChartPoint {
  /** Users, seconds from the start of typing to the middle of the bucket, or a parameter of documents. */
  x: number;
  /** Null if nothing was measured, or no trial is valid. */
  value: number | null;
  /** 95 % interval over trials, or how far the figure may reach, open if its end is not known; null if there is none. */
  interval: (Interval & { isOpen?: boolean }) | null;
  /** Said instead of a figure, where the cell is not valid; else null. */
  instead: string | null;
  /** Stands at the end of a bar, or at the point. */
  label?: string;
}

export interface ChartLine {
  /** The framework, and which run where several have it; unique in the report. */
  name: string;
  style: FrameworkStyle;
  points: ChartPoint[];
}

/** The one source of a chart's picture, its table and its label. */
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
  /** The figure's own scale; null if a logarithmic axis makes no sense. */
  scale: Figure['scale'] | null;
  bound: Bound | null;
  /** The axis of a share that is nearly whole ends at the whole, and need not begin at 0. */
  whole: number | null;
  lines: ChartLine[];
  /** True if nothing else in its page names the lines. */
  needsLegend?: true;
  /** The lines of all charts that share their axes with this one, and its own. Absent: it stands alone. */
  beside?: ChartLine[];
  /** The cells without figures, and why: `automerge, 144 users: not valid`. */
  absent: string[];
  /** A figure as text. */
  format: (value: number | null, interval: Interval | null) => string;
  /** Stretches of time that are shaded, in the order of their beginnings. */
  spans: ChartSpan[];
}

/** The properties of a chart without anything special. */
export const PLAIN = { tier: null, scale: null, bound: null, whole: null, absent: [], spans: [] };

/** From when to when, in seconds from the start of typing. */
export interface ChartSpan {
  of: 'warm-up' | 'fault';
  name: string;
  fromS: number;
  toS: number;
}

/** How charts are laid out. */
export interface Form {
  /** The quantity that figures are shown against, in words. */
  against: string;
  /** Behind a position, such as `users`. */
  unit: string;
  /** The thing that a line stands for, such as `framework`. */
  line: string;
  /** @param isLog true for a logarithmic axis of figures */
  layOut(model: ChartModel, isLog: boolean): Picture;
}

/** All that is drawn of a chart. Places are parts of the plot, from its left and from its bottom. */
export interface Picture {
  across: Axis;
  up: Axis;
  /** Of the plot, without its axes. */
  heightPx: number;
  lines: PictureLine[];
  /** True if points are joined, and a place on the axis across is common to all lines. */
  isJoined: boolean;
  /** Below the points, and above them, each in the order of drawing. */
  below: Mark[];
  above: Mark[];
  legend: readonly LegendEntry[];
  /** True if the legend tells something that no other legend of the page tells. */
  needsLegend: boolean;
  /** Cells without figures that no mark names. */
  absent: readonly string[];
}

export interface LegendEntry {
  words: string;
  /** Before them: a line as it is drawn, or a shade. */
  sign?: FrameworkStyle | Colour;
}

export interface Axis {
  title: string;
  ticks: { at: number; text: string }[];
  /** True if ticks are names, all of which are shown, not figures on a grid. */
  isOfNames: boolean;
}

export interface PictureLine {
  name: string;
  style: FrameworkStyle;
  /** False if it has so many points that only those are marked that the mouse is at. */
  isMarked: boolean;
  /** NaN as a place is a gap. */
  points: { x: number; y: number; isFilled: boolean; point: ChartPoint }[];
}

export type Place = readonly [x: number, y: number];

/** Something drawn beside points, in one colour. */
export type Mark = { colour: Colour; opacity?: number } & (
  | { corners: readonly Place[] }
  | { from: Place; to: Place; widthPx: number; dash?: readonly number[] }
  | { words: string; at: Place; shiftPx: readonly [right: number, down: number]; align: 'left' | 'center' | 'right' }
);

/** Every position of these lines once, in ascending order. */
export function positionsOf(lines: readonly ChartLine[]): number[] {
  return [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
}

/** With more positions a table has a row for each, and an axis chooses its own ticks. */
export const MOST_COLUMNS = 12;

/** All figures of a chart: a row for each line and a column for each position, or the other way round. */
export function tableOf({ lines, form, format, unit }: ChartModel): Table {
  const positions = positionsOf(lines);
  const rows = lines.map(({ name, points }) => [
    name,
    ...positions.map((position) => {
      const point = points.find(({ x }) => x === position);
      return point === undefined ? '' : (point.instead ?? format(point.value, point.interval));
    }),
  ]);
  if (positions.length <= MOST_COLUMNS) {
    return {
      columns: [
        left(form.line),
        ...positions.map((position) => right(form.unit === '' ? unit : `${position} ${form.unit}`)),
      ],
      rows,
    };
  }
  return {
    columns: [left(form.unit), ...lines.map(({ name }) => right(name))],
    rows: positions.map((position, index) => [String(position), ...rows.map((row) => row[index + 1]!)]),
  };
}

/** Charts of one figure that stand side by side, such as those of two tiers, on the same axes. */
export function onOneAxis(models: readonly ChartModel[]): ChartModel[] {
  const beside = models.flatMap(({ lines }) => lines);
  const scale = models.some((model) => model.scale === 'log') ? 'log' : (models[0]?.scale ?? null);
  return models.map((model) => ({ ...model, scale, beside }));
}
