/** A chart model as an SVG file, drawn without a browser: for documents and papers. The same model gives the same bytes. */
import { type Content, html, type Markup } from '../tables/markup.ts';
import type { Axis, ChartModel, Mark, Picture, PictureLine, Place } from './forms/form.ts';
import { beginsLogarithmic } from './forms/scale.ts';
import { type Colour, FAINT, GRID, INK, lineSample, pointShape, SURFACE } from './palette.ts';

/** To the right of the plot there is room for a legend, and for what stands behind bars. */
const LEGEND_PX = 200;
const RIGHT_PX = 520;
/** Of each of several, which stand in two columns: a phone shows these at two thirds of their size. */
const PANEL_PX = 290;
const COLUMNS = 2;
const MARGIN_PX = 12;
const TOP_PX = 44;
const BOTTOM_PX = 44;
const LEGEND_ROW_PX = 18;
const LEAST_LEFT_PX = 64;
const CHARACTER_PX = 7;
const ANCHORS = { left: 'start', center: 'middle', right: 'end' } as const;

/** The left and the upper end of a part of the picture, px. */
type Corner = readonly [left: number, top: number];

interface Plot {
  theme: keyof Colour;
  right: number;
  left: number;
  bottom: number;
  /** Of a part of the plot, in pixels. */
  x(part: number): string;
  y(part: number): string;
}

/** A whole file: the picture that a page shows at first. */
export function svgFile(model: ChartModel): string {
  return svgPanels([model], { title: model.title, theme: 'light' });
}

/** Charts of the same lines in two columns, with one legend behind the last; that of a chart alone stands beside it. */
export function svgPanels(
  models: readonly ChartModel[],
  { title, theme }: { title: string; theme: keyof Colour },
): string {
  const isAlone = models.length === 1;
  const panelPx = isAlone ? RIGHT_PX : PANEL_PX;
  const pictures = models.map((model) => model.form.layOut(model, beginsLogarithmic(model)));
  const plots = pictures.map((picture) => plotOf(picture, panelPx, theme));
  const [first] = pictures as [Picture];
  const legendPx = first.isJoined ? TOP_PX + LEGEND_ROW_PX * first.lines.length : 0;
  const rowPx = Math.max(...plots.map(({ bottom }) => bottom + BOTTOM_PX), legendPx);
  const height = rowPx * Math.ceil((models.length + 1) / COLUMNS);
  const width = isAlone ? panelPx + LEGEND_PX : COLUMNS * panelPx + MARGIN_PX;
  const cornerOf = (place: number): Corner => [(place % COLUMNS) * panelPx, Math.floor(place / COLUMNS) * rowPx];
  const panels = pictures.map((picture, index) => {
    const drawn = panel(models[index]!.title, picture, plots[index]!);
    return index === 0 ? drawn : html`<g transform="translate(${cornerOf(index).join(' ')})">\n${drawn}</g>\n`;
  });
  const content = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="${INK[theme]}" role="img">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="${SURFACE[theme]}"/>
${panels}${first.isJoined ? legend(first, cornerOf(models.length), theme) : null}</svg>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content.text}`;
}

function panel(title: string, picture: Picture, plot: Plot): Markup {
  return html`<text x="8" y="20" font-size="14" font-weight="bold">${title}</text>
