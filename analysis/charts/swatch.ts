/** A short line with a point, as a framework is drawn in the charts: SVG for legends, buttons and tables. */

import { Markup } from '../tables/markup.ts';
import type { FrameworkStyle, PointShape } from './palette.ts';

const POINTS: Record<PointShape, string> = {
  circle: '<circle cx="13" cy="6" r="3.4"/>',
  rect: '<rect x="10" y="3" width="6" height="6"/>',
  rectRot: '<path d="M13 2l4 4-4 4-4-4z"/>',
  triangle: '<path d="M13 2.2l4 7H9z"/>',
  star: '<path d="M13 2v8M9.5 4l7 4M9.5 8l7-4" fill="none"/>',
  crossRot: '<path d="M10 3l6 6M16 3l-6 6" fill="none"/>',
};

/** Decoration only: the framework's name stands beside it. */
export function swatch(style: FrameworkStyle): Markup {
  const dash = style.dash.length === 0 ? '' : ` stroke-dasharray="${style.dash.join(' ')}"`;
  const fill = style.dash.length === 0 ? 'currentColor' : 'var(--surface)';
  return new Markup(
    `<svg class="swatch" style="color:${cssColour(style)}" width="26" height="12" viewBox="0 0 26 12" aria-hidden="true">` +
      `<path d="M0 6h26" stroke="currentColor" stroke-width="2"${dash}/>` +
      `<g fill="${fill}" stroke="currentColor" stroke-width="1.6">${POINTS[style.point]}</g></svg>`,
  );
}

/** The colour for the scheme that the page is shown in. */
function cssColour({ light, dark }: FrameworkStyle): string {
  return `light-dark(${light},${dark})`;
}
