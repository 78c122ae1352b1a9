/**
 * The charts of a view. First its rows, those of each tier by themselves: bars from the median to the 95th percentile, or points. Then,
 * of a single run and mode, each figure of the question over the users, if there are more than two numbers of them, and over time;
 * of documents their curves, and their growth.
 */

import { FEW_COUNTS, insteadOf, isEmpty, nameCells, timeChart, usersChart } from '../charts/chart-model.ts';
import { type ChartModel, onOneAxis, PLAIN } from '../charts/forms/form.ts';
import { namedRows, ranges } from '../charts/forms/rows.ts';
import { chartsOf as scenarioCharts } from '../charts/growth-charts.ts';
import type { FrameworkStyle } from '../charts/palette.ts';
import { FIGURES } from '../figures/catalogue.ts';
import { type ChartedFigure, titleOf } from '../figures/figure.ts';
import { countOf, formatAmountWithin, formatFigure, NOTHING } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { groupByTier, type TypingCell } from '../scenarios/cell.ts';
import type { Column, PageData, Question, Row } from './page-data.ts';
import { caseOf, modeOf, usersOf, type View, valueIn, whoOf } from './selection.ts';

export interface PageChart {
  /** Of its panel; a part of the name of its file. */
  id: string;
  model: ChartModel;
  /** The number of users that it is of; null: of several, or of none. */
  users: number | null;
}

/** A chart with more rows than these is no picture any more. */
const MOST_LINES = 16;

interface Parts {
  data: PageData;
  view: View;
  question: Question;
  styles: ReadonlyMap<string, FrameworkStyle>;
}

/** @param options.isWhole true: with each figure over the users, however few numbers of them there are; for files */
export function chartsOf(parts: Parts, { isWhole = false }: { isWhole?: boolean } = {}): PageChart[] {
  const all = [...rowCharts(parts, isWhole), ...typingCharts(parts, isWhole), ...documentCharts(parts)];
  return all.filter(({ model }) => !isEmpty(model));
}

function documentCharts({ view: { rows }, question: { kind } }: Parts): PageChart[] {
  const isOfCells = kind !== 'carried' && kind !== 'faults' && kind !== 'costs';
  if (!isOfCells || SCENARIOS[kind].isTyping || areOfSeveral(rows, runOf)) return [];
  return scenarioCharts({ scenario: kind, cells: rows }).map((model) => ({ id: model.id, model, users: null }));
}

function runOf({ run }: Row): number {
  return run;
}

function areOfSeveral(rows: readonly Row[], propertyOf: (row: Row) => unknown): boolean {
  return new Set(rows.map(propertyOf)).size > 1;
}

/** One for each group of rows, on one axis; none for a single row. For files, those alone that no chart over users shows. */
function rowCharts(parts: Parts, isWhole: boolean): PageChart[] {
  const { view, question } = parts;
  const column = isWhole ? question.columns[0] : chartedColumn(view, question);
  const rows = ofMostUsers(view.rows);
  if (column === undefined || (isWhole ? question.range === null : rows.length < 2)) return [];
  const groups = groupsOf(view.choices.sort === undefined ? byValue(rows, column, question) : rows, question);
  const counts = [...new Set(rows.map(usersOf))];
  const users = counts.length === 1 ? counts[0]! : null;
  const of = [areOfSeveral(rows, modeOf) ? '' : modeOf(rows[0]!), users === null ? '' : countOf(users, 'user')];
  const shared = of.filter(Boolean).join(', ');
  return sideBySide(groups, (group) => rowChart(group, { column, shared, ...parts }), { users });
}

/** A chart of each group, on one axis. */
function sideBySide<Group extends { tier: string }>(
  groups: readonly Group[],
  chartOf: (group: Group) => ChartModel,
  { users, suffix = '' }: { users: number | null; suffix?: string },
): PageChart[] {
  return onOneAxis(groups.map(chartOf)).map((model, index) => ({
    id: model.id + suffix + (groups.length > 1 ? `-${groups[index]!.tier}` : ''),
    model,
    users,
  }));
}

interface RowGroup {
  tier: string;
  /** Null if there is no other. */
  title: string | null;
  items: Row[];
}

/** Those of each tier; of replays, those that are observed in one way: one costs many times another. */
function groupsOf(rows: readonly Row[], { kind }: Question): RowGroup[] {
  if (kind !== 'replay') return groupByTier(rows);
  const groups = Map.groupBy(rows, ({ parameters: { observe = '' } }) => String(observe));
  return [...groups].map(([tier, items]) => ({ tier, title: tier || null, items }));
}

/** Bars from the median to the 95th percentile, if the column is one of both; else a point for each row. */
function rowChart(
  { title, items }: RowGroup,
  { question, data, styles, column, shared }: Parts & { column: Column; shared: string },
): ChartModel {
  const { name, label, unit, what, scale } = column;
  const range = [question.range?.median, question.range?.p95].includes(name) ? question.range : null;
  const shown = shownOf(items, name);
  const more = items.length - shown.length;
  const nameOf = namesAmong(items, data);
  const form = range === null ? namedRows : ranges;
  return {
    ...PLAIN,
    id: range === null ? `${question.id}-rows` : range.chart,
    title: titleOf({ label: range === null ? label : label.replace(/, [^,]*$/, '') }),
    unit,
    hint: more === 0 ? what : `${shown.length < MOST_LINES ? '' : 'the first and the last; '}${more} more in the table`,
    of: shared || countOf(shown.length, 'row'),
    tier: title,
    form: shown.some((row) => usersOf(row) !== null) ? form : { ...form, unit: '' },
    scale: range === null ? scale : 'log',
    format: range === null ? (unit === 'users' ? countText : formatAmountWithin) : rangeText,
    lines: shown.map((row) => {
      const [value, high] = [valueIn(row, range?.median ?? name), range && valueIn(row, range.p95)];
      const bar = value === null || high === null ? null : { low: value, high };
      const interval = range === null ? (row.ci95[name] ?? null) : bar;
      const { carried = null, next = null } = row.figures;
      const outcome = row.fullyFunctional === false ? 'did not hold' : 'not known to hold';
      const unheld = carried === null && next !== null ? `${outcome} with ${next}` : null;
      const never = value === null ? (row.texts[name] ?? null) : null;
      const point = { x: usersOf(row) ?? 0, value, interval, instead: insteadOf(row) ?? unheld ?? never };
      return { name: nameOf(row), style: styles.get(whoOf(row))!, points: [point] };
    }),
  };
}

