/** The catalogue of figures as a table, for the documentation. */
import { lastCalibration, missedBounds } from '../../analysis/cell/cells.ts';
import { FIGURES } from '../../analysis/figures/catalogue.ts';
import { type Figure, longUnit, type Place, type Ratio, type Source } from '../../analysis/figures/figure.ts';
import { markdownTable } from '../../analysis/tables/render.ts';

const PLACES: Record<Place, string> = {
  series: 'series',
  terminal: 'main table',
  report: 'report’s table',
  resources: 'resource table',
  'saved state': 'saved-state table',
  baseline: 'cost over the baseline',
  compare: 'intervals, `compare`',
  scaling: 'scaling table',
  readers: 'table of readers',
  store: 'table of stores',
  servers: 'table of several servers',
  sql: '`cell_summaries`',
};

/** A Markdown table of every figure: its name in `summary.json`, what it is, how it is pooled over trials, where it is shown. */
export function figuresTable(): string {
  const headings = ['name', 'figure', 'unit', 'what it is', 'over the trials of a cell', 'shown in'];
  return markdownTable(
    headings,
    FIGURES.map((figure) => [
      `\`${figure.name}\``,
      figure.label,
      longUnit(figure),
      `${figure.what}${boundText(figure)}${calibrationText(figure)}`,
      describePooling(figure.source),
      [...figure.places.map((place) => PLACES[place]), ...chartText(figure)].join(', ') || 'every cell',
    ]),
  );
}

function boundText({ bound, unit }: Figure): string {
  return bound === null ? '' : `; fully functional: ${bound.kind} ${bound.value} ${unit}`;
}

function calibrationText({ name }: Figure): string {
  const calibration = lastCalibration();
  const modes = [...new Set(calibration?.rows.map(({ mode }) => mode))];
  const missed = modes.filter((mode) => missedBounds(calibration, mode).includes(name));
  return missed.length === 0 ? '' : `; the last calibration missed its bound (${missed.join(', ')})`;
}

function chartText({ chart }: Figure): string[] {
  return chart === null ? [] : [`chart ${chart.over.map((axis) => `over ${axis}`).join(' and ')}`];
}

/** Of kinds that say not by themselves what they do. */
const POOLED: Readonly<Partial<Record<Source['pooled'], string>>> = {
  quantile: 'quantile of all samples together',
  count: 'all samples together',
  mean: 'mean of the trials',
  'geometric mean': 'geometric mean of the trials',
};

function describePooling(source: Source | Ratio): string {
  if (source.pooled === 'share') return `all ${source.part} ÷ all ${source.whole}`;
  if (source.pooled === 'ratio') return `\`${source.of}\` ÷ \`${source.to}\``;
  return POOLED[source.pooled] ?? source.pooled;
}
