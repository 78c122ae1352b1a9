/** A chart model as an SVG file, drawn without a browser: for documents, papers and copies. The same model gives the same bytes. */
import { wrapWords } from '../../results/text-table.ts';
import { type Content, html, type Markup } from '../tables/markup.ts';
import { headingOf, hintOf } from './chart-model.ts';
import type { ChartModel, LegendEntry, Picture } from './forms/form.ts';
import { beginsLogarithmic } from './forms/scale.ts';
import { type Colour, INK, SURFACE, sample } from './palette.ts';
import { BOTTOM_PX, CHARACTER_PX, drawPlot, labelIn, type Paint, type Plot, plotOf } from './plot.ts';

/** To the right of the plot there is room for a legend, and for what stands behind bars. */
const LEGEND_PX = 200;
const RIGHT_PX = 520;
/** Of each of several, which stand in two columns: a phone shows these at two thirds of their size. */
const PANEL_PX = 290;
const COLUMNS = 2;
const MARGIN_PX = 12;
const TOP_PX = 44;
const LEGEND_ROW_PX = 18;
const LEGEND_TEXT_PX = 42;
const CAPTION_ROW_PX = 16;
const CAPTION_CHARACTERS = 110;

/** The left and the upper end of a part of the picture, px. */
type Corner = readonly [left: number, top: number];

/** A whole file: the picture that a page shows at first. */
export function svgFile(model: ChartModel): string {
  return svgPanels([model], { title: model.title, theme: 'light' });
}

/** A chart as a page shows it: with its unit and its legend, and below it what it is of and the cells that have no figures. */
export function svgImage(
  model: ChartModel,
  { isLog = beginsLogarithmic(model), theme = 'light' }: { isLog?: boolean; theme?: keyof Colour } = {},
): string {
  const picture = model.form.layOut(model, isLog);
  const { absent } = picture;
  const caption = [hintOf(model, isLog), ...(absent.length > 0 ? [`No figures: ${absent.join(' · ')}`] : [])];
  const title = headingOf(model);
  return svgPanels([{ ...model, title }], { title, theme, pictures: [picture], caption });
}

/**
 * Charts of the same lines in two columns, with one legend behind the last; that of a chart alone stands beside it.
 *
 * @param options.pictures if they are not as a page shows them at first
 * @param options.caption  sentences below
 */
export function svgPanels(
  models: readonly ChartModel[],
  {
    title,
    theme,
    pictures = models.map((model) => model.form.layOut(model, beginsLogarithmic(model))),
    caption = [],
  }: { title: string; theme: keyof Colour; pictures?: readonly Picture[]; caption?: readonly string[] },
): string {
  const isAlone = models.length === 1;
  const panelPx = isAlone ? RIGHT_PX : PANEL_PX;
  const paint: Paint = (colour) => colour[theme];
  const plots = pictures.map((picture) => plotOf(picture, { right: panelPx, top: TOP_PX, paint }));
  const [first] = pictures as [Picture];
  const entries = first.isJoined ? first.legend : [];
  const legendPx = TOP_PX + LEGEND_ROW_PX * entries.length;
  const rowPx = Math.max(...plots.map(({ bottom }) => bottom + BOTTOM_PX), legendPx);
  const below = caption.flatMap((sentence) => wrapWords(sentence, CAPTION_CHARACTERS).split('\n'));
  const chartsPx = rowPx * Math.ceil((models.length + 1) / COLUMNS);
  const height = chartsPx + (below.length > 0 ? CAPTION_ROW_PX * below.length + MARGIN_PX : 0);
  const longest = Math.max(0, ...entries.map(({ words }) => words.length));
  const besidePx = Math.max(LEGEND_PX, LEGEND_TEXT_PX + CHARACTER_PX * longest);
  const width = isAlone ? panelPx + besidePx : COLUMNS * panelPx + MARGIN_PX;
  const cornerOf = (place: number): Corner => [(place % COLUMNS) * panelPx, Math.floor(place / COLUMNS) * rowPx];
  const panels = pictures.map((picture, index) => {
    const drawn = panel(models[index]!.title, picture, plots[index]!);
    return index === 0 ? drawn : html`<g transform="translate(${cornerOf(index).join(' ')})">\n${drawn}</g>\n`;
  });
  const content = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="${paint(INK)}" role="img">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="${paint(SURFACE)}"/>
${panels}${legend(entries, cornerOf(models.length), paint)}${below.map((line, row) => labelIn(paint)(line, [8, chartsPx + MARGIN_PX + CAPTION_ROW_PX * row], 'start'))}</svg>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content.text}`;
}

function panel(title: string, picture: Picture, plot: Plot): Markup {
  // Words may stand beside rows, where lines have their legend.
  const below = picture.isJoined ? '' : picture.legend.map(({ words }) => words).join(', ');
  return html`<text x="8" y="20" font-size="14" font-weight="bold">${title}</text>
${drawPlot(picture, plot)}${labelIn(plot.paint)(below, [8, plot.bottom + 34], 'start')}`;
}

function legend(entries: readonly LegendEntry[], [leftPx, topPx]: Corner, paint: Paint): Content {
  return entries.map(({ words, sign }, row) => {
    const middle = topPx + TOP_PX + LEGEND_ROW_PX * row;
    return html`<g transform="translate(${leftPx + 25} ${middle})" color="${paint(sign!)}">${sample(sign!, paint(SURFACE))}</g>
<text x="${leftPx + LEGEND_TEXT_PX}" y="${middle + 4}">${words}</text>
`;
  });
}
