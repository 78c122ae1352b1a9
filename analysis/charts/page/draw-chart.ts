/** Draws a chart model with Chart.js. */
import {
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  LinearScale,
  LineElement,
  LogarithmicScale,
  PointElement,
  type ScaleOptionsByType,
  ScatterController,
  Tooltip,
} from 'chart.js';
import { BUCKET_S } from '../../bucket.ts';
import { formatWithInterval } from '../../figure-text.ts';
import type { ChartLine, ChartModel, ChartPoint } from '../chart-model.ts';
import { formatTick } from '../numbers.ts';
import { drawMarks, type PlotChart, type PlotPoint, showsBound } from './marks.ts';
import { colourOf, type Theme } from './theme.ts';

Chart.register(ScatterController, LinearScale, LogarithmicScale, PointElement, LineElement, Tooltip);

/** How far apart the user counts of one row lie; rows are 1 apart. */
const ROW_SPREAD = 0.3;
/** More points than this in a line, and only those that the mouse is at are marked. */
const MAX_MARKED_POINTS = 20;

/** The axis of a trial that has just begun. */
const MIN_TIME_S = 60;
const MAX_TICKS = 7;
/** A logarithmic axis goes on a little beyond its figures. */
const LOG_MARGIN = 1.2;

export interface Drawing {
  model: ChartModel;
  /** Names of lines that are not shown. */
  hidden: ReadonlySet<string>;
  isLog: boolean;
  theme: Theme;
}

/** Draws on a canvas; what was drawn there before is replaced. */
export function drawChart(canvas: HTMLCanvasElement, drawing: Drawing): PlotChart {
  Chart.getChart(canvas)?.destroy();
  return new Chart<'scatter', PlotPoint[]>(canvas, configure(drawing));
}

/** The lines that are shown, as rows from the top. */
export function shownLines({ model, hidden }: Pick<Drawing, 'model' | 'hidden'>): ChartLine[] {
  return model.lines.filter(({ name }) => !hidden.has(name));
}

function configure(drawing: Drawing): ChartConfiguration<'scatter', PlotPoint[]> {
  const { model, theme } = drawing;
  const lines = shownLines(drawing);
  return {
    type: 'scatter',
    data: { datasets: lines.map((line, row) => datasetOf(line, row, drawing)) },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      ...(theme.pixelRatio === undefined ? {} : { devicePixelRatio: theme.pixelRatio }),
      // Room for points and marks at the edge.
      clip: 6,
      layout: { padding: { top: 4, right: 10 } },
      interaction: model.form === 'rows' ? { mode: 'nearest', intersect: false } : { mode: 'x', intersect: false },
      scales:
        model.form === 'rows'
          ? { x: valueAxis(drawing, 'x'), y: rowAxis(lines, theme) }
          : { x: baseAxis(model, theme), y: valueAxis(drawing, 'y') },
      plugins: {
        tooltip: {
          backgroundColor: theme.isDark ? '#000000' : '#1b1f26',
          usePointStyle: true,
          boxPadding: 4,
          filter: ({ raw }) => (raw as PlotPoint).point.value !== null,
          callbacks: {
            title: ([item]) => (item === undefined ? '' : titleOf(model, (item.raw as PlotPoint).point)),
            label: ({ dataset, raw }) => labelOf(model, dataset.label ?? '', (raw as PlotPoint).point),
          },
        },
      },
    },
    plugins: [drawMarks(model, theme)],
  };
}

function datasetOf(
  line: ChartLine,
  row: number,
  { model, isLog, theme }: Drawing,
): ChartDataset<'scatter', PlotPoint[]> {
  const { style } = line;
  const colour = colourOf(style, theme);
  const counts = [...new Set(line.points.map(({ x }) => x))];
  /** A logarithmic axis has no place for 0. */
  const drawn = ({ value }: ChartPoint) => (value === null || (isLog && value <= 0) ? Number.NaN : value);
  const isRows = model.form === 'rows';
  const isLong = line.points.length > MAX_MARKED_POINTS;
  return {
    label: line.name,
    data: line.points.map((point) =>
      isRows
        ? { x: drawn(point), y: row + ROW_SPREAD * (counts.indexOf(point.x) - (counts.length - 1) / 2), point }
        : { x: point.x, y: drawn(point), point },
    ),
    showLine: !isRows,
    borderColor: colour,
    borderWidth: 2,
    borderDash: [...style.dash],
    // In rows the larger user count is filled; elsewhere second members of a family are hollow.
    backgroundColor: isRows
      ? line.points.map(({ x }) => (x === Math.max(...counts) ? colour : theme.surface))
      : style.dash.length > 0
        ? theme.surface
        : colour,
    pointBorderColor: colour,
    pointStyle: style.point,
    pointRadius: isLong ? 0 : 4,
    pointHoverRadius: isLong ? 4 : 6,
    pointHitRadius: 10,
    pointBorderWidth: 2,
  };
}

