/** The verdict on one trial: `trials/<cell>-<n>/verdict.json`. */
import * as z from 'zod';
import { sentenceSchema } from './names.ts';

/** A reason names what was seen; `code` lets programs tell reasons apart. */
const reasonSchema = z.object({ code: z.string(), message: sentenceSchema });

export const verdictSchema = z.object({
  schemaVersion: z.literal(1),
  /**
   * `invalid`: the harness, a clock, a record or the machine spoilt it, and it says nothing of the framework; `failed`:
   * the framework did not do what was asked of it, which counts against it.
   */
  verdict: z.enum(['valid', 'invalid', 'failed', 'unknown']),
  /** Why it is not valid; empty if it is. */
  reasons: z.array(reasonSchema),
  /** Remarks for the reader of a valid trial, such as a machine that was short of cores. */
  notes: z.array(reasonSchema),
  /** True if every replica and every editor ended with the same document; null if that could not be judged. */
  converged: z.boolean().nullable(),
});

/** More trials of one cell than these nobody runs. */
const count = z.int().min(0).max(100_000);

/** A fact that a cell's reader must know. Programs go by its code and its rank, never by its text. */
const messageSchema = z.object({
  /** Of a trial's reason or note, or the cell's own, such as `not-smooth`. */
  code: z.string(),
  /** `decides`: a verdict or a criterion rests on it; `care`: figures are to be read with it; `record`: it calls for nothing. */
  rank: z.enum(['decides', 'care', 'record']),
  text: sentenceSchema,
  /** The numbers of the trials that it is about; empty: the cell. Document scenarios name none. */
  trials: z.array(count),
});

/** The same on a cell, from its trials'. */
export const cellVerdict = {
  trials: count,
  validTrials: count,
  /** Trials that the framework failed; if there is one, the cell is not fully functional. */
  failedTrials: count,
  /**
   * `valid` if every trial is; `failed` if the framework failed every one; `unknown` if none could be judged;
   * else `invalid` if none is valid, and `partly valid` if some are.
   */
  verdict: z.enum(['valid', 'partly valid', 'invalid', 'failed', 'unknown']),
  /** Why trials are not valid, and why the cell is not fully functional, or not smooth. */
  reasons: z.array(sentenceSchema),
  notes: z.array(sentenceSchema),
  /** All of them, with codes. */
  messages: z.array(messageSchema).default([]),
};

/** True if a cell's counts of trials can be true together. */
export function addUp(cell: { trials: number; validTrials: number; failedTrials: number }): boolean {
  return cell.validTrials + cell.failedTrials <= cell.trials;
}

export type Message = z.infer<typeof messageSchema>;
export type Reason = z.infer<typeof reasonSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
