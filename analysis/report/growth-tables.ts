/**
 * How figures grow with a count: exponents of power laws, beside published costs of Riak. Machines, data and units differ, so an exponent
 * is set beside an exponent, and never a time beside a time.
 */
import riak from '../../results/published/bigset.json' with { type: 'json' };
import { countsIn, type GrowthLine, growthLines, growthWithUsers, withoutGrowth } from '../cell/growth.ts';
import type { CellFigure } from '../figures/figure.ts';
import { formatExponent, NOTHING } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { nameOf } from '../scenarios/cell-name.ts';
import { fitLine, type Line, onLogScales } from '../statistics/interval.ts';
import { type CaptionedTable, type ColumnOf, left, right, tabulate } from '../tables/table.ts';
import { cellColumns, type ReportCell, type TypingReport } from './report-data.ts';

interface GrowthTerms extends Pick<CaptionedTable, 'id' | 'title' | 'notes'> {
  figures: readonly CellFigure[];
  /** Columns before the exponents, and after them. */
  before: readonly ColumnOf<GrowthLine>[];
  after?: readonly ColumnOf<GrowthLine>[];
}

/** A row for each line of cells, with the exponent of each figure. */
function growthTable(
  lines: readonly GrowthLine[],
  { figures, before, after = [], ...captioned }: GrowthTerms,
): CaptionedTable {
  const exponents = figures.map(({ name, label }): ColumnOf<GrowthLine> => {
    return { ...right(label), text: (line) => lawText(line, name) };
  });
  return { ...captioned, ...tabulate([...before, ...exponents, ...after], lines) };
}

function lawText({ growth }: GrowthLine, figure: string): string {
  const law = growth.get(figure)?.law ?? null;
  return law === null ? NOTHING : formatExponent(law.exponent, law.interval);
}

const MEANING = '0: does not grow; 1: grows like';

/** Over the users. Has no rows where no framework has run with three user counts. */
export function scalingTable({ cells, runs }: Pick<TypingReport, 'cells' | 'runs'>): CaptionedTable {
  const ofRuns = runs.map((_, run) => cells.filter((cell) => cell.run === run));
  const lines = ofRuns
    .flatMap((of) => growthWithUsers(of))
    .filter(({ growth }) => [...growth.values()].some(({ law }) => law !== null));
  const usersOf = ({ growth }: GrowthLine) => {
    const found = [...growth.values()].filter(({ law }) => law !== null);
    const counts = countsIn(found.flatMap(({ points }) => points));
    return `${counts[0]}–${counts.at(-1)}`;
  };
  return growthTable(lines, {
    id: 'scaling',
    title: 'How figures grow with the users: the exponent',
    figures: SCENARIOS.typing.growing,
    before: [
      ...cellColumns({ runs }).map(({ text, ...column }) => ({
        ...column,
        text: ({ cells: [first] }: GrowthLine) => text(first as ReportCell),
      })),
      { ...right('users'), text: usersOf },
    ],
    notes: [
      `${MEANING} the number of users; 2: like its square. In brackets: the 95 % interval, by what the trials leave over of a straight line on log-log scales; it says nothing of user counts beyond these.`,
      'A part that does not grow, as an idle server’s CPU or a user’s own typing, makes an exponent smaller.',
      ...ofRuns.flatMap((of) => withoutGrowth(of)),
    ],
  });
}

/** Of documents: a table for each count with three values or more, with a row for each line of cells. */
export function slopeTables(run: MeasuredRun): CaptionedTable[] {
  const counts = SCENARIOS[run.scenario].parameters.filter(({ unit }) => unit !== undefined);
  return counts.flatMap(({ name }) => slopeTable(run, name) ?? []);
}

function slopeTable(run: MeasuredRun, count: string): CaptionedTable | null {
  const lines = growthLines(run, count);
  const figures = SCENARIOS[run.scenario].growing.filter(({ name }) =>
    lines.some(({ growth }) => growth.get(name)!.law !== null),
  );
  if (figures.length === 0) return null;
  const { publishedGrowthOf } = SCENARIOS[run.scenario];
  const published = publishedGrowthOf === undefined ? [] : publishedSlopes();
  const publishedText = ({ cells: [first] }: GrowthLine) => {
    const found = published.find(({ way }) => way === first!.parameters[publishedGrowthOf!]);
    return found === undefined ? NOTHING : `${formatExponent(found.line.slope, found.line.interval)}: ${found.name}`;
  };
  const isBeside = published.length > 0;
  return growthTable(lines, {
    id: `slopes-${count}`,
    title: `How figures grow with ${count}: the exponent`,
    figures,
    before: [{ ...left(''), text: ({ cells: [first] }) => nameOf(run, first!, count) }],
    after: isBeside ? [{ ...left('a write, as published for sets in Riak'), text: publishedText }] : [],
    notes: [
      `${MEANING} the count; 2: like its square. In brackets: the 95 % interval, by what the cells leave over of a straight line on log-log scales.`,
      ...(isBeside ? RIAK_NOTES : []),
    ],
  });
}

const RIAK_NOTES = [
  'Slopes only stand beside published ones: times of another machine, database and kind of data say nothing here.',
  `${riak.title} (${riak.year}), ${riak.url}`,
];

/**
 * Of the mean cost of a write over the number of elements in the set; rows of another load are left out.
 *
 * @returns with the way here that does the same; null if there is none
 */
export function publishedSlopes(): { name: string; way: string | null; line: Line }[] {
  return riak.writes.kinds.flatMap(({ name, here, rows }) => {
    const alike = rows.filter((row) => !('otherLoad' in row));
    const line = fitLine(onLogScales(alike.map(({ elements, mean }) => ({ x: elements, y: mean }))));
    return line === null ? [] : [{ name, way: here, line }];
  });
}
