/** What a chart shows beside its points: warm-up, bounds, intervals, and cells that are not valid. */
import type { Chart, Plugin } from 'chart.js';
import type { ChartModel, ChartPoint } from '../chart-model.ts';
import { countOf, formatTick } from '../numbers.ts';
import type { Theme } from './theme.ts';

/** A point as Chart.js holds it: where it lies, and what it stands for. */
export interface PlotPoint {
  x: number;
  y: number;
  point: ChartPoint;
}

export type PlotChart = Chart<'scatter', PlotPoint[]>;

/** A bound farther off than this many times the largest figure is named at the edge, not drawn: it would flatten all else. */
const BOUND_REACH = 4;
const BAND_OPACITY = 0.13;

/** Whether the axis is long enough to hold the bound. */
export function showsBound(model: ChartModel, isLog: boolean): boolean {
  if (model.bound === null) return false;
  if (isLog || model.bound.kind === 'at least') return true;
  const values = model.lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0));
  return model.bound.value <= BOUND_REACH * Math.max(0, ...values);
}

/** The figures lie on the x-axis where frameworks are rows, else on the y-axis. */
export function drawMarks(model: ChartModel, theme: Theme): Plugin<'scatter'> {
  return {
    id: 'marks',
    beforeDatasetsDraw(chart) {
      const plot = chart as unknown as PlotChart;
      if (model.form === 'time') shadeWarmUp(plot, model.warmUpS, theme);
      drawBound(plot, model, theme);
      for (let index = 0; index < plot.data.datasets.length; index++) {
        if (!plot.isDatasetVisible(index)) continue;
        if (model.form === 'rows') drawWhiskers(plot, index);
        else drawBand(plot, index);
      }
    },
    afterDatasetsDraw(chart) {
      drawInstead(chart as unknown as PlotChart, model, theme);
    },
  };
}

function shadeWarmUp({ ctx, chartArea, scales }: PlotChart, warmUpS: number, theme: Theme): void {
  if (warmUpS === 0) return;
  const right = Math.min(scales.x!.getPixelForValue(warmUpS), chartArea.right);
  ctx.save();
  ctx.fillStyle = theme.shade;
  ctx.fillRect(chartArea.left, chartArea.top, right - chartArea.left, chartArea.height);
  ctx.fillStyle = theme.faint;
  ctx.font = '11px system-ui, sans-serif';
  ctx.textAlign = 'left';
  ctx.fillText('warm-up', chartArea.left + 6, chartArea.top + 13);
  ctx.restore();
}

function drawBound({ ctx, chartArea, scales }: PlotChart, { bound, form }: ChartModel, theme: Theme): void {
  if (bound === null) return;
  const scale = form === 'rows' ? scales.x! : scales.y!;
  if (bound.value > scale.max || bound.value < scale.min) return;
  const at = scale.getPixelForValue(bound.value);
  const { left, right, top, bottom } = chartArea;
  ctx.save();
  ctx.strokeStyle = theme.bound;
  ctx.fillStyle = theme.bound;
  ctx.lineWidth = 1;
  ctx.setLineDash([4, 3]);
  ctx.beginPath();
  if (form === 'rows') {
    ctx.moveTo(at, top);
    ctx.lineTo(at, bottom);
  } else {
    ctx.moveTo(left, at);
    ctx.lineTo(right, at);
  }
  ctx.stroke();
  ctx.font = '11px system-ui, sans-serif';
  const label = `${bound.kind === 'at least' ? '≥' : '≤'} ${formatTick(bound.value)}`;
  if (form === 'rows') {
    ctx.textAlign = at > (left + right) / 2 ? 'right' : 'left';
    ctx.fillText(label, at + (at > (left + right) / 2 ? -4 : 4), top + 10);
  } else {
    // Figures grow with the users, so that there is room on the left; over time the warm-up is named there.
    ctx.textAlign = form === 'users' ? 'left' : 'right';
    ctx.fillText(label, form === 'users' ? left + 2 : right - 2, at - 4 < top + 10 ? at + 12 : at - 4);
  }
  ctx.restore();
}

