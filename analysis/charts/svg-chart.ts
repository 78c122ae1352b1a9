/** A chart model as an SVG file, drawn without a browser: for documents and papers. Light; the same model gives the same bytes. */

import { formatTick } from '../figures/figure-text.ts';
import { html, type Markup } from '../tables/markup.ts';
import { type ChartLine, type ChartModel, roundUp } from './forms/form.ts';

const LINES = { left: 64, right: 520, top: 40, bottom: 320, width: 720 };
const LEGEND_ROW_PX = 18;
const BOTTOM_PX = 44;
const TICKS = 5;
/** Few points are worth a mark each. */
const MARKED_POINTS = 12;

/** The right end leaves room for a label. */
const ROWS = { left: 140, right: 620, top: 44, width: 760 };
const ROW_PX = 30;
const BAR_PX = 14;
const ROWS_BOTTOM_PX = 26;

const INK = '#20242b';
const FAINT = '#5b6470';
const GRID = '#dfe3e8';

/** A whole file: lines from left to right, or a row with a bar for each line of the model. */
export function svgFile(model: ChartModel): string {
  const { text } = model.form.isJoined ? drawLines(model) : drawRows(model);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}`;
}

function frame({ title }: ChartModel, { width, height }: { width: number; height: number }, content: Markup): Markup {
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="${INK}" role="img">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="8" y="20" font-size="14" font-weight="bold">${title}</text>
${content}</svg>
`;
}

function drawLines(model: ChartModel): Markup {
  const { left, right, top, bottom, width } = LINES;
  const across = model.form.across;
  const isLog = { x: across.scale === 'log', y: model.scale === 'log' };
  const lines = model.lines.map((line) => ({ ...line, points: drawable(line, isLog) }));
  const all = lines.flatMap(({ points }) => points);
  const x = axis(
    all.map((point) => point.x),
    isLog.x,
    [left, right],
  );
  const y = axis(
    all.flatMap(({ value, interval }) => [value, ...ends(interval, isLog.y)]),
    isLog.y,
    [bottom, top],
  );
  const height = Math.max(bottom + BOTTOM_PX, top + LEGEND_ROW_PX * lines.length + 10);
  const content = html`<text x="${left}" y="${top - 8}" fill="${FAINT}">${model.unit}</text>
<text x="${right}" y="${bottom + 34}" text-anchor="end" fill="${FAINT}">${across.label}</text>
${y.ticks.map(
  (tick) => html`<line x1="${left}" x2="${right}" y1="${px(y.at(tick))}" y2="${px(y.at(tick))}" stroke="${GRID}"/>
<text x="${left - 6}" y="${px(y.at(tick) + 4)}" text-anchor="end" fill="${FAINT}">${formatTick(tick)}</text>
`,
)}${x.ticks.map(
  (
    tick,
  ) => html`<text x="${px(x.at(tick))}" y="${bottom + 16}" text-anchor="middle" fill="${FAINT}">${formatTick(tick)}</text>
`,
)}${lines.map(({ points, style }) => {
  const path = points.map((point) => `${px(x.at(point.x))},${px(y.at(point.value))}`).join(' ');
  const marks = points.length > MARKED_POINTS ? [] : points;
  return html`<polyline points="${path}" fill="none" stroke="${style.light}" stroke-width="1.5"${dashOf(style.dash)}/>
${marks.map(
  (point) => html`<circle cx="${px(x.at(point.x))}" cy="${px(y.at(point.value))}" r="2.5" fill="${style.light}"/>
`,
)}${points.map(({ x: place, interval }) => {
  const [low, high] = ends(interval, isLog.y);
  if (low === undefined || high === undefined) return null;
  return html`<path d="M ${px(x.at(place))} ${px(y.at(low))} V ${px(y.at(high))}" stroke="${style.light}" stroke-opacity="0.5"/>
`;
})}`;
})}${lines.map(({ name, style }, row) => {
  const middle = top + LEGEND_ROW_PX * row;
  return html`<line x1="${right + 12}" x2="${right + 32}" y1="${middle}" y2="${middle}" stroke="${style.light}" stroke-width="2"${dashOf(style.dash)}/>
<text x="${right + 38}" y="${middle + 4}">${name}</text>
`;
})}`;
  return frame(model, { width, height }, content);
}

/** A logarithmic axis has no place for what is not above zero. */
function drawable({ points }: ChartLine, isLog: { x: boolean; y: boolean }) {
  return points.flatMap((point) => {
    const { x, value } = point;
    return value === null || (isLog.x && x <= 0) || (isLog.y && value <= 0) ? [] : [{ ...point, value }];
  });
}

function ends(interval: { low: number; high: number } | null, isLog: boolean): number[] {
  return interval === null || (isLog && interval.low <= 0) ? [] : [interval.low, interval.high];
}

/** Bars from 0 to the figure; a bracket goes on to the end of the interval, dashed if that end is not known. */
function drawRows(model: ChartModel): Markup {
  const { left, right, top, width } = ROWS;
  const points = model.lines.flatMap((line) => line.points);
  const most = Math.max(1, ...points.flatMap(({ value, interval }) => [value ?? 0, interval?.high ?? 0]));
  const at = (value: number) => left + ((right - left) * value) / most;
  const height = top + ROW_PX * model.lines.length + ROWS_BOTTOM_PX;
  const ticks = [...new Set(Array.from({ length: TICKS }, (_, index) => Math.round((most * index) / (TICKS - 1))))];
  const content = html`${ticks.map(
    (
      tick,
    ) => html`<line x1="${at(tick)}" x2="${at(tick)}" y1="${top - 8}" y2="${height - ROWS_BOTTOM_PX}" stroke="${GRID}"/>
<text x="${at(tick)}" y="${height - 8}" text-anchor="middle" fill="${FAINT}">${formatTick(tick)}</text>
`,
  )}${model.lines.map((line, row) => drawRow(line, top + ROW_PX * row, at))}`;
  return frame(model, { width, height }, content);
}

function drawRow({ name, style, points }: ChartLine, top: number, at: (value: number) => number): Markup {
  const [{ value = 0, interval = null, label = '' } = {}] = points;
  const middle = top + BAR_PX / 2;
  const [from, to] = [at(value ?? 0), at(interval?.high ?? value ?? 0)];
  const bracket =
    interval === null
      ? null
      : html`<path d="M ${from} ${middle} H ${to} M ${to} ${top} V ${top + BAR_PX}" stroke="${INK}" stroke-width="1.5" fill="none"${dashOf(interval.isOpen ? [3, 3] : [])}/>
`;
  return html`<text x="${ROWS.left - 8}" y="${middle + 4}" text-anchor="end">${name}</text>
<rect x="${ROWS.left}" y="${top}" width="${from - ROWS.left}" height="${BAR_PX}" fill="${style.light}"/>
${bracket}<text x="${to + 6}" y="${middle + 4}">${label}</text>
`;
}

function dashOf(dash: readonly number[]): Markup | null {
  return dash.length === 0 ? null : html` stroke-dasharray="${dash.join(' ')}"`;
}

interface Axis {
  ticks: number[];
  at(value: number): number;
}

/** @param ends where the least and the greatest value lie, in pixels */
function axis(values: readonly number[], isLog: boolean, [from, to]: readonly [number, number]): Axis {
  const greatest = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const smallest = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  if (values.length === 0) return { ticks: [], at: () => from };
  if (!isLog) {
    const step = roundUp((greatest - Math.min(0, smallest)) / TICKS || 1);
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

function px(value: number): string {
  return value.toFixed(1);
}
