/** A report's figures as comma-separated values: one row per cell, or one per bucket of time. */
import type { SeriesPoint } from '../../results/formats/summary.ts';
import { HEADLINE_FIGURES, SERIES_FIGURES } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { renderCsv, type Value } from '../tables/render.ts';
import type { ReportCell, ReportData } from './report-data.ts';

/** `summary.csv`: every figure of every cell, a nested one as `localLatencyMs.p50`, an interval as two columns. */
export function summaryCsv(data: ReportData): string {
  return renderNamed(data.cells.map((cell) => describeCell(data, cell)));
}

/** `resilience.csv`: one row per cell and fault; empty where nothing was asked to break. */
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

/** Without a row nothing tells the columns. */
function renderNamed(rows: readonly (readonly [string, Value][])[]): string {
  if (rows[0] === undefined) return '';
  return renderCsv(
    rows[0].map(([name]) => name),
    rows.map((row) => row.map(([, value]) => value)),
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

function describeCell(data: ReportData, cell: ReportCell): [string, Value][] {
  const { ci95, faults: _faults, ...figures } = cell.summary;
  return [
    ...whereFrom(data, cell),
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
