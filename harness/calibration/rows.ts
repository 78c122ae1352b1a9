/** The calibration's table: injected and measured values side by side, with a bound for each. */
import { readCell } from '../../analysis/cell/cell-json.ts';
import type { FigureName } from '../../analysis/figures/figure.ts';
import type { CalibrationRow } from '../../results/formats/calibration.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { EXPECTATIONS, type Expectation } from './expectations.ts';
import { type InjectionName, modesOf } from './injections.ts';

/** The cells of one mode, by what was injected. */
export type MeasuredCells = Record<InjectionName, CellSummary>;

/** The table's rows of one mode. A figure that was not measured is a miss: nothing vouches for it. */
export function rowsOf(mode: string, cells: MeasuredCells, { full }: { full: boolean }): CalibrationRow[] {
  const expected = EXPECTATIONS.filter(
    ({ of, fullOnly = false }) => modesOf(of, { full }).includes(mode) && (full || !fullOnly),
  );
  return expected.map((expectation) => {
    const { name, figure, of, fails = false, unit, injected, because } = expectation;
    const [cell, sound] = [cells[of], cells.none];
    const without = [cell, sound].filter(
      (side) => (fails && side === cell ? side.failedTrials : side.validTrials) === 0,
    );
    const measured = without.length > 0 ? null : measure(expectation, cell, sound);
    const clocksMs = expectation.isBetweenClocks ? (cell.clockErrorMs ?? 0) : 0;
    const [from, to] = [injected - expectation.below - clocksMs, injected + expectation.above];
    const withinBound = measured !== null && measured >= from && measured <= to;
    const reasons = [...new Set(without.flatMap((side) => side.reasons))];
    return { name, figure, mode, unit, injected, measured, from, to, withinBound, because, reasons };
  });
}

function measure({ figure, isGain }: Expectation, cell: CellSummary, sound: CellSummary): number | null {
  if (figure === null) return (100 * cell.failedTrials) / cell.trials;
  const value = figureIn(cell, figure);
  if (!isGain) return value;
  const before = figureIn(sound, figure);
  return value === null || before === null ? null : value - before;
}

function figureIn(cell: CellSummary, figure: FigureName): number | null {
  return readCell(cell, 'typing').figures[figure] ?? null;
}

/** For the terminal; below the table, what each missed bound rests on. */
export function formatRows(rows: readonly CalibrationRow[]): string {
  const number = (value: number) => value.toFixed(1);
  const table = alignTable([
    ['figure', 'mode', 'injected', 'measured', 'bound', 'unit', ''],
    ...rows.map(({ name, mode, injected, measured, from, to, unit, withinBound }) => [
      name,
      mode,
      number(injected),
      measured === null ? '–' : number(measured),
      `${number(from)} to ${number(to)}`,
      unit,
      withinBound ? '✓' : '✗',
    ]),
  ]);
  const missed = rows.filter(({ withinBound }) => !withinBound);
  const lines = missed.map(({ name, mode, because, reasons }) =>
    [`missed: ${name} in ${mode}. The bound: ${because}.`, ...reasons].join(' '),
  );
  return lines.length === 0 ? table : [table, '', ...lines].join('\n');
}
