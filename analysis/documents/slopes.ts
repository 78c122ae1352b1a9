/** How a document scenario's figures grow with what cells differ in: the exponent of a power law. */
import type { DocumentCell, DocumentSummary } from '../../results/formats/document-summary.ts';
import { NOTHING } from '../figures/figure-text.ts';
import { fitPowerLaw, type PowerLaw } from '../statistics/power-law.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import { CATALOGUES } from './catalogue.ts';
import { nameOf, numberOf } from './table.ts';

/** Of each count with three values or more: a table with a row for each line of cells. */
export function slopeTables(summary: DocumentSummary): CaptionedTable[] {
  const { parameters, figures } = CATALOGUES[summary.scenario];
  const compared = figures.filter(({ places }) => places.includes('compare'));
  return parameters.flatMap(({ name: count, unit }) => {
    if (unit === undefined) return [];
    const lines = Map.groupBy(summary.cells, (cell) => nameOf(summary, { ...cell, [count]: undefined }));
    const laws = [...lines].map(([name, cells]) => ({
      name,
      laws: compared.map((figure) => lawOf(cells, count, figure.name)),
    }));
    const told = compared.map((_, index) => laws.some((line) => line.laws[index] !== null));
    if (!told.includes(true)) return [];
    const kept = <T>(all: readonly T[]) => all.filter((_, index) => told[index]);
    return [
      {
        id: `slopes-${count}`,
        title: `How figures grow with ${count}: the exponent`,
        columns: [left(''), ...kept(compared).map(({ label }) => right(label))],
        rows: laws.map((line) => [line.name, ...kept(line.laws).map(textOf)]),
        notes: [
          '0: does not grow; 1: grows like the count; 2: like its square. In brackets: the 95 % interval, by what the cells leave over of a straight line on log-log scales.',
        ],
      },
    ];
  });
}

function lawOf(cells: readonly DocumentCell[], count: string, figure: string): PowerLaw | null {
  const points = cells.flatMap((cell) => {
    const [x, y] = [numberOf(cell, count), numberOf(cell, figure)];
    return x === null || y === null ? [] : [{ x, y }];
  });
  return fitPowerLaw(points);
}

function textOf(law: PowerLaw | null): string {
  if (law === null) return NOTHING;
  const { exponent, interval } = law;
  return `${exponent.toFixed(2)} (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`;
}
