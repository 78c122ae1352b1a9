/** Comma-separated values (RFC 4180, but lines end with "\n"): one row per cell, or one per bucket of time. */
import type { SeriesPoint } from '../../results/formats/summary.ts';
import { HEADLINE_FIGURES, SERIES_FIGURES } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import type { ReportCell, ReportData } from './report-data.ts';

type Value = string | number | boolean | null;

/** Rows of the same columns; what is null becomes an empty field. */
export function renderCsv(columns: readonly string[], rows: readonly (readonly Value[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\n`).join('');
}

/** `summary.csv`: every figure of every cell, a nested one as `localLatencyMs.p50`, an interval as two columns. */
export function summaryCsv(data: ReportData): string {
  const rows = data.cells.map((cell) => describeCell(data, cell));
  // Without a cell nothing tells the columns.
  if (rows[0] === undefined) return '';
  return renderCsv(
    rows[0].map(([name]) => name),
    rows.map((row) => row.map(([, value]) => value)),
  );
}

function describeCell(data: ReportData, { run, name, summary }: ReportCell): [string, Value][] {
  const { directory, experiment, startedAt } = data.runs[run]!;
  const { ci95, ...figures } = summary;
  return [
    ['run', directory],
    ['experiment', experiment],
    ['startedAt', startedAt],
    ['cell', name],
    ...flatten('', figures),
    ...HEADLINE_FIGURES.flatMap(({ name }): [string, Value][] => [
      [`ci95.${name}.low`, ci95[name]?.low ?? null],
      [`ci95.${name}.high`, ci95[name]?.high ?? null],
    ]),
  ];
}

/** `series/<cell>.csv`: one row per bucket of time. */
export function seriesCsv(series: readonly SeriesPoint[]): string {
  return renderCsv(
    ['fromS', 'phase', ...SERIES_FIGURES.map(({ name }) => name)],
    series.map((point) => [point.fromS, point.phase, ...SERIES_FIGURES.map((figure) => figureOf(point, figure))]),
  );
}

/** Lists become one field; what nests becomes several, named by their path. */
function flatten(prefix: string, value: object): [string, Value][] {
  return Object.entries(value).flatMap(([key, each]: [string, unknown]): [string, Value][] => {
    const name = `${prefix}${key}`;
    if (Array.isArray(each)) return [[name, each.join('; ')]];
    return typeof each === 'object' && each !== null ? flatten(`${name}.`, each) : [[name, each as Value]];
  });
}

function field(value: Value): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
