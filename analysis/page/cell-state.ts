/** How a cell in which people type stands, in a sign and in words; and its place in a report. Browser-safe. */
import type { Cell } from '../scenarios/cell.ts';

/** `functional`, `limited` (a bound is missed, or a trial failed), `not-valid` (no valid trial), `unknown` (a figure is missing). */
export type CellState = 'functional' | 'limited' | 'not-valid' | 'unknown';

/** Sign and word say the same as the colour. */
export const STATES: Record<CellState, { sign: string; word: string }> = {
  functional: { sign: '✓', word: 'fully functional' },
  limited: { sign: '✗', word: 'not fully functional' },
  'not-valid': { sign: '!', word: 'not valid' },
  unknown: { sign: '?', word: 'not known' },
};

export function stateOf({
  validTrials,
  verdict,
  fullyFunctional,
}: Pick<Cell, 'validTrials' | 'verdict' | 'fullyFunctional'>): CellState {
  if (fullyFunctional === false) return 'limited';
  if (validTrials === 0) return verdict === 'unknown' ? 'unknown' : 'not-valid';
  if (fullyFunctional === null) return 'unknown';
  return 'functional';
}

/** The id of a cell's own place in a report. */
export function cellAnchor({ run, name }: { run: number; name: string }): string {
  return `cell-${run + 1}-${name}`;
}
