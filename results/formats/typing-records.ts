/** Lines of the record that tell of what users typed, and of the sigils that they saw. Rules for all lines stand in `records.ts`. */
import * as z from 'zod';
import { count, instantMs } from './names.ts';

/**
 * User: the edits that were due in one second; `atMs` is the middle of it. `lagMs` holds one entry per performed edit:
 * sent − due.
 */
const typingRecord = z.object({
  type: z.literal('typing'),
  atMs: instantMs,
  /** Edits that fell due, were typed, and were given up because they were more than the limit behind. */
  offered: count,
  performed: count,
  skipped: count,
  /** Sigils among those given up, each of which is given up as a whole. */
  sigilsSkipped: count,
  formats: count,
  /** UTF-16 units that these edits put in, and the most that one of them put in or took out. Absent of played users. */
  insertedCharacters: count.optional(),
  largestEdit: count.optional(),
  lagMs: z.array(z.number()),
  /**
   * The part of the lag that is the driver's own, one entry per offered edit: sent (or given up) − max(due,
   * acknowledgement of the edit before).
   */
  driverLagMs: z.array(z.number()),
});

/**
 * User of a played crowd: how late the frames were that it sent since the line before, one entry each: sent − due. Its
 * `typing` lines say what was due in the recording, so that nobody is late.
 */
const playedRecord = z.object({
  type: z.literal('played'),
  atMs: instantMs,
  lateMs: z.array(z.number()),
  /** WebSocket payload that has come since the user joined, and the messages that held it. */
  receivedBytes: count,
  receivedMessages: count,
  /** The longest time since the line before in which others of the crowd had sent and nothing came; absent before 27 November. */
  waitedMs: z.number().nonnegative().optional(),
});

/**
 * The member that stands for readers who are sockets: the WebSocket payload that has come to all of them together since typing
 * began, and to the one that got least.
 */
const readersRecord = z.object({
  type: z.literal('readers'),
  atMs: instantMs,
  readers: count.positive(),
  receivedBytes: count,
  receivedMessages: count,
  leastBytes: count,
});

/**
 * User: a sigil was typed. `dueMs` is when its last key was scheduled, `sentMs` when that key was sent, and `leftMs` when the
 * client sent the first message after that: of played users.
 */
const sigilSentRecord = z.object({
  type: z.literal('sigil-sent'),
  sigil: z.string(),
  dueMs: z.number(),
  sentMs: z.number(),
  leftMs: z.number().optional(),
});

/** User: a sigil, the user's own or another's, showed on this user's screen (after the frame that shows it). */
const sigilShownRecord = z.object({ type: z.literal('sigil-shown'), sigil: z.string(), shownMs: z.number() });

/** Changes that users make to some sigils of their own later. */
const sigilChange = z.enum(['deleted', 'formatted']);

/** User: it changed a sigil of its own. */
const sigilChangedRecord = sigilSentRecord.extend({ type: z.literal('sigil-changed'), change: sigilChange });

/** User: a sigil was no longer whole on this user's screen, or showed another format there, whoever did that. */
const sigilChangeShownRecord = sigilShownRecord.extend({ type: z.literal('sigil-change-shown'), change: sigilChange });

export const TYPING_RECORDS = [
  typingRecord,
  playedRecord,
  readersRecord,
  sigilSentRecord,
  sigilShownRecord,
  sigilChangedRecord,
  sigilChangeShownRecord,
] as const;