/** All rows, or those of both ends that have the figure: the worst tell as much as the best. */
function shownOf(items: readonly Row[], column: string): readonly Row[] {
  if (items.length <= MOST_LINES) return items;
  const known = items.filter((row) => valueIn(row, column) !== null);
  const half = MOST_LINES / 2;
  return known.length <= MOST_LINES ? known : [...known.slice(0, half), ...known.slice(-half)];
}

function countText(value: number | null): string {
  return value === null ? NOTHING : String(value);
}

const rangeText: ChartModel['format'] = (median, range) =>
  range === null ? formatFigure(median) : `${formatFigure(median)} to ${formatFigure(range.high)}`;

/** All rows, or those with the most users, if a row for each number would hide the framework that it is of. */
function ofMostUsers(rows: readonly Row[]): readonly Row[] {
  const counts = countsOf(rows);
  return counts.length > FEW_COUNTS && !areOfSeveral(rows, runOf)
    ? rows.filter((row) => usersOf(row) === counts.at(-1))
    : rows;
}

function countsOf(rows: readonly Row[]): number[] {
  return [...new Set(rows.flatMap((row) => usersOf(row) ?? []))].sort((a, b) => a - b);
}

function typingCharts({ view: { rows }, question, data, styles }: Parts, isWhole: boolean): PageChart[] {
  const [first] = rows;
  const isMixed = areOfSeveral(rows, modeOf) || (!data.isReport && areOfSeveral(rows, runOf));
  if (question.kind !== 'typing' || first === undefined || isMixed) return [];
  const mode = modeOf(first);
  const counts = countsOf(rows);
  const users = counts.at(-1)!;
  const cells = nameCells(rows as (Row & TypingCell)[], styles);
  const tiers = groupByTier(rows);
  const figures = question.columns.flatMap(({ name }) => FIGURES.find((figure) => figure.name === name) ?? []);
  const over = (axis: 'users' | 'time') =>
    figures.filter((figure): figure is ChartedFigure => figure.chart?.over.includes(axis) ?? false);
  const charts = [
    ...(isWhole || counts.length > FEW_COUNTS ? over('users') : []).flatMap((figure) =>
      sideBySide(tiers, ({ tier }) => usersChart(figure, cells, { mode, tier }), { users: null }),
    ),
    ...over('time').flatMap((figure) =>
      sideBySide(tiers, ({ tier }) => timeChart(figure, cells, { mode, users, tier }), { users, suffix: '-over-time' }),
    ),
  ];
  if (!areOfSeveral(rows, runOf)) return charts;
  // The filter of frameworks is the legend, but it does not tell runs apart.
  return charts.map((chart) => ({ ...chart, model: { ...chart.model, needsLegend: true } }));
}

/** The better end first; rows without the figure last. */
function byValue(rows: readonly Row[], { name, better }: Column, { range }: Question): Row[] {
  const worst = better === 'lower' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const ends = name === range?.median ? [range.p95, name] : [name];
  const value = (row: Row) => ends.map((end) => valueIn(row, end)).find((end) => end !== null) ?? worst;
  return rows.toSorted((a, b) => (better === 'lower' ? 1 : -1) * (value(a) - value(b)) || 0);
}

/** The column that the rows are sorted by, or else the first in which they differ as they are written. */
function chartedColumn({ rows, choices }: View, { columns }: Question): Column | undefined {
  const sorted = columns.find(({ name }) => name === choices.sort?.replace(/^-/, ''));
  const textIn = (row: Row, { name }: Column) => formatAmountWithin(valueIn(row, name), null);
  return sorted ?? columns.find((column) => areOfSeveral(rows, (row) => textIn(row, column))) ?? columns[0];
}

/** By all that varies between the rows, and if that is not enough, by the time of their runs; equal names are numbered. */
function namesAmong(rows: readonly Row[], { runs }: PageData): (row: Row) => string {
  const versionOf = ({ version }: Row) => version;
  const whenOf = ({ run }: Row) => runs[run]!.startedAt.slice(0, 16).replace('T', ' ');
  const peopleOf = (row: Row) => (usersOf(row) === null ? '' : countOf(usersOf(row)!, 'user'));
  const hasVersions = [...Map.groupBy(rows, whoOf).values()].some((own) => areOfSeveral(own, versionOf));
  const varying = [modeOf, peopleOf, caseOf].filter((part) => areOfSeveral(rows, part));
  const parts = [whoOf, ...(hasVersions ? [versionOf] : []), ...varying];
  const nameBy = (told: typeof parts) => (row: Row) => told.flatMap((part) => part(row) || []).join(', ');
  const isEnough = new Set(rows.map(nameBy(parts))).size === rows.length;
  const groups = Map.groupBy(rows, nameBy(isEnough ? parts : [...parts, whenOf]));
  const names = [...groups].flatMap(([name, same]) =>
    same.map((row, index) => [row, index === 0 ? name : `${name} (${index + 1})`] as const),
  );
  const nameOf = new Map(names);
  return (row) => nameOf.get(row)!;
}
