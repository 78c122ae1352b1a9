/**
 * Growth of a document's figures with a parameter: the exponent of a power law, beside published costs of Riak. Machines,
 * data and units differ, so an exponent is set beside an exponent, and never a time beside a time.
 */
import type { DocumentCell, DocumentSummary } from '../../results/formats/documents.ts';
import published from '../../results/published/bigset.json' with { type: 'json' };
import { formatExponent, NOTHING } from '../figures/figure-text.ts';
import { fitPowerLaw, type Interval, type PowerLaw } from '../statistics/interval.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import { CATALOGUES, nameOf, numberOf } from './table.ts';

export interface Slope {
  /** 0: as dear at any size; 1: grows with it. */
  exponent: number;
  /** 95 %, where there are three sizes or more. */
  interval: Interval | null;
  /** The sizes that it was found from, ascending. */
  sizes: number[];
}

interface MeasuredSlope extends Slope {
  store: string;
  way: string;
  durable: string;
}

interface PublishedSlope extends Slope {
  /** As the paper calls it. */
  name: string;
  /** The way here that does the same; null if there is none. */
  way: string | null;
}

export const PUBLISHED_SOURCE = { title: published.title, year: published.year, url: published.url };

interface Point {
  /** Size. */
  x: number;
  /** Cost. */
  y: number;
}

/**
 * Of `persistMs.p50` over the number of edits, one for each store, way and durability that was measured at two sizes or more.
 *
 * @param cells of the summary of a run of scenario `rest`
 */
export function slopes(cells: readonly DocumentCell[]): MeasuredSlope[] {
  const groups = Map.groupBy(cells, ({ store, way, durable }) => JSON.stringify([store, way, durable]));
  return [...groups].flatMap(([key, group]) => {
    const points = group.flatMap(({ edits: x, 'persistMs.p50': y }) =>
      typeof x === 'number' && typeof y === 'number' ? [{ x, y }] : [],
    );
    const slope = slopeOf(points);
    const [store, way, durable] = JSON.parse(key) as [string, string, string];
    return slope === null ? [] : [{ store, way, durable, ...slope }];
  });
}

/** Of the mean cost of a write over the number of elements in the set; rows of another load are left out. */
export function publishedSlopes(): PublishedSlope[] {
  return published.writes.kinds.flatMap(({ name, here, rows }) => {
    const alike = rows.filter((row) => !('otherLoad' in row));
    const slope = slopeOf(alike.map(({ elements, mean }) => ({ x: elements, y: mean })));
    return slope === null ? [] : [{ name, way: here, ...slope }];
  });
}

/** Two sizes give a slope, though nothing tells how far it is off. */
function slopeOf(points: readonly Point[]): Slope | null {
  const ascending = points.filter(({ x, y }) => x > 0 && y > 0).toSorted((a, b) => a.x - b.x);
  const sizes = [...new Set(ascending.map(({ x }) => x))];
  const fitted = fitPowerLaw(ascending);
  if (fitted !== null) return { ...fitted, sizes };
  if (sizes.length < 2) return null;
  const meanLog = (size: number) => {
    const logs = ascending.filter(({ x }) => x === size).map(({ y }) => Math.log(y));
    return logs.reduce((sum, log) => sum + log, 0) / logs.length;
  };
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  return { exponent: (meanLog(last) - meanLog(first)) / Math.log(last / first), interval: null, sizes };
}

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
        rows: laws.map((line) => [
          line.name,
          ...kept(line.laws).map((law) => (law === null ? NOTHING : formatExponent(law.exponent, law.interval))),
        ]),
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
