/** One change to an author's document while a trace is replayed, and its observers. */
import { UserError } from '../results/user-error.ts';
import type { Patch } from './format.ts';
import { codePointsOf, type GapBuffer } from './gap-buffer.ts';

/** Positions and lengths count code points. */
export interface Change {
  author: number;
  /** The author's document, in code points, as it is before the change. */
  document: GapBuffer;
  position: number;
  deleted: number;
  inserted: string;
}

/** Watches a replay. Each call comes before the change is made. */
export interface Observer {
  /** The author changes the own document; `transaction` is its index in the trace. */
  typed(change: Change & { transaction: number }): void;
  /** Another author's change arrives in the author's document. */
  received?(change: Change): void;
}

/** @throws UserError (2) if the patch reaches outside the document */
export function checkPatch(document: GapBuffer, patch: Patch, place: { transaction: number; patch: number }): void {
  const [position, deleted] = patch;
  if (position + deleted <= document.length) return;
  const does = deleted === 0 ? `inserts at ${position}` : `deletes from ${position} to ${position + deleted}`;
  throw new UserError(
    `Transaction ${place.transaction}, patch ${place.patch} ${does}, but the document has ${document.length} characters ` +
      '(code points) there. The trace is damaged, or counts something else than code points.',
  );
}

export function applyChange(change: Change): void {
  change.document.splice(change.position, change.deleted, codePointsOf(change.inserted));
}
