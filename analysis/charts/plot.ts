/** The plot of a chart as SVG: axes, marks and lines at their pixels, for files and for pages. The same picture gives the same bytes. */
import { type Content, html, type Markup } from '../tables/markup.ts';
import type { Axis, Mark, Picture, PictureLine, Place } from './forms/form.ts';
import { type Colour, FAINT, GRID, INK, pointShape, SURFACE } from './palette.ts';

/** Below a plot: labels and the title of the axis across. */
export const BOTTOM_PX = 44;
const LEAST_LEFT_PX = 64;
/** Names must leave room for figures. */
const MOST_LEFT = 0.6;
export const CHARACTER_PX = 7;
const ANCHORS = { left: 'start', center: 'middle', right: 'end' } as const;

/** A colour as SVG takes it. */
export type Paint = (colour: Colour) => string;

/** The edges of a plot in pixels, and how it is painted. */
export interface Plot {
  paint: Paint;
  right: number;
  left: number;
  top: number;
  bottom: number;
  /** Of a part of the plot, in pixels. */
  x(part: number): string;
  y(part: number): string;
}

export function plotOf({ up, heightPx }: Picture, { right, top, paint }: Pick<Plot, 'right' | 'top' | 'paint'>): Plot {
  const longest = Math.max(0, ...up.ticks.map(({ text }) => text.length));
  const left = Math.min(Math.max(LEAST_LEFT_PX, 16 + CHARACTER_PX * longest), Math.round(MOST_LEFT * right));
  const bottom = Math.round(top + heightPx);
  return {
    ...{ paint, right, left, top, bottom },
    x: (part) => (left + (right - left) * part).toFixed(1),
    y: (part) => (bottom - heightPx * part).toFixed(1),
  };
}

export function drawPlot(picture: Picture, plot: Plot): Markup {
  const { below, lines, above } = picture;
  return html`${axes(picture, plot)}${below.map((mark) => drawMark(mark, plot))}${lines.map((line) => drawLine(line, picture, plot))}${above.map((mark) => drawMark(mark, plot))}`;
}

function axes({ across, up }: Picture, plot: Plot): Content {
  const { paint, right, left, top, bottom, x, y } = plot;
  const label = labelIn(paint);
  const grid = (axis: Axis, path: string) =>
    axis.isOfNames ? null : html`<path d="${path}" stroke="${paint(GRID)}"/>\n`;
  const ofAcross = withRoom(across, plot).map(({ at, text }) => {
    const place = x(at);
    return [grid(across, `M${place} ${top}V${bottom}`), label(text, [place, bottom + 16], 'middle')];
  });
  const ofUp = up.ticks.map(({ at, text }) => {
    const place = y(at);
    return [
      grid(up, `M${left} ${place}H${right}`),
      label(text, [left - 6, Number(place) + 4], 'end', up.isOfNames ? INK : FAINT),
    ];
  });
  return [label(up.title, [left, top - 8], 'start'), label(across.title, [right, bottom + 34], 'end'), ofAcross, ofUp];
}

/** Those whose labels do not run into the one before. */
function withRoom({ ticks }: Axis, { left, right }: Plot): Axis['ticks'] {
  const legible: Axis['ticks'] = [];
  for (const tick of ticks) {
    const before = legible.at(-1);
    const roomPx = ((before?.text.length ?? 0) + tick.text.length + 2) * (CHARACTER_PX / 2);
    if (before === undefined || (tick.at - before.at) * (right - left) >= roomPx) legible.push(tick);
  }
  return legible;
}

export function labelIn(paint: Paint) {
  return (text: string, [x, y]: readonly [string | number, number], anchor: string, colour = FAINT): Content =>
    text === '' ? null : html`<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${paint(colour)}">${text}</text>\n`;
}

function drawMark(mark: Mark, { paint, ...plot }: Plot): Markup {
  const colour = paint(mark.colour);
  const opacity = mark.opacity === undefined ? null : html` opacity="${mark.opacity}"`;
  const at = ([x, y]: Place) => `${plot.x(x)} ${plot.y(y)}`;
  if ('corners' in mark) return html`<path d="M${mark.corners.map(at).join('L')}Z" fill="${colour}"${opacity}/>\n`;
  if ('from' in mark) {
    return html`<path d="M${at(mark.from)}L${at(mark.to)}" stroke="${colour}" stroke-width="${mark.widthPx}"${dashes(mark.dash)}${opacity}/>\n`;
  }
  const x = Number(plot.x(mark.at[0])) + mark.shiftPx[0];
  const y = Number(plot.y(mark.at[1])) + mark.shiftPx[1];
  return html`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${ANCHORS[mark.align]}" fill="${colour}" stroke="${paint(SURFACE)}" stroke-width="3" paint-order="stroke">${mark.words}</text>\n`;
}

function drawLine({ style, points, isMarked }: PictureLine, { isJoined }: Picture, { paint, ...plot }: Plot): Markup {
  const colour = paint(style);
  const drawn = points.map(({ x, y }) => (Number.isNaN(x + y) ? null : `${plot.x(x)} ${plot.y(y)}`));
  // A line begins anew behind a gap.
  const path = drawn.map((at, index) => (at === null ? '' : `${drawn[index - 1] ? 'L' : 'M'}${at}`)).join('');
  const shapes = points.map(({ isFilled }, index) =>
    isMarked && drawn[index]
      ? html`<g transform="translate(${drawn[index]})">${pointShape(style.point, isFilled ? colour : paint(SURFACE))}</g>`
      : null,
  );
  return html`<g color="${colour}">${isJoined ? html`<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes(style.dash)}/>` : null}${shapes}</g>\n`;
}

function dashes(dash: readonly number[] = []): Markup | null {
  return dash.length === 0 ? null : html` stroke-dasharray="${dash.join(' ')}"`;
}
