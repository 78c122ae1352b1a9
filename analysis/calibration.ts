/** The project's last calibration: which published figures missed the bound that it puts on them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALIBRATION_FILE, type Calibration, calibrationSchema } from '../results/formats/calibration.ts';

export const CALIBRATION_PATH = join(import.meta.dirname, '..', 'results', 'measured', CALIBRATION_FILE);

/** @returns the project's last calibration */
export function lastCalibration(): Calibration {
  return calibrationSchema.parse(JSON.parse(readFileSync(CALIBRATION_PATH, 'utf8')));
}

/**
 * The names of the figures that missed a bound in a mode. In a mode without a calibration of its own, such as `gdocs`, a
 * figure is no better than in the others.
 */
export function missedBounds({ rows }: Pick<Calibration, 'rows'>, mode: string): string[] {
  const own = rows.filter((row) => row.mode === mode);
  const missed = (own.length > 0 ? own : rows).filter(({ withinBound }) => !withinBound);
  return [...new Set(missed.flatMap(({ figure }) => figure ?? []))];
}
