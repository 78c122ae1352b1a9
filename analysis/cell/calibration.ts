/** The project's last calibration: which published figures missed the bound that it puts on them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALIBRATION_FILE, type Calibration, calibrationSchema } from '../../results/formats/calibration.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { FIGURES } from '../figures/catalogue.ts';

/** Where it is kept. */
export const KEPT_CALIBRATION = join(import.meta.dirname, '../../results', 'measured', CALIBRATION_FILE);

/** How the note begins that names the figures. */
const NOTE = 'marked *, as the last calibration missed its bound on it in this mode: ';

/** @returns the project's last calibration; null if none is kept */
export function lastCalibration(path: string = KEPT_CALIBRATION): Calibration | null {
  return existsSync(path) ? calibrationSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

/** The names of the figures that missed a bound in a mode, or in any. In a mode without rows of its own none is known. */
export function missedBounds(calibration: Pick<Calibration, 'rows'> | null, mode?: string): string[] {
  const missed = calibration?.rows.filter((row) => !row.withinBound && (mode === undefined || row.mode === mode)) ?? [];
  return [...new Set(missed.flatMap(({ figure }) => figure ?? []))];
}

/** The cell with its figures marked that the last calibration missed its bound on, in place of those marked before. */
export function withMissedBounds(cell: CellSummary, calibration: Pick<Calibration, 'rows'> | null): CellSummary {
  const missed = cell.validTrials === 0 ? [] : missedBounds(calibration, cell.mode);
  const labels = FIGURES.filter(({ name }) => missed.includes(name)).map(({ label }) => label);
  const others = cell.notes.filter((note) => !note.startsWith(NOTE));
  return { ...cell, missedBounds: missed, notes: labels.length === 0 ? others : [...others, NOTE + labels.join('; ')] };
}
