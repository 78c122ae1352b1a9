/** Sums up one user's typing, second by second of what was due, into `typing` lines of its record. */
import { roundFigure } from '../../../analysis/statistics/quantile.ts';
import type { RecordOf } from '../../../results/formats/records.ts';

type TypingLine = RecordOf<'typing'>;
export const BUCKET_MS = 1000;

/** The line of a second in which nothing was due. @param startMs when typing begins, on the record's clock */
export function emptyLine(startMs: number, second: number): TypingLine {
  return {
    type: 'typing',
    atMs: startMs + (second + 0.5) * BUCKET_MS,
    ...{ offered: 0, performed: 0, skipped: 0, sigilsSkipped: 0, formats: 0, lagMs: [], driverLagMs: [] },
  };
}

/**
 * Edits come in the order in which they were due. A line's `atMs` is the middle of its second, so that a clock that is
 * a little off does not move a whole second into or out of the measured window.
 */
export class TypingLog {
  readonly #startMs: number;
  readonly #emit: (line: TypingLine) => void;
  #bucket = -1;
  #line: TypingLine | null = null;

  /** @param startMs when typing begins, on the clock on which edits are told and lines are stamped */
  constructor(startMs: number, emit: (line: TypingLine) => void) {
    this.#startMs = startMs;
    this.#emit = emit;
  }

  /** @param edit.size in UTF-16 units */
  typed(edit: {
    dueMs: number;
    sentMs: number;
    driverLagMs: number;
    isFormat: boolean;
    size: { inserted: number; deleted: number };
  }): void {
    const { dueMs, sentMs, isFormat, size } = edit;
    const line = this.#lineOf(edit);
    line.performed++;
    if (isFormat) line.formats++;
    line.insertedCharacters! += size.inserted;
    line.largestEdit = Math.max(line.largestEdit!, size.inserted, size.deleted);
    line.lagMs.push(roundFigure(sentMs - dueMs));
  }

  /** @param edit.endsSigil true for the last key of a sigil */
  skipped(edit: { dueMs: number; driverLagMs: number; endsSigil: boolean }): void {
    const line = this.#lineOf(edit);
    line.skipped++;
    if (edit.endsSigil) line.sigilsSkipped++;
  }

  /** Emits the bucket under way. */
  finish(): void {
    if (this.#line !== null) this.#emit(this.#line);
    this.#line = null;
  }

  /** The line that counts this edit, as one that was due. */
  #lineOf({ dueMs, driverLagMs }: { dueMs: number; driverLagMs: number }): TypingLine {
    const wanted = Math.floor((dueMs - this.#startMs) / BUCKET_MS);
    if (wanted !== this.#bucket) this.finish();
    this.#bucket = wanted;
    this.#line ??= { ...emptyLine(this.#startMs, wanted), insertedCharacters: 0, largestEdit: 0 };
    this.#line.offered++;
    this.#line.driverLagMs.push(roundFigure(driverLagMs));
    return this.#line;
  }
}
