/** Material for tests: cells of typing as `summary.json` has them, and as the analysis does. */
import type { CellSummary } from '../../results/formats/summary.ts';
import { cellJson, readCell } from '../cell/cell-json.ts';
import type { Cell, MeasuredRun, TypingCell } from '../scenarios/cell.ts';

/** @param written nested, and perhaps only in part */
export function cellOf(written: object): TypingCell {
  return readCell(written as CellSummary, 'typing') as TypingCell;
}

export function writtenOf(cell: Cell): CellSummary {
  return cellJson(cell, 'typing') as CellSummary;
}

/** The cell with other values of what it has written. */
export function changed<Of extends Cell>(cell: Of, written: Partial<CellSummary>): Of {
  const { name, ran, series } = cell;
  return { ...cell, ...cellOf({ ...writtenOf(cell), ...written }), name, ran, series };
}

export function runOf(...cells: readonly TypingCell[]): MeasuredRun {
  return { scenario: 'typing', experiment: 'demo', startedAt: '2026-01-01', environment: {}, cells };
}
