/** The verdict on one trial: `trials/<cell>-<n>/verdict.json`. */
import * as z from 'zod';

/** A reason names what was seen; `code` lets programs tell reasons apart. */
export const reasonSchema = z.object({ code: z.string(), message: z.string() });

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

/** The same on a cell, from its trials'. */
export const cellVerdict = {
  trials: z.int().nonnegative(),
  validTrials: z.int().nonnegative(),
  /** Trials that the framework failed; if there is one, the cell is not fully functional. */
  failedTrials: z.int().nonnegative(),
  /**
   * `valid` if every trial is; `failed` if the framework failed every one; `unknown` if none could be judged;
   * else `invalid` if none is valid, and `partly valid` if some are.
   */
  verdict: z.enum(['valid', 'partly valid', 'invalid', 'failed', 'unknown']),
  /** Why trials are not valid, and why the cell is not fully functional, or not smooth. */
  reasons: z.array(z.string()),
  notes: z.array(z.string()),
};

export type Reason = z.infer<typeof reasonSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
