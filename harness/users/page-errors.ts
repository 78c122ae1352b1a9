/** The errors of one user's page: counted, and the first kept; a page may throw thousands. */
import type { RecordOf } from '../../results/formats/records.ts';

/** Kept length of a message, in UTF-16 units. */
const MOST_CHARACTERS = 500;

export class PageErrors {
  #line: RecordOf<'page-errors'> | null = null;
  #recorded = 0;

  add(atMs: number, message: string): void {
    this.#line = {
      type: 'page-errors',
      atMs,
      errors: (this.#line?.errors ?? 0) + 1,
      message: this.#line?.message ?? message.slice(0, MOST_CHARACTERS),
    };
  }

  /** The line that tells of those so far; none if that was told before. */
  take(): RecordOf<'page-errors'>[] {
    const line = this.#line;
    if (line === null || line.errors === this.#recorded) return [];
    this.#recorded = line.errors;
    return [line];
  }
}
