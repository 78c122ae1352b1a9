/** A report's figures as comma-separated values: one row per cell, or one per bucket of time. */
import type { ScenarioName } from '../../results/formats/documents.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import { cellJson } from '../cell/cell-json.ts';
import { SERIES_FIGURES } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import { leavesOf } from '../figures/nested.ts';
import type { ReportedCell } from '../page/cells-section.ts';
import type { ReportData } from '../page/report-page.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import type { Cell } from '../scenarios/cell.ts';
import { renderCsv, type Value } from '../tables/render.ts';
import type { TypingReport } from './report-data.ts';

/** `summary.csv`: every figure of every cell, a nested one as `localLatencyMs.p50`, an interval as two columns. */
export function summaryCsv(data: ReportData): string {
  return renderNamed(data.cells.map((cell) => [...whereFrom(data, cell), ...describeCell(cell, data.scenario)]));
}

/** `resilience.csv`: one row per cell and fault; empty if nothing was asked to break. */
export function resilienceCsv(data: TypingReport): string {
  return renderNamed(
    data.cells.flatMap((cell) =>
      cell.faults.map((fault) => {
        const { framework, mode, users } = cell.parameters;
        const identity = { framework, mode, users, fault: fault.fault, kind: fault.kind, struck: fault.users };
        const { atS, forS, trials } = fault;
        const figures = FAULT_FIGURES.map(({ name }) => {
          const { mean, ci95, never } = fault[name];
          return [name, { mean, low: ci95?.low ?? null, high: ci95?.high ?? null, never }] as const;
        });
        const fields = fieldsOf({ ...identity, atS, forS, trials, ...Object.fromEntries(figures) });
        return [...whereFrom(data, cell), ...fields];
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

function whereFrom(data: Pick<TypingReport, 'runs'>, { run, name }: ReportedCell): [string, Value][] {
  const { directory, experiment, startedAt } = data.runs[run]!;
  return [
    ['run', directory],
    ['experiment', experiment],
    ['startedAt', startedAt],
    ['cell', name],
  ];
}

/** Properties of a written cell that other files have, and intervals. */
const NO_COLUMNS = ['messages', 'faults', 'curves', 'ci95'];

function describeCell(cell: Cell, scenario: ScenarioName): [string, Value][] {
  const columns = Object.entries(cellJson(cell, scenario)).filter(([name]) => !NO_COLUMNS.includes(name));
  const intervals = Object.entries(cell.ci95).flatMap(([name, interval]): [string, Value][] => [
    [`ci95.${name}.low`, interval?.low ?? null],
    [`ci95.${name}.high`, interval?.high ?? null],
  ]);
  return [...fieldsOf(Object.fromEntries(columns)), ...intervals];
}

/** `series/<cell>.csv`: one row per bucket of time. */
export function seriesCsv(series: readonly SeriesPoint[]): string {
  return renderCsv(
    ['fromS', 'phase', ...SERIES_FIGURES.map(({ name }) => name)],
    series.map((point) => [point.fromS, point.phase, ...SERIES_FIGURES.map((figure) => figureOf(point, figure))]),
  );
}

/** Lists become one field; what nests becomes several, named by their path. */
function fieldsOf(value: object): [string, Value][] {
  return leavesOf(value).map(([name, each]) => [name, Array.isArray(each) ? each.join('; ') : (each as Value)]);
}
