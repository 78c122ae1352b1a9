/**
 * Growth of a document's figures with a parameter: the exponent of a power law, beside published costs of Riak. Machines,
 * data and units differ, so an exponent is set beside an exponent, and never a time beside a time.
 */
import type { DocumentCell, DocumentSummary } from '../../results/formats/documents.ts';
import riak from '../../results/published/bigset.json' with { type: 'json' };
import { formatExponent, NOTHING } from '../figures/figure-text.ts';
import { fitPowerLaw, type Interval } from '../statistics/interval.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import type { ScenarioParameter } from './scenario.ts';
import { CATALOGUES, nameOf, numberOf } from './table.ts';

interface Slope {
  /** 0: as dear at any size; 1: grows with it. */
  exponent: number;
  /** 95 %; null of two sizes. */
  interval: Interval | null;
}

interface Point {
  /** Size. */
  x: number;
  /** Cost. */
  y: number;
}

/** Two sizes give a slope, though nothing tells how far it is off. Null of one. */
export function slopeOf(points: readonly Point[]): Slope | null {
  const fitted = fitPowerLaw(points);
  if (fitted !== null) return fitted;
  const logs = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const [first, second] = [...Map.groupBy(logs, ({ x }) => x)].map(([x, same]) => ({
    x,
    y: same.reduce((sum, { y }) => sum + y, 0) / same.length,
  }));
  if (second === undefined) return null;
  return { exponent: (second.y - first!.y) / (second.x - first!.x), interval: null };
}

/**
 * Of the mean cost of a write over the number of elements in the set; rows of another load are left out.
 *
 * @returns with the way here that does the same; null if there is none
 */
export function publishedSlopes(): { name: string; way: string | null; slope: Slope }[] {
  return riak.writes.kinds.flatMap(({ name, here, rows }) => {
    const alike = rows.filter((row) => !('otherLoad' in row));
    const slope = slopeOf(alike.map(({ elements, mean }) => ({ x: elements, y: mean })));
    return slope === null ? [] : [{ name, way: here, slope }];
  });
}

/** Of each count with three values or more: a table with a row for each line of cells. */
export function slopeTables(summary: DocumentSummary): CaptionedTable[] {
  return CATALOGUES[summary.scenario].parameters.flatMap((count) => slopeTable(summary, count) ?? []);
}

const GROWTH_NOTE =
  '0: does not grow; 1: grows like the count; 2: like its square. In brackets: the 95 % interval, by what the cells leave over of a straight line on log-log scales.';

function slopeTable(summary: DocumentSummary, { name: count, unit }: ScenarioParameter): CaptionedTable | null {
  if (unit === undefined) return null;
  const groups = Map.groupBy(summary.cells, (cell) => nameOf(summary, { ...cell, [count]: undefined }));
  const lines = [...groups].map(([name, cells]) => ({ name, cells }));
  const compared = CATALOGUES[summary.scenario].figures.filter(({ places }) => places.includes('compare'));
  const figures = compared.flatMap(({ name, label }) => {
    const texts = lines.map(({ cells }) => textOf(fitPowerLaw(pointsOf(cells, count, name))));
    return texts.every((text) => text === NOTHING) ? [] : [{ label, texts }];
  });
  if (figures.length === 0) return null;
  const published = summary.scenario === 'rest' ? publishedSlopes() : [];
  const alike = ({ way }: DocumentCell) => published.find((each) => each.way === way);
  const publishedTexts = lines.map(({ cells: [cell] }) => {
    const found = alike(cell!);
    return found === undefined ? NOTHING : `${textOf(found.slope)}: ${found.name}`;
  });
  const beside = published.length > 0;
  return {
    id: `slopes-${count}`,
    title: `How figures grow with ${count}: the exponent`,
    columns: [
      ...[left(''), ...figures.map(({ label }) => right(label))],
      ...(beside ? [left('a write, as published for sets in Riak')] : []),
    ],
    rows: lines.map(({ name }, line) => [
      ...[name, ...figures.map(({ texts }) => texts[line]!)],
      ...(beside ? [publishedTexts[line]!] : []),
    ]),
    notes: beside ? [GROWTH_NOTE, ...RIAK_NOTES] : [GROWTH_NOTE],
  };
}

const RIAK_NOTES = [
  'Slopes only stand beside published ones: times of another machine, database and kind of data say nothing here.',
  `${riak.title} (${riak.year}), ${riak.url}`,
];

const textOf = (slope: Slope | null) => (slope === null ? NOTHING : formatExponent(slope.exponent, slope.interval));

function pointsOf(cells: readonly DocumentCell[], count: string, figure: string): Point[] {
  return cells.flatMap((cell) => {
    const [x, y] = [numberOf(cell, count), numberOf(cell, figure)];
    return x === null || y === null ? [] : [{ x, y }];
  });
}
