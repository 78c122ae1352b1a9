/** A figure drawn in its row: the point, its interval over trials, the trials themselves, and the bound, on the column's axis. */
import { areFarApart, linearScale, logScale, type Scale } from '../../charts/forms/scale.ts';
import { cssColour, type FrameworkStyle } from '../../charts/palette.ts';
import { formatAmount } from '../../figures/figure-text.ts';
import { html, type Markup } from '../../tables/markup.ts';
import type { SiteColumn, SiteFigure, SiteRow } from '../site-data.ts';

const WIDTH = 84;
const HEIGHT = 16;
const MARGIN = 5;
const MIDDLE = HEIGHT / 2;

/** The scale that all shown rows of a column share; null if none has the figure. */
export function scaleOf(rows: readonly SiteRow[], { name, scale }: SiteColumn): Scale | null {
  const values = rows.flatMap(({ figures }) => {
    const { value = null, ci95 = [], trials = [] } = figures[name] ?? {};
    return value === null ? [] : [value, ...ci95, ...trials];
  });
  if (values.length === 0) return null;
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  if (scale === 'log' && least > 0 && areFarApart(values)) return logScale(values);
  return linearScale(Math.min(0, least), greatest, 'exact');
}

/** Decoration for the eye: its title says the same in words. */
export function strip(figure: SiteFigure, column: SiteColumn, scale: Scale, style: FrameworkStyle): Markup | null {
  const { value, ci95, trials = [] } = figure;
  if (value === null) return null;
  const { bound } = column;
  const isShown = bound !== null && bound.value >= scale.least && bound.value <= scale.greatest;
  const px = (place: number) => (MARGIN + (WIDTH - 2 * MARGIN) * scale.at(place)).toFixed(1);
  return html`<svg class="strip" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" style="color:${cssColour(style)}"><title>${wordsOf(figure, column)}</title>
<path class="ground" d="M${MARGIN} ${MIDDLE}H${WIDTH - MARGIN}"/>${
    isShown ? html`<path class="bound" d="M${px(bound.value)} 0V${HEIGHT}"/>` : null
  }${ci95 === undefined ? null : html`<path class="interval" d="M${px(ci95[0])} ${MIDDLE}H${px(ci95[1])}"/>`}${trials.map(
    (trial) => html`<circle class="trial" cx="${px(trial)}" cy="${MIDDLE}" r="1.7"/>`,
  )}<circle cx="${px(value)}" cy="${MIDDLE}" r="3.2"/></svg>`;
}

/** `39.1 ms; 95 % interval 35.2 to 42; trials: 38, 40`. */
export function wordsOf({ value, text, ci95, trials }: SiteFigure, { unit, bound }: SiteColumn): string {
  if (text !== undefined) return `${text} ${value === null ? '' : unit}`.trim();
  return [
    `${formatAmount(value)} ${unit}`,
    ci95 === undefined ? 'no interval: too few trials' : `95 % interval ${ci95.map(formatAmount).join(' to ')}`,
    ...(trials === undefined ? [] : [`trials: ${trials.map(formatAmount).join(', ')}`]),
    ...(bound === null ? [] : [`fully functional: ${bound.kind} ${bound.value}`]),
  ].join('; ');
}
