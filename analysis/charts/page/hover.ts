/** The figures of a chart at the mouse: a mark on each point, and their texts beside it. */
import { html } from '../../tables/markup.ts';
import type { ChartModel, Picture, PictureLine } from '../forms/form.ts';
import { swatch } from '../palette.ts';
import type { Plot } from '../plot.ts';
import { element } from './theme.ts';

export interface DrawnChart {
  model: ChartModel;
  picture: Picture;
  plot: Plot;
}

interface Near {
  line: PictureLine;
  point: PictureLine['points'][number];
  xPx: number;
  yPx: number;
}

/** The points nearest to a place in the chart: of joined lines all that are at one place across, else one. */
export function pointsNear(
  { picture, plot }: Omit<DrawnChart, 'model'>,
  [xPx, yPx]: readonly [number, number],
): Near[] {
  const { lines, isJoined } = picture;
  const all = lines.flatMap((line) =>
    line.points.flatMap((point): Near[] =>
      Number.isNaN(point.x + point.y)
        ? []
        : [{ line, point, xPx: Number(plot.x(point.x)), yPx: Number(plot.y(point.y)) }],
    ),
  );
  const distance = (near: Near) => Math.hypot(near.xPx - xPx, isJoined ? 0 : near.yPx - yPx);
  const least = Math.min(...all.map(distance));
  const [nearest] = all.filter((near) => distance(near) === least);
  return isJoined ? all.filter((near) => near.xPx === nearest?.xPx) : [nearest ?? []].flat();
}

/** @param frame that holds the chart's SVG; @param drawn null: there is none now */
export function showFiguresAtMouse(frame: HTMLElement, drawn: () => DrawnChart | null): void {
  const tip = element('div', { class: 'tip', 'aria-hidden': 'true' });
  const hide = () => {
    tip.remove();
    frame.querySelector('.at-mouse')?.replaceChildren();
  };
  frame.addEventListener('pointerleave', hide);
  frame.addEventListener('pointermove', ({ clientX, clientY }) => {
    const chart = drawn();
    const { left, top, width } = frame.getBoundingClientRect();
    const [xPx, yPx] = [clientX - left, clientY - top];
    const near = chart === null ? [] : pointsNear(chart, [xPx, yPx]);
    if (chart === null || near.length === 0) return hide();
    const { form, format, unit } = chart.model;
    const texts = near.map(({ line, point: { point } }) => {
      return html`<div>${swatch(line.style)} ${line.name}: ${format(point.value, point.interval)} ${unit}</div>`;
    });
    const heading = form.unit === '' ? null : html`<b>${near[0]!.point.point.x} ${form.unit}</b>`;
    tip.innerHTML = html`${heading}${texts}`.text;
    // On the side that has more room, and no wider.
    const [side, away] = xPx > width / 2 ? ['right', width - xPx + 12] : ['left', xPx + 12];
    tip.style.cssText = `top:${yPx}px;${side}:${away}px;max-width:${width - away}px`;
    const marks = near.map(({ line, xPx: x, yPx: y }) => {
      return html`<circle cx="${x}" cy="${y}" r="6" fill="none" stroke="${chart.plot.paint(line.style)}" stroke-width="2"/>`;
    });
    frame.querySelector('.at-mouse')!.innerHTML = html`${marks}`.text;
    frame.append(tip);
  });
}
