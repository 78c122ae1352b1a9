/** The charts of a scenario of documents: its curves, and figures over what grows from cell to cell. Browser-safe. */

import { type CellFigure, figureOf, titleOf } from '../figures/figure.ts';
import { formatAmountWithin } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { isVarying, nameOf } from '../scenarios/cell-name.ts';
import type { ScenarioParameter } from '../scenarios/scenario.ts';
import { isEmpty } from './chart-model.ts';
import { type ChartLine, type ChartModel, type ChartPoint, PLAIN } from './forms/form.ts';
import { over } from './forms/over.ts';
import { assignStyles } from './palette.ts';

type Charted = Pick<MeasuredRun, 'scenario' | 'cells'>;

/** A line needs as many points. */
const LEAST_POINTS = 2;

/** Those with a line, by ids that are unique in the report. */
export function chartsOf(run: Charted): ChartModel[] {
  return [...curveCharts(run), ...growthCharts(run)].filter((model) => !isEmpty(model) && !isSmall(model));
}

/** One for each curve: how it goes in every cell. */
function curveCharts(run: Charted): ChartModel[] {
  return SCENARIOS[run.scenario].curves.map(({ name, title, x, y }) => {
    const lines = run.cells.map((cell) => {
      const { x: places, y: values } = cell.curves[name] ?? { x: [], y: [] };
      const points = places.flatMap((place, index) => pointOf(place, values[index] ?? null) ?? []);
      return { name: nameOf(run, cell), points: thinned(points) };
    });
    return modelOf(lines, {
      ...{ id: `curve-${kebab(name)}`, title, unit: y.unit, hint: y.label, of: `by ${x.label}`, scale: 'log' },
      form: over({ against: `by ${x.label}`, ...x, label: axisLabel(x.label, x.unit), scale: 'linear', line: '' }),
    });
  });
}

function modelOf(
  lines: readonly Pick<ChartLine, 'name' | 'points'>[],
  described: Pick<ChartModel, 'id' | 'title' | 'unit' | 'hint' | 'of' | 'scale' | 'form'>,
): ChartModel {
  const drawn = lines.filter(({ points }) => points.length >= LEAST_POINTS);
  const styles = assignStyles(drawn.map(({ name }) => name));
  return {
    ...PLAIN,
    ...described,
    // The lines differ from chart to chart.
    needsLegend: true,
    format: formatAmountWithin,
    lines: drawn.map((line) => ({ ...line, style: styles.get(line.name)! })),
  };
}

function pointOf(x: number, value: number | null, interval: ChartPoint['interval'] = null): ChartPoint | null {
  return value === null ? null : { x, value, interval, instead: null };
}

/** As many points as an eye tells apart, each the mean of its neighbours. */
const MOST_POINTS = 40;

function thinned(points: readonly ChartPoint[]): ChartPoint[] {
  const size = Math.ceil(points.length / MOST_POINTS) || 1;
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => {
    const near = points.slice(index * size, (index + 1) * size);
    return { ...near.at(-1)!, value: near.reduce((sum, { value }) => sum + value!, 0) / near.length };
  });
}

/** Each figure that runs are compared by, over each count that several cells differ in. */
function growthCharts(run: Charted): ChartModel[] {
  const { parameters, compared } = SCENARIOS[run.scenario];
  const counts = parameters.filter(({ name, unit }) => unit !== undefined && isVarying(run, name));
  return counts.flatMap((count) => compared.map((figure) => growthChart(run, count, figure)));
}

function growthChart(run: Charted, count: ScenarioParameter, figure: CellFigure): ChartModel {
  const groups = Map.groupBy(run.cells, (cell) => nameOf(run, cell, count.name));
  const lines = [...groups].map(([name, cells]) => {
    const points = cells.flatMap((cell) => {
      const x = Number(cell.parameters[count.name]);
      return x > 0 ? (pointOf(x, figureOf(cell, figure), cell.ci95[figure.name]) ?? []) : [];
    });
    return { name, points: points.sort((a, b) => a.x - b.x) };
  });
  const against = `by ${count.name}`;
  return modelOf(lines, {
    ...{ id: `${kebab(figure.name)}-over-${count.name}`, title: titleOf(figure), unit: figure.unit, hint: figure.what },
    ...{ of: against, scale: 'log' },
    form: over({ against, unit: count.unit!, label: axisLabel(count.name, count.unit!), scale: 'log', line: '' }),
  });
}

/** Two points say what the table says. */
function isSmall({ lines }: ChartModel): boolean {
  return lines.flatMap(({ points }) => points).length <= LEAST_POINTS;
}

/** A count often has the name of its unit. */
function axisLabel(name: string, unit: string): string {
  return name === unit ? unit : `${name}, ${unit}`;
}

function kebab(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase();
}