${axes(picture, plot)}${picture.below.map((mark) => drawMark(mark, plot))}${picture.lines.map((line) => drawLine(line, picture, plot))}${picture.above.map((mark) => drawMark(mark, plot))}`;
}

function plotOf({ up, heightPx }: Picture, right: number, theme: keyof Colour): Plot {
  const longest = Math.max(0, ...up.ticks.map(({ text }) => text.length));
  const left = Math.max(LEAST_LEFT_PX, 16 + CHARACTER_PX * longest);
  const bottom = Math.round(TOP_PX + heightPx);
  return {
    ...{ theme, right, left, bottom },
    x: (part) => (left + (right - left) * part).toFixed(1),
    y: (part) => (bottom - heightPx * part).toFixed(1),
  };
}

function axes({ across, up }: Picture, { theme, right, left, bottom, x, y }: Plot): Content {
  const label = labelIn(theme);
  const grid = (axis: Axis, path: string) =>
    axis.isOfNames ? null : html`<path d="${path}" stroke="${GRID[theme]}"/>\n`;
  const ofAcross = across.ticks.map(({ at, text }) => {
    const place = x(at);
    return [grid(across, `M${place} ${TOP_PX}V${bottom}`), label(text, [place, bottom + 16], 'middle')];
  });
  const ofUp = up.ticks.map(({ at, text }) => {
    const place = y(at);
    return [
      grid(up, `M${left} ${place}H${right}`),
      label(text, [left - 6, Number(place) + 4], 'end', up.isOfNames ? INK : FAINT),
    ];
  });
  return [
    label(up.title, [left, TOP_PX - 8], 'start'),
    label(across.title, [right, bottom + 34], 'end'),
    ofAcross,
    ofUp,
  ];
}

function labelIn(theme: keyof Colour) {
  return (text: string, [x, y]: readonly [string | number, number], anchor: string, colour = FAINT): Content =>
    text === '' ? null : html`<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour[theme]}">${text}</text>\n`;
}

function drawMark(mark: Mark, plot: Plot): Markup {
  const colour = mark.colour[plot.theme];
  const opacity = mark.opacity === undefined ? null : html` opacity="${mark.opacity}"`;
  const at = ([x, y]: Place) => `${plot.x(x)} ${plot.y(y)}`;
  if ('corners' in mark) return html`<path d="M${mark.corners.map(at).join('L')}Z" fill="${colour}"${opacity}/>\n`;
  if ('from' in mark) {
    return html`<path d="M${at(mark.from)}L${at(mark.to)}" stroke="${colour}" stroke-width="${mark.widthPx}"${dashes(mark.dash)}${opacity}/>\n`;
  }
  const x = Number(plot.x(mark.at[0])) + mark.shiftPx[0];
  const y = Number(plot.y(mark.at[1])) + mark.shiftPx[1];
  return html`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${ANCHORS[mark.align]}" fill="${colour}" stroke="${SURFACE[plot.theme]}" stroke-width="3" paint-order="stroke">${mark.words}</text>\n`;
}

function drawLine({ style, points, isMarked }: PictureLine, { isJoined }: Picture, plot: Plot): Markup {
  const colour = style[plot.theme];
  const drawn = points.map(({ x, y }) => (Number.isNaN(x + y) ? null : `${plot.x(x)} ${plot.y(y)}`));
  // A line begins anew behind a gap.
  const path = drawn.map((at, index) => (at === null ? '' : `${drawn[index - 1] ? 'L' : 'M'}${at}`)).join('');
  const shapes = points.map(({ isFilled }, index) =>
    isMarked && drawn[index]
      ? html`<g transform="translate(${drawn[index]})">${pointShape(style.point, isFilled ? colour : SURFACE[plot.theme])}</g>`
      : null,
  );
  return html`<g color="${colour}">${isJoined ? html`<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes(style.dash)}/>` : null}${shapes}</g>\n`;
}

function legend({ lines }: Picture, [leftPx, topPx]: Corner, theme: keyof Colour): Content {
  return lines.map(({ name, style }, row) => {
    const middle = topPx + TOP_PX + LEGEND_ROW_PX * row;
    return html`<g transform="translate(${leftPx + 25} ${middle})" color="${style[theme]}">${lineSample(style, SURFACE[theme])}</g>
<text x="${leftPx + 42}" y="${middle + 4}">${name}</text>
`;
  });
}

function dashes(dash: readonly number[] = []): Markup | null {
  return dash.length === 0 ? null : html` stroke-dasharray="${dash.join(' ')}"`;
}
