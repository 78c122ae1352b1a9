/** Draws a chart model with Chart.js. */
import {
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  LinearScale,
  LineElement,
  LogarithmicScale,
  PointElement,
  type PointStyle,
  ScatterController,
  Tooltip,
} from 'chart.js';
import { formatTick } from '../../figures/figure-text.ts';
import {
  type ChartLine,
  type ChartModel,
  type ChartPoint,
  logEnds,
  type PlotChart,
  type PlotPoint,
  type Theme,
  titledAxis,
} from '../forms/form.ts';
import type { PointShape } from '../palette.ts';
import { drawMarks, showsBound } from './marks.ts';
import { colourOf } from './theme.ts';

Chart.register(ScatterController, LinearScale, LogarithmicScale, PointElement, LineElement, Tooltip);

/** More points than this in a line, and only those that the mouse is at are marked. */
const MAX_MARKED_POINTS = 20;

const MAX_TICKS = 7;

/** As Chart.js has them: it turns a triangle. */
const POINTS: Record<PointShape, { pointStyle: PointStyle; pointRotation: number }> = {
  circle: { pointStyle: 'circle', pointRotation: 0 },
  rect: { pointStyle: 'rect', pointRotation: 0 },
  rectRot: { pointStyle: 'rectRot', pointRotation: 0 },
  triangle: { pointStyle: 'triangle', pointRotation: 0 },
  triangleRight: { pointStyle: 'triangle', pointRotation: 90 },
  triangleDown: { pointStyle: 'triangle', pointRotation: 180 },
  triangleLeft: { pointStyle: 'triangle', pointRotation: 270 },
};

interface Drawing {
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
export function shownLines({
  model,
  hidden,
}: {
  model: Pick<ChartModel, 'lines'>;
  hidden: ReadonlySet<string>;
}): ChartLine[] {
  return model.lines.filter(({ name }) => !hidden.has(name));
}

function configure(drawing: Drawing): ChartConfiguration<'scatter', PlotPoint[]> {
  const { model, theme } = drawing;
  const { form } = model;
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
      interaction: form.interaction,
      scales: {
        [form.valueAxis]: valueAxis(drawing),
        [form.valueAxis === 'x' ? 'y' : 'x']: form.baseAxis(model, lines, theme),
      },
      plugins: {
        tooltip: {
          backgroundColor: theme.isDark ? '#000000' : '#1b1f26',
          usePointStyle: true,
          boxPadding: 4,
          filter: ({ raw }) => (raw as PlotPoint).point.value !== null,
          callbacks: {
            title: ([item]) => (item === undefined ? '' : form.nameOf((item.raw as PlotPoint).point)),
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
  /** A logarithmic axis has no place for 0. */
  const drawn = ({ value }: ChartPoint) => (value === null || (isLog && value <= 0) ? Number.NaN : value);
  const { form } = model;
  const isLong = line.points.length > MAX_MARKED_POINTS;
  return {
    label: line.name,
    data: line.points.map((point) => ({ ...form.place(point, drawn(point), line, row), point })),
    showLine: form.isJoined,
    borderColor: colour,
    borderWidth: 2,
    borderDash: [...style.dash],
    backgroundColor: form.fill(line, colour, theme.surface),
    pointBorderColor: colour,
    ...POINTS[style.point],
    pointRadius: isLong ? 0 : 4,
    pointHoverRadius: isLong ? 4 : 6,
    pointHitRadius: 10,
    pointBorderWidth: 2,
  };
}

/** Where the figures are. */
function valueAxis({ model, isLog, theme, hidden }: Drawing): object {
  const { bound, unit, whole, form } = model;
  const lines = shownLines({ model: { lines: model.beside ?? model.lines }, hidden });
  const points = lines.flatMap((line) => line.points);
  const values = points
    .flatMap(({ value, interval }) => [value, interval?.low ?? null, interval?.high ?? null])
    .filter((value) => value !== null && (!isLog || value > 0)) as number[];
  const withBound = bound !== null && showsBound(model, isLog) ? [bound.value] : [];
  const extent =
    whole === null
      ? {
          ...(isLog && values.length > 0
            ? logEnds([...withBound, ...values])
            : { min: 0, suggestedMax: Math.max(...withBound, ...values) }),
        }
      : { max: whole, suggestedMin: Math.min(...withBound, ...values, whole) - 1 };
  return {
    type: isLog ? 'logarithmic' : 'linear',
    ...extent,
    ...titledAxis(theme, `${unit}${isLog ? ', logarithmic' : ''}`, form.valueAxis === 'x'),
    ...(isLog ? { afterBuildTicks: keepRoundTicks } : {}),
    ticks: { color: theme.faint, maxTicksLimit: MAX_TICKS, callback: tickText },
  };
}

/** Keeps round ticks alone; Chart.js then leaves out evenly those that would be too close together. */
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

function labelOf({ unit, format }: ChartModel, name: string, { value, interval }: ChartPoint): string {
  return ` ${name}: ${format(value, interval)} ${unit}`;
}
