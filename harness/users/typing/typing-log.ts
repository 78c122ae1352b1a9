/** Sums up one user's typing, second by second of what was due, into `typing` lines of its record. */
import { roundFigure } from '../../../analysis/statistics/quantile.ts';
import type { RecordOf } from '../../../results/formats/records.ts';

type TypingLine = RecordOf<'typing'>;
const BUCKET_MS = 1000;

/** In UTF-16 units. */
export interface EditSize {
  inserted: number;
  deleted: number;
}

export interface TypingLog {
  typed(edit: { dueMs: number; sentMs: number; driverLagMs: number; isFormat: boolean; size: EditSize }): void;
  /** @param edit.endsSigil true for the last key of a sigil */
  skipped(edit: { dueMs: number; driverLagMs: number; endsSigil: boolean }): void;
  /** Emits the bucket under way. */
  finish(): void;
}

/**
 * Edits come in the order in which they were due. A line's `atMs` is the middle of its second, so that a clock that is
 * a little off does not move a whole second into or out of the measured window.
 *
 * @param startMs when typing begins, on the clock on which edits are told and lines are stamped
 */
export function createTypingLog(startMs: number, emit: (line: TypingLine) => void): TypingLog {
  let bucket = -1;
  let line: TypingLine | null = null;
  const finish = () => {
    if (line !== null) emit(line);
    line = null;
  };
  const lineOf = (dueMs: number): TypingLine => {
    const wanted = Math.floor((dueMs - startMs) / BUCKET_MS);
    if (wanted !== bucket) finish();
    bucket = wanted;
    line ??= {
      type: 'typing',
      atMs: startMs + (bucket + 0.5) * BUCKET_MS,
      offered: 0,
      performed: 0,
      skipped: 0,
      sigilsSkipped: 0,
      formats: 0,
      insertedCharacters: 0,
      largestEdit: 0,
      lagMs: [],
      driverLagMs: [],
    };
    return line;
  };
  return {
    typed({ dueMs, sentMs, driverLagMs, isFormat, size }) {
      const current = lineOf(dueMs);
      current.offered++;
      current.performed++;
      if (isFormat) current.formats++;
      current.insertedCharacters! += size.inserted;
      current.largestEdit = Math.max(current.largestEdit!, size.inserted, size.deleted);
      current.lagMs.push(roundFigure(sentMs - dueMs));
      current.driverLagMs.push(roundFigure(driverLagMs));
    },
    skipped({ dueMs, driverLagMs, endsSigil }) {
      const current = lineOf(dueMs);
      current.offered++;
      current.skipped++;
      if (endsSigil) current.sigilsSkipped++;
      current.driverLagMs.push(roundFigure(driverLagMs));
    },
    finish,
  };
}