type Axis = Partial<ScaleOptionsByType<'linear' | 'logarithmic'>>;

/** Where the figures are. */
function valueAxis({ model, isLog, theme, hidden }: Drawing, axis: 'x' | 'y'): object {
  const { bound, unit, whole } = model;
  const points = shownLines({ model, hidden }).flatMap((line) => line.points);
  const values = points
    .flatMap(({ value, interval }) => [value, interval?.low ?? null, interval?.high ?? null])
    .filter((value) => value !== null && (!isLog || value > 0)) as number[];
  const withBound = bound !== null && showsBound(model, isLog) ? [bound.value] : [];
  const extent =
    whole === null
      ? {
          suggestedMax: Math.max(...withBound, ...values) * (isLog ? LOG_MARGIN : 1),
          ...(isLog ? { suggestedMin: Math.min(...values) / LOG_MARGIN } : { min: 0 }),
        }
      : { max: whole, suggestedMin: Math.min(...withBound, ...values, whole) - 1 };
  return {
    type: isLog ? 'logarithmic' : 'linear',
    ...extent,
    ...looks(theme, `${unit}${isLog ? ', logarithmic' : ''}`, axis === 'x'),
    ...(isLog ? { afterBuildTicks: keepRoundTicks } : {}),
    ticks: { color: theme.faint, maxTicksLimit: MAX_TICKS, callback: tickText },
  };
}

/** What would be too close together is then left out evenly. */
function keepRoundTicks(scale: { ticks: { value: number }[] }): void {
  scale.ticks = scale.ticks.filter(({ value }) => isRound(value));
}

function tickText(value: string | number): string {
  return formatTick(Number(value));
}

/** 1, 2 or 5 times a power of ten: what a logarithmic axis is labelled with. */
function isRound(value: number): boolean {
  const leading = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
  return [1, 2, 5].some((digit) => Math.abs(leading - digit) < 1e-6);
}

/** The users, or the time. */
function baseAxis(model: ChartModel, theme: Theme): object {
  const positions = [...new Set(model.lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const isTime = model.form === 'time';
  return {
    type: 'linear',
    ...(isTime ? { min: 0, max: Math.max(MIN_TIME_S, (positions.at(-1) ?? 0) + BUCKET_S / 2) } : {}),
    ...looks(theme, isTime ? 'seconds of typing' : 'users', false),
    ...(isTime
      ? {}
      : {
          afterBuildTicks(scale: { ticks: { value: number }[] }) {
            scale.ticks = positions.map((value) => ({ value }));
          },
        }),
    ticks: { color: theme.faint, maxRotation: 0, callback: tickText },
  };
}

/** A framework in each row. */
function rowAxis(lines: readonly ChartLine[], theme: Theme): object {
  return {
    type: 'linear',
    reverse: true,
    min: -0.6,
    max: lines.length - 0.4,
    grid: { display: false },
    border: { display: false },
    afterBuildTicks(scale: { ticks: { value: number }[] }) {
      scale.ticks = lines.map((_, row) => ({ value: row }));
    },
    ticks: {
      color: theme.ink,
      autoSkip: false,
      callback: (value: string | number) => lines[Number(value)]?.name ?? '',
    },
  };
}

function looks(theme: Theme, title: string, isAcross: boolean): Axis {
  return {
    title: { display: true, text: title, color: theme.faint, align: isAcross ? 'center' : 'end' },
    grid: { color: theme.grid, drawTicks: false },
    border: { display: false },
  } as Axis;
}

function titleOf({ form }: ChartModel, { x }: ChartPoint): string {
  return form === 'time' ? `${x} s` : `${x} users`;
}

function labelOf({ unit }: ChartModel, name: string, { value, interval }: ChartPoint): string {
  return ` ${name}: ${formatWithInterval(value, interval)} ${unit}`;
}
