/** Figures of a kill, from what became of each edit. */
import type { RecordLine } from '../../results/formats/records.ts';
import { figureLines, noteLines } from '../measurement.ts';
import type { TypedEdit } from './ledger.ts';
import { withoutWords, wordsIn } from './words.ts';

/** The first newcomer after the kill. */
export interface EarlyClient {
  /** When it had joined. */
  joinedMs: number;
  /** True if its document was empty then. */
  isEmpty: boolean;
  /** When it had all that the server had for it; null: the text of before never came whole. */
  wholeMs: number | null;
  /** When its editor first showed each word. */
  shownMs: ReadonlyMap<string, number>;
  /** Its text before users who had stayed came back: all that it had, it had from the server and its store. */
  storedText: string;
  /** Its text before everyone left. */
  lastText: string;
}

export interface KeptOutcome {
  killedMs: number;
  /** When server and store took connections again. */
  servedMs: number;
  /** The text before these users came; empty: there was none. */
  before: string;
  /** Those of before the kill, the oldest first. */
  edits: readonly TypedEdit[];
  /** True if the library tells what is acknowledged. */
  acknowledges: boolean;
  /** Null: the server did not let it in. */
  early: EarlyClient | null;
  /** The last words of users who had stayed, typed once they could be back. */
  closing: readonly string[];
  /** The document that a newcomer got in the end. */
  endText: string;
  /** Why there is none, so that all is lost; null: there is one. */
  refusal: string | null;
  sizeBytes: number | null;
  /** How the server ended because its store did; null: it did not. */
  serverDied: string | null;
  /** Why clients gave up. */
  reasons: readonly string[];
}

export function linesOf(outcome: KeptOutcome): RecordLine[] {
  const { edits, acknowledges, early, closing, endText, killedMs, servedMs, sizeBytes, reasons } = outcome;
  if (edits.length === 0) return [nothingTyped(killedMs, reasons)];
  const copies = Map.groupBy(wordsIn(endText), (word) => word);
  const kept = edits.filter(({ word }) => copies.has(word));
  const lost = edits.filter(({ word }) => !copies.has(word));
  const shownMs = [...(early?.shownMs ?? [])];
  const first = new Set(shownMs.filter(([, atMs]) => atMs <= early!.joinedMs).map(([word]) => word));
  const stored = new Set(wordsIn(early?.storedText ?? ''));
  const lacked = kept.filter(({ word }) => !first.has(word));
  const counts = {
    editsTyped: edits.length,
    editsLost: lost.length,
    editsLostSeen: lost.filter(({ seenMs }) => seenMs !== null).length,
    editsLostAcknowledged: acknowledges ? lost.filter(({ acknowledgedMs }) => acknowledgedMs !== null).length : null,
    editsDoubled: kept.filter(({ word }) => copies.get(word)!.length > 1).length,
    atRiskSeconds: lost.length === 0 ? 0 : (killedMs - lost[0]!.typedMs) / 1000,
    newcomerLacks: early && lacked.length,
    healed: early && kept.filter(({ word }) => !stored.has(word)).length,
    strandedUsers: closing.filter((word) => !copies.has(word)).length,
  };
  const wholeMs = early?.wholeMs ?? null;
  const reopenMs = wholeMs === null ? null : wholeMs - servedMs;
  const notes = notesOf(outcome, { counts, lost, lacked });
  return [...figureLines({ ...counts, reopenMs, sizeBytes }), ...notes];
}

/** Of nothing, nothing is lost: that would look like the best of all libraries. */
function nothingTyped(atMs: number, [why]: readonly string[]): RecordLine {
  const told = { code: 'nothing-typed', message: 'nobody had typed a word by the kill, so none could be lost' };
  if (why !== undefined) return { type: 'failure', ...told, message: `${told.message}: ${why.slice(0, 300)}` };
  return { type: 'fault', atMs, ...told, message: `${told.message}; write more wordsPerSecond, or a later killFrom` };
}

interface Fates {
  counts: Record<'editsTyped' | 'editsLostSeen' | 'editsDoubled' | 'strandedUsers', number> &
    Record<'editsLostAcknowledged', number | null>;
  lost: readonly TypedEdit[];
  /** Kept, and not in the newcomer's first document. */
  lacked: readonly TypedEdit[];
}

/** Without counts, which are figures: so those of a cell's trials are one. */
function notesOf(outcome: KeptOutcome, fates: Fates): RecordLine[] {
  const { before, early, endText, refusal, killedMs, serverDied, reasons } = outcome;
  const { counts, lost, lacked } = fates;
  const lastHeld = new Set(wordsIn(early?.lastText ?? ''));
  // Edits that nobody had seen by the kill may have been on its way.
  const isOld = early !== null && lacked.some(({ seenMs }) => seenMs !== null && seenMs <= killedMs);
  const isBeforeThere = before !== '' && withoutWords(endText).trim() !== '';
  const why = reasons.length === 0 ? '' : `; a client gave up: ${reasons[0]!.slice(0, 300)}`;
  return noteLines({
    'lost-acknowledged': [
      (counts.editsLostAcknowledged ?? 0) > 0,
      'edits are gone although the library had called them acknowledged',
    ],
    'lost-seen': [counts.editsLostSeen > 0, 'edits are gone although other users had seen them'],
    'lost-all': [
      lost.length > 0 && lost.length === counts.editsTyped,
      'all that was typed is gone, so more seconds of typing may be at risk than there were',
    ],
    'lost-before': [
      before !== '' && refusal === null && withoutWords(endText) !== before,
      'the text that the document held before these users came is not as it was',
    ],
    'no-document': [refusal !== null, `nobody gets the document in the end, but: ${refusal}`],
    'lost-at-end': [
      lost.some(({ word }) => lastHeld.has(word)),
      'edits that the server had after the kill are gone since it was ended in order',
    ],
    'doubled-edits': [counts.editsDoubled > 0, 'edits stand in the document more than once'],
    'early-empty': [
      early?.isEmpty === true && (isOld || isBeforeThere),
      'whoever joined at once got an empty document, and it was not',
    ],
    'early-old': [
      isOld && !early.isEmpty,
      'whoever joined at once got a document without edits that were there in the end',
    ],
    'early-refused': [early === null, 'whoever joined at once got no document'],
    stranded: [
      counts.strandedUsers > 0,
      `of users who had stayed, a word typed when the server was back is not there in the end${why}`,
    ],
    'server-died': [
      serverDied !== null,
      `the server ended when its store did, and was started again: it ${serverDied}`,
    ],
  });
}
