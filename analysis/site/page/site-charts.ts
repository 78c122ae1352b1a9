/** The charts above the site's table: the shown rows of each tier, as bars from the median to the 95th percentile or as points. */
import { groupByTier } from '../../cell/cell.ts';
import type { ChartModel } from '../../charts/forms/form.ts';
import { rows as inRows } from '../../charts/forms/rows.ts';
import type { FrameworkStyle } from '../../charts/palette.ts';
import { rangeChart } from '../../charts/range-chart.ts';
import { titleOf } from '../../figures/figure.ts';
import { countOf, formatAmountWithin } from '../../figures/figure-text.ts';
import { shownValue, type View } from '../selection.ts';
import type { SiteColumn, SiteQuestion, SiteRow } from '../site-data.ts';

/** A chart with more rows than these is no picture any more. */
const MOST_LINES = 16;

interface Parts {
  view: View;
  question: SiteQuestion;
  styles: ReadonlyMap<string, FrameworkStyle>;
}

/** One for each tier; none for a single row. */
export function siteCharts({ view, question, styles }: Parts): ChartModel[] {
  const first = chartedColumn(view, question);
  if (first === undefined || view.rows.length < 2) return [];
  const range = question.range?.includes(first.name) ? question.range : null;
  const nameOf = namesAmong(view.rows);
  return groupByTier(view.rows, ({ tier }) => tier).map(({ tier, title, items }) => {
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
      return rangeChart(all, { ...described, isSorted: view.choices.sort !== undefined });
    }
    return {
      ...described,
      form: { ...inRows, needsLegend: () => false },
      ...{ scale: first.scale, bound: null, whole: null, absent: [], spans: [], format: formatAmountWithin },
      lines: lines.map(({ row, name, style, instead }) => {
        const [low, high] = row.figures[first.name]?.ci95 ?? [];
        const interval = low === undefined || high === undefined ? null : { low, high };
        return { name, style, points: [{ x: row.users ?? 0, value: shownValue(row, first.name), interval, instead }] };
      }),
    };
  });
}

/** The column that the rows are sorted by, or else the first in which they differ. */
function chartedColumn({ rows, choices }: View, { columns }: SiteQuestion): SiteColumn | undefined {
  const sorted = columns.find(({ name }) => name === choices.sort?.replace(/^-/, ''));
  return sorted ?? columns.find(({ name }) => new Set(rows.map((row) => shownValue(row, name))).size > 1) ?? columns[0];
}

function insteadOf({ kind, validTrials, verdict }: SiteRow): string | null {
  return validTrials > 0 || kind === 'carried' ? null : verdict;
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
