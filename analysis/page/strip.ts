/** A figure drawn in its row: the point, its interval over trials, the trials themselves, and the bound, on the column's axis. */
import { areFarApart, linearScale, logScale, type Scale } from '../charts/forms/scale.ts';
import { cssColour, type FrameworkStyle } from '../charts/palette.ts';
import { formatAmount } from '../figures/figure-text.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { html, type Markup } from '../tables/markup.ts';
import type { Column, Row } from './page-data.ts';
import { valueIn } from './selection.ts';

const WIDTH = 84;
const HEIGHT = 16;
const MARGIN = 5;
const MIDDLE = HEIGHT / 2;

/** The scale that all shown rows of a column share; null if none has the figure. */
export function scaleOf(rows: readonly Row[], { name, scale }: Column): Scale | null {
  const values = rows.flatMap((row) => {
    const value = valueIn(row, name);
    const interval = row.ci95[name] ?? null;
    return value === null
      ? []
      : [value, ...(interval === null ? [] : [interval.low, interval.high]), ...(row.replicates[name] ?? [])];
  });
  if (values.length === 0) return null;
  const least = values.reduce((a, b) => Math.min(a, b));
  const greatest = values.reduce((a, b) => Math.max(a, b));
  if (scale === 'log' && least > 0 && areFarApart(values)) return logScale(values);
  return linearScale(Math.min(0, least), greatest, 'exact');
}

/** Decoration for the eye: its title says the same in words. */
export function strip(row: Row, column: Column, scale: Scale, style: FrameworkStyle): Markup | null {
  const { name, bound } = column;
  const value = valueIn(row, name);
  if (value === null) return null;
  const interval = row.ci95[name] ?? null;
  const isShown = bound !== null && bound.value >= scale.least && bound.value <= scale.greatest;
  const px = (place: number) => (MARGIN + (WIDTH - 2 * MARGIN) * scale.at(place)).toFixed(1);
  return html`<svg class="strip" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" style="color:${cssColour(style)}"><title>${wordsOf(row, column)}</title>
<path class="ground" d="M${MARGIN} ${MIDDLE}H${WIDTH - MARGIN}"/>${
    isShown ? html`<path class="bound" d="M${px(bound.value)} 0V${HEIGHT}"/>` : null
  }${interval === null ? null : html`<path class="interval" d="M${px(interval.low)} ${MIDDLE}H${px(interval.high)}"/>`}${(
    row.replicates[name] ?? []
  ).map(
    (trial) => html`<circle class="trial" cx="${px(trial)}" cy="${MIDDLE}" r="1.7"/>`,
  )}<circle cx="${px(value)}" cy="${MIDDLE}" r="3.2"/></svg>`;
}

/** `39.1 ms; 95 % interval 35.2 to 42; trials: 38, 40`. */
export function wordsOf({ figures, texts, ci95, replicates, validTrials }: Row, { name, unit, bound }: Column): string {
  const value = figures[name] ?? null;
  const text = texts[name];
  if (text !== undefined) return `${text} ${value === null ? '' : unit}`.trim();
  const interval = ci95[name] ?? null;
  const trials = replicates[name] ?? [];
  const between =
    interval === null
      ? `no interval${validTrials < MIN_TRIALS ? ': too few trials' : ''}`
      : `95 % interval ${formatAmount(interval.low)} to ${formatAmount(interval.high)}`;
  return [
    `${formatAmount(value)} ${unit}`,
    between,
    ...(trials.length === 0 ? [] : [`trials: ${trials.map(formatAmount).join(', ')}`]),
    ...(bound === null ? [] : [`fully functional: ${bound.kind} ${bound.value}`]),
  ].join('; ');
}
