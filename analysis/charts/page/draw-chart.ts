/** Draws the picture of a chart with Chart.js. */
import {
  Chart,
  type ChartDataset,
  LinearScale,
  LineElement,
  type Plugin,
  PointElement,
  type PointStyle,
  type ScaleOptions,
  ScatterController,
  Tooltip,
} from 'chart.js';
import type { Axis, ChartModel, Mark, Picture, PictureLine, Place } from '../forms/form.ts';
import { type Colour, FAINT, GRID, INK, type PointShape, SURFACE } from '../palette.ts';
import { colourNow, pixelRatio } from './theme.ts';

Chart.register(ScatterController, LinearScale, PointElement, LineElement, Tooltip);

/** Chart.js has one triangle, and turns it by so many degrees. */
const TURNED: Partial<Record<PointShape, number>> = { triangleRight: 90, triangleDown: 180, triangleLeft: 270 };

const TOOLTIP: Colour = { light: '#1b1f26', dark: '#000000' };

/** A point as Chart.js holds it: where it lies, and what it stands for. */
type PlotPoint = PictureLine['points'][number];
export type PlotChart = Chart<'scatter', PlotPoint[]>;

/** Draws on a canvas; what was drawn there before is replaced. */
export function drawChart(canvas: HTMLCanvasElement, model: ChartModel, picture: Picture): PlotChart {
  Chart.getChart(canvas)?.destroy();
  const { form, unit, format } = model;
  const { across, up, isJoined } = picture;
  return new Chart<'scatter', PlotPoint[]>(canvas, {
    type: 'scatter',
    data: { datasets: picture.lines.map((line) => datasetOf(line, isJoined)) },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      devicePixelRatio: pixelRatio(),
      // Room for points and marks at the edge.
      clip: 6,
      layout: { padding: { top: 4, right: 10 } },
      interaction: { mode: isJoined ? 'x' : 'nearest', intersect: false },
      scales: { x: axisOptions(across), y: axisOptions(up) },
      plugins: {
        tooltip: {
          backgroundColor: colourNow(TOOLTIP),
          usePointStyle: true,
          boxPadding: 4,
          filter: ({ raw }) => (raw as PlotPoint).point.value !== null,
          callbacks: {
            title: ([item]) =>
              item === undefined || form.unit === '' ? '' : `${(item.raw as PlotPoint).point.x} ${form.unit}`,
            label({ dataset, raw }) {
              const { value, interval } = (raw as PlotPoint).point;
              return ` ${dataset.label}: ${format(value, interval)} ${unit}`;
            },
          },
        },
      },
    },
    plugins: [marksPlugin(picture)],
  });
}

function datasetOf(
  { name, style, isMarked, points }: PictureLine,
  isJoined: boolean,
): ChartDataset<'scatter', PlotPoint[]> {
  const colour = colourNow(style);
  return {
    label: name,
    data: points,
    showLine: isJoined,
    borderColor: colour,
    borderWidth: 2,
    borderDash: [...style.dash],
    backgroundColor: points.map(({ isFilled }) => (isFilled ? colour : colourNow(SURFACE))),
    pointBorderColor: colour,
    pointStyle: (style.point in TURNED ? 'triangle' : style.point) as PointStyle,
    pointRotation: TURNED[style.point] ?? 0,
    pointRadius: isMarked ? 4 : 0,
    pointHoverRadius: isMarked ? 6 : 4,
    pointHitRadius: 10,
    pointBorderWidth: 2,
  };
}

/** Places are drawn as they are; Chart.js leaves out evenly the labels that would be too close together. */
function axisOptions({ title, ticks, isOfNames }: Axis): ScaleOptions<'linear'> {
  return {
    type: 'linear',
    min: 0,
    max: 1,
    title: { display: title !== '', text: title, color: colourNow(FAINT), align: 'end' },
    grid: { display: !isOfNames, color: colourNow(GRID), drawTicks: false },
    border: { display: false },
    afterBuildTicks(scale) {
      scale.ticks = ticks.map(({ at, text }) => ({ value: at, label: text }));
    },
    ticks: {
      color: colourNow(isOfNames ? INK : FAINT),
      autoSkip: !isOfNames,
      maxRotation: 0,
      callback: (_value, index, all) => all[index]!.label,
    },
  } as ScaleOptions<'linear'>;
}

function marksPlugin({ below, above }: Picture): Plugin<'scatter'> {
  const draw = (chart: Chart, marks: readonly Mark[]) => {
    chart.ctx.save();
    for (const mark of marks) drawMark(chart, mark);
    chart.ctx.restore();
  };
  return {
    id: 'marks',
    beforeDatasetsDraw: (chart) => draw(chart, below),
    afterDatasetsDraw: (chart) => draw(chart, above),
  };
}

function drawMark({ ctx, chartArea: { left, bottom, width, height } }: Chart, mark: Mark): void {
  const px = ([x, y]: Place) => [left + width * x, bottom - height * y] as const;
  const colour = colourNow(mark.colour);
  ctx.globalAlpha = mark.opacity ?? 1;
  ctx.fillStyle = colour;
  ctx.setLineDash('from' in mark ? [...(mark.dash ?? [])] : []);
  ctx.beginPath();
  if ('corners' in mark) {
    for (const corner of mark.corners) ctx.lineTo(...px(corner));
    ctx.fill();
  } else if ('from' in mark) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = mark.widthPx;
    ctx.moveTo(...px(mark.from));
    ctx.lineTo(...px(mark.to));
    ctx.stroke();
  } else {
    const [x, y] = px(mark.at);
    const [right, down] = mark.shiftPx;
    ctx.font = '11px system-ui, sans-serif';
    ctx.textAlign = mark.align;
    ctx.strokeStyle = colourNow(SURFACE);
    ctx.lineWidth = 3;
    ctx.lineJoin = 'round';
    ctx.strokeText(mark.words, x + right, y + down);
    ctx.fillText(mark.words, x + right, y + down);
  }
}
