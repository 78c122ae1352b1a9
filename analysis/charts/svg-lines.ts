/** A chart of lines as an SVG file, drawn without a browser: for pages that need no script, and for documents. */
import { html, Markup } from '../tables/markup.ts';
import { formatTick } from './numbers.ts';
import { assignStyles } from './palette.ts';

export interface SvgLine {
  name: string;
  points: readonly { x: number; y: number }[];
}

export interface SvgChart {
  title: string;
  /** With its unit. */
  xLabel: string;
  yLabel: string;
  /** A logarithmic axis leaves out what is not above zero. */
  xScale: 'linear' | 'log';
  yScale: 'linear' | 'log';
  lines: readonly SvgLine[];
}

const WIDTH = 720;
const PLOT = { left: 64, right: 520, top: 40, bottom: 320 };
const LEGEND_ROW_PX = 18;
const BOTTOM_PX = 44;
const TICKS = 5;
/** Few points are worth a mark each. */
const MARKED_POINTS = 12;

/** The same data give the same bytes. Light, for a page or a paper. */
export function svgLines(chart: SvgChart): Markup {
  const styles = assignStyles(chart.lines.map(({ name }) => name));
  const drawn = chart.lines.map((line) => ({
    ...line,
    style: styles.get(line.name)!,
    points: line.points.filter(
      ({ x, y }) => (chart.xScale === 'linear' || x > 0) && (chart.yScale === 'linear' || y > 0),
    ),
  }));
  const all = drawn.flatMap(({ points }) => points);
  const x = axis(
    all.map((point) => point.x),
    chart.xScale,
    [PLOT.left, PLOT.right],
  );
  const y = axis(
    all.map((point) => point.y),
    chart.yScale,
    [PLOT.bottom, PLOT.top],
  );
  const height = Math.max(PLOT.bottom + BOTTOM_PX, PLOT.top + LEGEND_ROW_PX * drawn.length + 10);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="#20242b" role="img">
<title>${chart.title}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="8" y="20" font-size="14" font-weight="bold">${chart.title}</text>
<text x="${PLOT.left}" y="${PLOT.top - 8}" fill="#5b6470">${chart.yLabel}</text>
<text x="${PLOT.right}" y="${PLOT.bottom + 34}" text-anchor="end" fill="#5b6470">${chart.xLabel}</text>
${y.ticks.map(
  (
    tick,
  ) => html`<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${px(y.at(tick))}" y2="${px(y.at(tick))}" stroke="#dfe3e8"/>
<text x="${PLOT.left - 6}" y="${px(y.at(tick) + 4)}" text-anchor="end" fill="#5b6470">${formatTick(tick)}</text>
`,
)}${x.ticks.map(
  (
    tick,
  ) => html`<text x="${px(x.at(tick))}" y="${PLOT.bottom + 16}" text-anchor="middle" fill="#5b6470">${formatTick(tick)}</text>
`,
)}${drawn.map(({ points, style }) => {
  const dash = style.dash.length === 0 ? null : html` stroke-dasharray="${style.dash.join(' ')}"`;
  const path = points.map((point) => `${px(x.at(point.x))},${px(y.at(point.y))}`).join(' ');
  const marks = points.length > MARKED_POINTS ? [] : points;
  return html`<polyline points="${path}" fill="none" stroke="${style.light}" stroke-width="1.5"${dash}/>
${marks.map(
  (point) => html`<circle cx="${px(x.at(point.x))}" cy="${px(y.at(point.y))}" r="2.5" fill="${style.light}"/>
`,
)}`;
})}${drawn.map(({ name, style }, row) => {
  const top = PLOT.top + LEGEND_ROW_PX * row;
  const dash = style.dash.length === 0 ? null : html` stroke-dasharray="${style.dash.join(' ')}"`;
  return html`<line x1="${PLOT.right + 12}" x2="${PLOT.right + 32}" y1="${top}" y2="${top}" stroke="${style.light}" stroke-width="2"${dash}/>
<text x="${PLOT.right + 38}" y="${top + 4}">${name}</text>
`;
})}</svg>
`;
}

/** A whole file. */
export function svgFile(chart: SvgChart): string {
  return new Markup(`<?xml version="1.0" encoding="UTF-8"?>\n${svgLines(chart).text}`).text;
}

interface Axis {
  ticks: number[];
  at(value: number): number;
}

/** @param to where the least and the greatest value lie, in pixels */
function axis(values: readonly number[], scale: SvgChart['xScale'], [from, to]: readonly [number, number]): Axis {
  const greatest = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const smallest = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  if (values.length === 0) return { ticks: [], at: () => from };
  if (scale === 'linear') {
    const step = niceStep((greatest - Math.min(0, smallest)) / TICKS || 1);
    const [low, high] = [step * Math.floor(Math.min(0, smallest) / step), step * Math.ceil(greatest / step) || step];
    const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
    return { ticks, at: (value) => from + ((to - from) * (value - low)) / (high - low) };
  }
  const low = Math.floor(Math.log10(smallest));
  const high = Math.max(low + 1, Math.ceil(Math.log10(greatest)));
  const every = Math.ceil((high - low) / (2 * TICKS));
  const ticks = Array.from({ length: Math.floor((high - low) / every) + 1 }, (_, index) => 10 ** (low + index * every));
  return { ticks, at: (value) => from + ((to - from) * (Math.log10(value) - low)) / (high - low) };
}

/** 1, 2 or 5 times a power of ten, at least so much. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least)!;
}

function px(value: number): string {
  return value.toFixed(1);
}
