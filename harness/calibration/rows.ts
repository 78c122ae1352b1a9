/** The calibration's table: injected and measured values side by side, with a bound for each. */
import type { CalibrationRow } from '../../results/formats/calibration.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { EXPECTATIONS } from './expectations.ts';
import { type InjectionName, modesOf } from './injections.ts';

/** The cells of one mode, by what was injected. */
export type MeasuredCells = Record<InjectionName, CellSummary>;

/** The table's rows of one mode. A figure that was not measured is a miss: nothing vouches for it. */
export function rowsOf(mode: string, cells: MeasuredCells, { full }: { full: boolean }): CalibrationRow[] {
  const expected = EXPECTATIONS.filter(
    ({ of, fullOnly = false }) => modesOf(of, { full }).includes(mode) && (full || !fullOnly),
  );
  return expected.map(({ name, figure, of, fails = false, unit, injected, measure, below, above, because }) => {
    const [cell, sound] = [cells[of], cells.none];
    const without = [cell, sound].filter(
      (side) => (fails && side === cell ? side.failedTrials : side.validTrials) === 0,
    );
    const measured = without.length > 0 ? null : measure(cell, sound);
    const [from, to] = [injected - below(cell), injected + above];
    const withinBound = measured !== null && measured >= from && measured <= to;
    const reasons = [...new Set(without.flatMap((side) => side.reasons))];
    return { name, figure, mode, unit, injected, measured, from, to, withinBound, because, reasons };
  });
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
