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

export type Reason = z.infer<typeof reasonSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
