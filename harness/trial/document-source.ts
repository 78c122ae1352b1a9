/** Where the document of a trial is, and what that takes. A trial asks this, and need not know whose document it is. */
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';

export interface DocumentSource {
  /** The document's address; null: it is at a server that the trial starts as one of its processes. */
  readonly address: string | null;
  /** Users join so far apart, one after the other; 0: all at once. */
  readonly joinPeriodMs: number;
  /** How long it takes a user at most to tell what its document holds. */
  readonly readingLimitMs: number;
}

/** A server of the framework's, started for the trial; what its documents hold, users' models tell. */
export const OWN_SERVER: DocumentSource = { address: null, joinPeriodMs: 0, readingLimitMs: 250 };

/** @throws Error where the trial needs a document's link, and was given none */
export function documentSourceOf(
  { cell, document }: PlannedTrial,
  { hosted }: Pick<FrameworkAbout, 'hosted'>,
): DocumentSource {
  if (hosted === undefined) return OWN_SERVER;
  if (document === undefined) throw new Error(`the trial of ${cell} was given no document`);
  const { joinPeriodMs, readingLimitMs } = hosted;
  return { address: document, joinPeriodMs, readingLimitMs };
}
