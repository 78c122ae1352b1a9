/** The common part of the forms that join their points from left to right. */

import { formatTick } from '../../figures/figure-text.ts';
import { html } from '../../tables/markup.ts';
import { swatch } from '../palette.ts';
import { atLeastScale, type ChartSpan, type Form, type PlotPoint } from './form.ts';

const HEIGHT_PX = 280;
const BAND_OPACITY = 0.13;

export const joined = {
  valueAxis: 'y',
  isJoined: true,
  interaction: { mode: 'x', intersect: false },
  /** A button above the charts names each line; what is shaded, nothing else does. */
  needsLegend: ({ spans }) => faultsIn(spans).length > 0,
  namesAbsent: false,
  heightPx: () => HEIGHT_PX,
  legend({ spans }, lines) {
    const named = lines.map(({ name, style }) => html`<span>${swatch(style)} ${name}</span>`);
    const shaded = faultsIn(spans).map(
      (span) => html`<span><span class="shaded" aria-hidden="true"></span> ${spanText(span)}</span>`,
    );
    return html`${named}${shaded}`.text;
  },
  place: ({ x }, value) => ({ x, y: value }),
  /** Second members of a family are hollow. */
  fill: ({ style }, colour, surface) => (style.dash.length > 0 ? surface : colour),
  /** A band, and whiskers too: an interval with no neighbour has no area. */
  drawIntervals({ ctx, data, scales }, dataset) {
    const { data: points, borderColor } = data.datasets[dataset]!;
    const across = (x: number) => scales.x!.getPixelForValue(x);
    const up = (value: number) => scales.y!.getPixelForValue(atLeastScale(value, scales.y!.min));
    ctx.save();
    ctx.fillStyle = borderColor as string;
    ctx.strokeStyle = borderColor as string;
    ctx.globalAlpha = BAND_OPACITY;
    for (const stretch of stretchesWithIntervals(points)) {
      ctx.beginPath();
      for (const { x, high } of stretch) ctx.lineTo(across(x), up(high));
      for (const { x, low } of stretch.toReversed()) ctx.lineTo(across(x), up(low));
      ctx.closePath();
      ctx.fill();
    }
    ctx.globalAlpha = 0.5;
    for (const { x, low, high } of stretchesWithIntervals(points).flat()) {
      ctx.beginPath();
      ctx.moveTo(across(x), up(low));
      ctx.lineTo(across(x), up(high));
      ctx.stroke();
    }
    ctx.restore();
  },
  /** Several at one place stand above one another. */
  drawInstead({ ctx, chartArea, scales }, dataset, { x }) {
    ctx.textAlign = 'center';
    ctx.fillText('✕', scales.x!.getPixelForValue(x), chartArea.bottom - 4 - 11 * (dataset % 8));
  },
} satisfies Partial<Form>;

/** `server restart, 25 to 30.2 s`. */
export function spanText({ name, fromS, toS }: ChartSpan): string {
  return `${name}, ${formatTick(fromS)} to ${formatTick(toS)} s`;
}

export function faultsIn(spans: readonly ChartSpan[]): ChartSpan[] {
  return spans.filter((span) => span.of === 'fault');
}

/** Above the bound's line, or below it where there is no room. */
export function besideBound(at: number, top: number): number {
  return at - 4 < top + 10 ? at + 12 : at - 4;
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
