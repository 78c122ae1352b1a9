/** The charts of a document scenario: its curves, and figures over what grows from cell to cell. */
import type { DocumentCell, DocumentSummary } from '../../results/formats/document-summary.ts';
import type { SvgChart, SvgLine } from '../charts/svg-lines.ts';
import { CATALOGUES } from './catalogue.ts';
import type { ScenarioFigure, ScenarioParameter } from './scenario.ts';
import { nameOf, numberOf } from './table.ts';

export interface NamedChart extends SvgChart {
  /** Letters, digits and hyphens; unique in its report. */
  id: string;
}

/** A line needs as many points. */
const LEAST_POINTS = 2;

export function chartsOf(summary: DocumentSummary): NamedChart[] {
  return [...curveCharts(summary), ...growthCharts(summary)];
}

/** One for each curve: how it goes in every cell. */
function curveCharts(summary: DocumentSummary): NamedChart[] {
  return CATALOGUES[summary.scenario].curves.flatMap(({ name, title, x, y }) => {
    const lines = summary.cells.flatMap((cell) => {
      const curve = cell.curves[name];
      if (curve === undefined) return [];
      const points = curve.x.flatMap((at, index) => {
        const value = curve.y[index];
        return value === null || value === undefined ? [] : [{ x: at, y: value }];
      });
      return points.length < LEAST_POINTS ? [] : [{ name: nameOf(summary, cell), points: thinned(points) }];
    });
    if (lines.length === 0) return [];
    const labels = { xLabel: `${x.label}, ${x.unit}`, yLabel: `${y.label}, ${y.unit}` };
    return [{ id: `curve-${kebab(name)}`, title, ...labels, xScale: 'linear' as const, yScale: 'log' as const, lines }];
  });
}

/** As many points as an eye tells apart, each the mean of its neighbours. */
const MOST_POINTS = 40;

function thinned(points: SvgLine['points']): SvgLine['points'] {
  const each = Math.ceil(points.length / MOST_POINTS);
  return Array.from({ length: Math.ceil(points.length / each) }, (_, index) => {
    const near = points.slice(index * each, (index + 1) * each);
    return { x: near.at(-1)!.x, y: near.reduce((sum, { y }) => sum + y, 0) / near.length };
  });
}

/** Each figure that runs are compared by, over each count that several cells differ in. */
function growthCharts(summary: DocumentSummary): NamedChart[] {
  const { parameters, figures } = CATALOGUES[summary.scenario];
  const counts = parameters.filter(
    ({ name, unit }) => unit !== undefined && new Set(summary.cells.map((cell) => cell[name])).size >= LEAST_POINTS,
  );
  return counts.flatMap((count) =>
    figures
      .filter(({ places }) => places.includes('compare'))
      .flatMap((figure) => growthChart(summary, count, figure) ?? []),
  );
}

function growthChart(summary: DocumentSummary, count: ScenarioParameter, figure: ScenarioFigure): NamedChart | null {
  const groups = Map.groupBy(summary.cells, (cell) => nameBut(summary, cell, count.name));
  const lines = [...groups].flatMap(([name, cells]) => {
    const points = cells.flatMap((cell) => {
      const [x, y] = [numberOf(cell, count.name), numberOf(cell, figure.name)];
      return x === null || y === null ? [] : [{ x, y }];
    });
    return points.length < LEAST_POINTS ? [] : [{ name, points: points.sort((a, b) => a.x - b.x) }];
  });
  if (lines.length === 0) return null;
  return {
    id: `${kebab(figure.name)}-over-${count.name}`,
    title: `${figure.label}, by ${count.name}`,
    xLabel: `${count.name}, ${count.unit}`,
    yLabel: `${figure.label}, ${figure.unit}`,
    xScale: 'log',
    yScale: 'log',
    lines,
  };
}

function nameBut(summary: DocumentSummary, cell: DocumentCell, left: string): string {
  return nameOf(summary, { ...cell, [left]: undefined });
}

function kebab(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase();
}
