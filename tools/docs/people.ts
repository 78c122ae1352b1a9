/** The first question as a picture and a table: people against what they pay and wait, up to what gave out. */
import { usersChart } from '../../analysis/charts/chart-model.ts';
import type { ChartModel, ChartPoint } from '../../analysis/charts/forms/form.ts';
import { over } from '../../analysis/charts/forms/over.ts';
import { assignStyles, coloursOf } from '../../analysis/charts/palette.ts';
import { svgPanels } from '../../analysis/charts/svg-chart.ts';
import { figureNamed } from '../../analysis/figures/catalogue.ts';
import type { ChartedFigure } from '../../analysis/figures/figure.ts';
import { NOTHING } from '../../analysis/figures/figure-text.ts';
import { typingCells } from '../../analysis/scenarios/cell.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import type { Cells, ChosenCells } from './cells.ts';
import { daysOf, wrap } from './wording.ts';

const TITLE = 'People against page CPU and latency, up to what gave out';
const PICTURED = ['userCpuPercent', 'endToEndLatencyMs.p50', 'endToEndLatencyMs.p95'] as const;
const END = '✕';
const PEOPLE = over({
  ...{ against: 'by number of people', unit: 'users', line: 'framework', label: 'people' },
  scale: 'log',
  // Few enough to be read; the others would cover one another.
  labels: [4, 16, 48, 112, 320],
});

/** The meaning of what follows a library's name in some rows. */
const GATHERED =
  '`1s` behind a library: senders gather their edits for a second from 64 people on, as in the paper. Wait is with 112 people there, CPU with 64 and 112 people. These rows compare with each other alone.';

/** The table of a query, but for its first column: that is the place of the picture, which stands above it. */
export async function peopleTable(sql: string, cells: Cells): Promise<string> {
  const { columns, rows } = await cells.ask(sql);
  const texts = rows.map((row) => row.slice(1).map((value) => String(value ?? NOTHING)));
  const [light, dark] = (await pictureFiles(sql, cells)).map(({ path }) => path);
  const [{ kept }] = (await cells.chosen(PICTURED_CELLS)) as [ChosenCells];
  // A sitting may climb past midnight, so every rung counts.
  const when = daysOf(kept.began ?? [kept.summary.startedAt]);
  const { machine, code } = cells.climbs.find((row) => row.code !== null)!;
  const gathered = cells.climbs.flatMap(({ library, framework }) => (library === framework ? [] : [library]));
  const meanings = texts.flat().some((text) => gathered.includes(text)) ? [wrap(GATHERED)] : [];
  return [
    `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}">\n<img alt="${TITLE}" src="${light}"></picture>`,
    markdownTable(columns.slice(1), texts),
    ...meanings,
    wrap(`The picture: ${machine}; ${code}, ${when}.`),
  ].join('\n\n');
}

/** The picture beside such a query, for light pages and for dark ones; paths are as seen from the page. */
export async function pictureFiles(sql: string, cells: Cells): Promise<{ path: string; svg: string }[]> {
  const models = await climbCharts(cells);
  const [first] = (await cells.ask(sql)).rows;
  return (['light', 'dark'] as const).map((theme) => ({
    path: `${first![0]}-${theme}.svg`,
    svg: svgPanels(models, { title: TITLE, theme }),
  }));
}

/** A ladder on one machine: others are rows of the table alone. */
const PICTURED_CELLS = 'SELECT cell FROM cells JOIN climbs USING (run, machine) WHERE climbs.nr = 0';

/** A chart for each figure, with lines as far as counts held. A cross ends each, and what gave out stands behind its name. */
async function climbCharts(cells: Cells): Promise<ChartModel[]> {
  const { climbs, markOf } = cells;
  const [{ kept }] = (await cells.chosen(PICTURED_CELLS)) as [ChosenCells];
  const held = typingCells(kept.summary).filter(({ fullyFunctional }) => fullyFunctional === true);
  const colours = coloursOf([kept.summary.environment]);
  const styles = assignStyles([...new Set(held.map(({ parameters }) => parameters.framework))], colours);
  const drawn = held.map((cell) => {
    const { framework } = cell.parameters;
    const { ended_by } = climbs.find((row) => row.framework === framework)!;
    const line = ended_by === null ? framework : `${framework}: ${ended_by}`;
    // Both tiers are in one chart.
    return { line, style: styles.get(framework)!, cell: { ...cell, run: 0, tier: 'unknown' as const } };
  });
  return PICTURED.map((name) => {
    const known = drawn.filter(({ cell }) => markOf(cell, name) !== null);
    const mode = held[0]?.parameters.mode ?? '';
    const chart = usersChart(figureNamed(name) as ChartedFigure, known, { mode, tier: 'unknown' });
    // The words stand behind the names.
    const ended = (point: ChartPoint) => ({ ...point, label: point.label && END });
    const lines = chart.lines.map((line) => ({ ...line, points: line.points.map(ended) }));
    return { ...chart, form: PEOPLE, bound: null, lines };
  });
}
