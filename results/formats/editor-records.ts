/**
 * Lines of the record in which a user's editor tells, in the end, what became of the user's edits. Rules for all lines stand in
 * `records.ts`.
 */
import * as z from 'zod';
import { count, instantMs } from './names.ts';

/**
 * User, in the end: what became of its edits, as its editor saw it; the fields are described in editors/base/instrument/ledger.ts.
 * Absent if the editor is not open to inspection.
 */
export const accountRecord = z.object({
  type: z.literal('account'),
  atMs: instantMs,
  /** Of what the driver typed, absent of played users, and of what the editor took as its user's own, each letter's hash. */
  typedHash: count.optional(),
  insertedHash: count,
  deletedOfOthersCharacters: count,
  takenCharacters: count,
  restoredCharacters: count,
  restoredByChanceCharacters: count,
  /** Absent in records before 27 November. */
  mostVanishedCharacters: count.optional(),
  formats: count,
  undoneFormats: count,
  undoneFormatsByChance: count,
  /** How often the page lost the focus to another window; absent of users without a page. */
  focusLosses: count.optional(),
  claimedCharacters: count,
  claimedHash: count,
  documentHash: count,
  /** Receive periods in which others' changes came, and those in which some came apart. Absent in records before 27 November. */
  receivePeriods: count.optional(),
  receivePeriodsApart: count.optional(),
});

/**
 * User, in the end, with the first own key of each second: when, and how many characters of the document were then its own,
 * and how many others'. Absent if the editor is not open to inspection, and of users who do not type.
 */
export const textSamplesRecord = z.object({
  type: z.literal('text-samples'),
  atMs: instantMs,
  samples: z.array(z.tuple([instantMs, z.int(), z.int()])),
});

/**
 * User, in the end: its sigils that were whole in its own editor with their last key, and how long after that somebody
 * else's edit broke each, or first came near; null: not within ten seconds. `torn` ones were not whole although nobody's edit
 * came near. `ownAfterMs`: the user's own edit broke it, as where the trace goes beyond an end of the document. Absent if the editor is
 * not open to inspection.
 * Of a played user: by the edits of its crowd.
 */
export const ownSigilsRecord = z.object({
  type: z.literal('own-sigils'),
  atMs: instantMs,
  sigils: z.array(
    z.object({
      sigil: z.string(),
      brokenAfterMs: z.number().nonnegative().nullable(),
      nearAfterMs: z.number().nonnegative().nullable(),
      ownAfterMs: z.number().nonnegative().optional(),
      torn: z.literal(true).optional(),
    }),
  ),
});
