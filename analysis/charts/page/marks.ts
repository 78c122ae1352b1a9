/** The marks of a chart beside its points: warm-up, bounds, intervals, and cells that are not valid. */
import type { Plugin } from 'chart.js';
import { formatTick } from '../../figures/figure-text.ts';
import type { ChartModel, PlotChart, Theme } from '../forms/form.ts';

/** A bound farther off than this many times the largest figure is named in the hint, not drawn: it would squeeze all else. */
const BOUND_REACH = { linear: 1.5, log: 3 };

/** True if the axis is long enough to hold the bound. */
export function showsBound(model: ChartModel, isLog: boolean): boolean {
  if (model.bound === null) return false;
  if (model.bound.kind === 'at least') return true;
  const values = (model.beside ?? model.lines).flatMap(({ points }) => points.map(({ value }) => value ?? 0));
  return model.bound.value <= BOUND_REACH[isLog ? 'log' : 'linear'] * Math.max(0, ...values);
}

/** Draws them as the chart's form has them. */
export function drawMarks(model: ChartModel, theme: Theme): Plugin<'scatter'> {
  return {
    id: 'marks',
    beforeDatasetsDraw(chart) {
      const plot = chart as unknown as PlotChart;
      model.form.drawGround(plot, model, theme);
      drawBound(plot, model, theme);
      for (let index = 0; index < plot.data.datasets.length; index++) {
        if (plot.isDatasetVisible(index)) model.form.drawIntervals(plot, index);
      }
    },
    afterDatasetsDraw(chart) {
      drawInstead(chart as unknown as PlotChart, model, theme);
    },
  };
}

function drawBound(chart: PlotChart, { bound, form }: ChartModel, theme: Theme): void {
  if (bound === null) return;
  const { ctx, chartArea, scales } = chart;
  const scale = scales[form.valueAxis]!;
  if (bound.value > scale.max || bound.value < scale.min) return;
  const at = scale.getPixelForValue(bound.value);
  const { left, right, top, bottom } = chartArea;
  ctx.save();
  ctx.strokeStyle = theme.bound;
  ctx.fillStyle = theme.bound;
  ctx.lineWidth = 1;
  ctx.setLineDash([4, 3]);
  ctx.beginPath();
  if (form.valueAxis === 'x') {
    ctx.moveTo(at, top);
    ctx.lineTo(at, bottom);
  } else {
    ctx.moveTo(left, at);
    ctx.lineTo(right, at);
  }
  ctx.stroke();
  ctx.font = '11px system-ui, sans-serif';
  form.drawBoundLabel(chart, `${bound.kind === 'at least' ? '≥' : '≤'} ${formatTick(bound.value)}`, at);
  ctx.restore();
}

/** Where a cell is not valid there is no figure, and the chart says so at its place. */
function drawInstead(chart: PlotChart, { form }: ChartModel, theme: Theme): void {
  const { ctx, data } = chart;
  ctx.save();
  ctx.font = '11px system-ui, sans-serif';
  for (const [index, { data: points, borderColor }] of data.datasets.entries()) {
    if (!chart.isDatasetVisible(index)) continue;
    ctx.fillStyle = borderColor as string;
    for (const plotted of points) {
      if (plotted.point.instead !== null) form.drawInstead(chart, index, plotted, theme);
    }
  }
  ctx.restore();
}