function drawBand({ ctx, data, scales }: PlotChart, index: number): void {
  const { data: points, borderColor } = data.datasets[index]!;
  ctx.save();
  ctx.fillStyle = borderColor as string;
  ctx.strokeStyle = borderColor as string;
  ctx.globalAlpha = BAND_OPACITY;
  for (const stretch of stretchesWithIntervals(points)) {
    ctx.beginPath();
    for (const { x, high } of stretch) ctx.lineTo(scales.x!.getPixelForValue(x), scales.y!.getPixelForValue(high));
    for (const { x, low } of stretch.toReversed()) {
      ctx.lineTo(scales.x!.getPixelForValue(x), scales.y!.getPixelForValue(atLeastScale(low, scales.y!.min)));
    }
    ctx.closePath();
    ctx.fill();
  }
  // Whiskers too: an interval with no neighbour has no area.
  ctx.globalAlpha = 0.5;
  for (const { x, low, high } of stretchesWithIntervals(points).flat()) {
    const at = scales.x!.getPixelForValue(x);
    ctx.beginPath();
    ctx.moveTo(at, scales.y!.getPixelForValue(atLeastScale(low, scales.y!.min)));
    ctx.lineTo(at, scales.y!.getPixelForValue(high));
    ctx.stroke();
  }
  ctx.restore();
}

/** Neighbours that have an interval each. */
function stretchesWithIntervals(points: readonly PlotPoint[]): { x: number; low: number; high: number }[][] {
  const stretches: { x: number; low: number; high: number }[][] = [[]];
  for (const { x, point } of points) {
    if (point.interval === null) stretches.push([]);
    else stretches.at(-1)!.push({ x, ...point.interval });
  }
  return stretches.filter(({ length }) => length > 0);
}

/** A logarithmic axis has no place for 0 or less. */
function atLeastScale(value: number, least: number): number {
  return Math.max(value, least);
}

function drawWhiskers({ ctx, data, scales }: PlotChart, index: number): void {
  const { data: points, borderColor } = data.datasets[index]!;
  ctx.save();
  ctx.strokeStyle = borderColor as string;
  ctx.lineWidth = 3;
  ctx.lineCap = 'round';
  ctx.globalAlpha = 0.35;
  for (const { y, point } of points) {
    if (point.interval === null) continue;
    const at = scales.y!.getPixelForValue(y);
    ctx.beginPath();
    ctx.moveTo(scales.x!.getPixelForValue(atLeastScale(point.interval.low, scales.x!.min)), at);
    ctx.lineTo(scales.x!.getPixelForValue(point.interval.high), at);
    ctx.stroke();
  }
  ctx.restore();
}

/** Where a cell is not valid there is no figure, and the chart says so at its place. */
function drawInstead(chart: PlotChart, model: ChartModel, theme: Theme): void {
  const { ctx, chartArea, scales, data } = chart;
  ctx.save();
  ctx.font = '11px system-ui, sans-serif';
  for (const [index, { data: points, borderColor }] of data.datasets.entries()) {
    if (!chart.isDatasetVisible(index)) continue;
    ctx.fillStyle = borderColor as string;
    for (const { x, y, point } of points) {
      if (point.instead === null) continue;
      if (model.form === 'rows') {
        const isLeft = isRightTaken(chart, points);
        ctx.textAlign = isLeft ? 'left' : 'right';
        ctx.textBaseline = 'middle';
        const at = isLeft ? chartArea.left + 6 : chartArea.right - 6;
        const text = `✕ ${countOf(point.x, 'user')}: ${point.instead}`;
        const { width } = ctx.measureText(text);
        ctx.fillStyle = theme.surface;
        ctx.fillRect(isLeft ? at : at - width, scales.y!.getPixelForValue(y) - 7, width, 14);
        ctx.fillStyle = theme.bound;
        ctx.fillText(text, at, scales.y!.getPixelForValue(y));
      } else {
        // Several at one place stand above one another.
        ctx.textAlign = 'center';
        ctx.fillText('✕', scales.x!.getPixelForValue(x), chartArea.bottom - 4 - 11 * (index % 8));
      }
    }
  }
  ctx.restore();
}

/** Whether the row's figures lie in the right half, so that words have to stand on the left. */
function isRightTaken({ chartArea, scales }: PlotChart, points: readonly PlotPoint[]): boolean {
  return points.some(({ x }) => scales.x!.getPixelForValue(x) > (chartArea.left + chartArea.right) / 2);
}
