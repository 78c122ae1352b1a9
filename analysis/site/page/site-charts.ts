/** The charts above the site's table: the shown rows of each tier, as bars from the median to the 95th percentile or as points. */

import { type ChartModel, onOneAxis, PLAIN } from '../../charts/forms/form.ts';
import { namedRows } from '../../charts/forms/rows.ts';
import type { FrameworkStyle } from '../../charts/palette.ts';
import { rangeChart } from '../../charts/range-chart.ts';
import { titleOf } from '../../figures/figure.ts';
import { countOf, formatAmountWithin, NOTHING } from '../../figures/figure-text.ts';
import { groupByTier } from '../../scenarios/cell.ts';
import { shownValue, type View } from '../selection.ts';
import type { SiteColumn, SiteQuestion, SiteRow } from '../site-data.ts';

/** A chart with more rows than these is no picture any more. */
const MOST_LINES = 16;

interface Parts {
  view: View;
  question: SiteQuestion;
  styles: ReadonlyMap<string, FrameworkStyle>;
}

/** One for each tier, or for each way to observe a replayed document, on one axis. None for a single row. */
export function siteCharts({ view, question, styles }: Parts): ChartModel[] {
  const first = chartedColumn(view, question);
  if (first === undefined || view.rows.length < 2) return [];
  const range = question.range?.includes(first.name) ? question.range : null;
  const isSorted = view.choices.sort !== undefined;
  const rows = isSorted ? view.rows : byValue(view.rows, first);
  const groups =
    question.kind === 'replay'
      ? [...Map.groupBy(rows, observedOf)].map(([tier, items]) => ({ tier, title: tier || null, items }))
      : groupByTier(rows, ({ tier }) => tier);
  const models = groups.map(({ tier, title, items }): ChartModel => {
    const nameOf = namesAmong(items);
    const shown = items.slice(0, MOST_LINES);
    const more = items.length - shown.length;
    const lines = shown.map((row) => ({
      row,
      name: nameOf(row),
      style: styles.get(row.who)!,
      instead: insteadOf(row),
    }));
    const described = {
      id: `chart-${tier}`,
      title: titleOf({ label: range === null ? first.label : first.label.replace(/, [^,]*$/, '') }),
      ...{ unit: first.unit, hint: more > 0 ? `the first ${MOST_LINES} rows; ${more} more in the table` : first.what },
      ...{ of: countOf(shown.length, 'row'), tier: title },
    };
    if (range !== null) {
      const [median, p95] = range;
      const all = lines.map(({ row, ...line }) => ({
        ...{ ...line, users: row.users ?? 0, median: shownValue(row, median), p95: shownValue(row, p95) },
      }));
      return rangeChart(all, { ...described, isSorted });
    }
    return {
      ...PLAIN,
      ...described,
      form: namedRows,
      scale: first.scale,
      format: first.unit === 'users' ? (value) => (value === null ? NOTHING : String(value)) : formatAmountWithin,
      lines: lines.map(({ row, name, style, instead }) => {
        const [low, high] = row.figures[first.name]?.ci95 ?? [];
        const interval = low === undefined || high === undefined ? null : { low, high };
        return { name, style, points: [{ x: row.users ?? 0, value: shownValue(row, first.name), interval, instead }] };
      }),
    };
  });
  return onOneAxis(models);
}

/** `edits`, `once` or `updates`: one costs many times another. */
function observedOf({ also }: SiteRow): string {
  return also.split(', ', 1)[0]!;
}

/** The better end first; rows without the figure last. */
function byValue(rows: readonly SiteRow[], { name, better }: SiteColumn): SiteRow[] {
  const worst = better === 'lower' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const value = (row: SiteRow) => shownValue(row, name) ?? worst;
  return rows.toSorted((a, b) => (better === 'lower' ? 1 : -1) * (value(a) - value(b)) || 0);
}

/** The column that the rows are sorted by, or else the first in which they differ. */
function chartedColumn({ rows, choices }: View, { columns }: SiteQuestion): SiteColumn | undefined {
  const sorted = columns.find(({ name }) => name === choices.sort?.replace(/^-/, ''));
  return sorted ?? columns.find(({ name }) => new Set(rows.map((row) => shownValue(row, name))).size > 1) ?? columns[0];
}

function insteadOf({ validTrials, verdict, figures }: SiteRow): string | null {
  if (validTrials === 0) return verdict;
  const { carried, next } = figures;
  return carried === undefined && next !== undefined ? `not known to hold with ${next.value}` : null;
}

/** A row's name by all that varies between the rows; equal ones are numbered. */
function namesAmong(rows: readonly SiteRow[]): (row: SiteRow) => string {
  const versions = [...Map.groupBy(rows, ({ who }) => who).values()];
  const areSeveral = versions.some((own) => new Set(own.map(({ version }) => version)).size > 1);
  const parts: ((row: SiteRow) => string)[] = [
    ({ who }) => who,
    ({ version }) => (areSeveral ? version : ''),
    ({ mode }) => mode,
    ({ users }) => (users === null ? '' : countOf(users, 'user')),
    ({ also }) => also,
  ];
  const told = parts.filter((part, index) => index === 0 || new Set(rows.map(part)).size > 1);
  const seen = new Map<string, number>();
  const names = new Map(
    rows.map((row) => {
      const name = told
        .map((part) => part(row))
        .filter(Boolean)
        .join(', ');
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return [row, count === 1 ? name : `${name} (${count})`];
    }),
  );
  return (row) => names.get(row)!;
}
