/** A report's figures as comma-separated values: one row per cell, or one per bucket of time. */
import type { DocumentCell } from '../../results/formats/documents.ts';
import type { CellSummary, SeriesPoint } from '../../results/formats/summary.ts';
import type { AnalysedDocumentRun } from '../documents/analyse.ts';
import { SERIES_FIGURES } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { renderCsv, type Value } from '../tables/render.ts';
import type { ReportCell, ReportData } from './report-data.ts';

/** `summary.csv`: every figure of every cell, a nested one as `localLatencyMs.p50`, an interval as two columns. */
export function summaryCsv(data: ReportData): string {
  return renderNamed(data.cells.map((cell) => [...whereFrom(data, cell), ...describeCell(cell.summary)]));
}

/** The same of documents by themselves. */
export function documentSummaryCsv({ plan, cells }: AnalysedDocumentRun): string {
  const { experiment, startedAt } = plan;
  const whereOf = (cell: string) => Object.entries({ experiment: experiment.name, startedAt, cell });
  return renderNamed(cells.map(({ name, summary }) => [...whereOf(name), ...describeCell(summary)]));
}

/** `resilience.csv`: one row per cell and fault; empty if nothing was asked to break. */
export function resilienceCsv(data: ReportData): string {
  return renderNamed(
    data.cells.flatMap((cell) =>
      (cell.summary.faults ?? []).map((fault) => {
        const { framework, mode, users } = cell.summary;
        const identity = { framework, mode, users, fault: fault.fault, kind: fault.kind, struck: fault.users };
        const { atS, forS, trials } = fault;
        const figures = FAULT_FIGURES.map(({ name }) => {
          const { mean, ci95, never } = fault[name];
          return [name, { mean, low: ci95?.low ?? null, high: ci95?.high ?? null, never }] as const;
        });
        return [
          ...whereFrom(data, cell),
          ...flatten('', { ...identity, atS, forS, trials }),
          ...flatten('', Object.fromEntries(figures)),
        ];
      }),
    ),
  );
}

/** Cells that lack a column have an empty field; without a row nothing tells the columns. */
function renderNamed(rows: readonly (readonly (readonly [string, Value])[])[]): string {
  const columns = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  if (columns.length === 0) return '';
  const fields = rows.map((row) => new Map(row));
  return renderCsv(
    columns,
    fields.map((row) => columns.map((name) => row.get(name) ?? null)),
  );
}

function whereFrom(data: ReportData, { run, name }: ReportCell): [string, Value][] {
  const { directory, experiment, startedAt } = data.runs[run]!;
  return [
    ['run', directory],
    ['experiment', experiment],
    ['startedAt', startedAt],
    ['cell', name],
  ];
}

function describeCell(summary: CellSummary | DocumentCell): [string, Value][] {
  const { ci95, messages: _messages, faults: _faults, curves: _curves, ...figures } = summary as DocumentCell;
  const intervals = Object.entries(ci95).flatMap(([name, interval]): [string, Value][] => [
    [`ci95.${name}.low`, interval?.low ?? null],
    [`ci95.${name}.high`, interval?.high ?? null],
  ]);
  return [...flatten('', figures), ...intervals];
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
