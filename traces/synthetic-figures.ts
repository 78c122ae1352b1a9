/**
 * How a person edits, in figures: what the synthetic trace is calibrated to.
 *
 * Measured on automerge-paper (M. Kleppmann, automerge-perf, CC BY 4.0), 259,778 edits of one author writing a paper.
 * Only these statistics of it are used, none of its text. A run is a sequence of edits of one kind that continues at
 * the cursor: typing, deleting before the cursor, or deleting after it.
 */

export const SOURCE = {
  edits: 259_778,
  inserts: 182_315,
  deletes: 77_463,
  /** Share of edits that continue at the cursor. */
  followOnShare: 0.9789,
  /** Runs of typing: 6,288 of them. */
  meanInsertRun: 28.99,
  /** Of the jumps' distances, in characters. */
  jumpQuartiles: [12, 46, 161],
} as const;

export type RunKind = 'insert' | 'backspace' | 'delete';

/**
 * Run lengths in characters: the mean of each twenty-fifth of the runs, in ascending order. Drawing the twenty-five in
 * equal parts keeps the mean, to which the few longest runs contribute most.
 */
export const RUN_LENGTHS: Record<RunKind, readonly number[]> = {
  insert: [1, 1, 1, 1, 1, 2, 2, 3, 3, 5, 5, 7, 9, 11, 14, 16, 20, 25, 31, 38, 49, 62, 81, 114, 222],
  backspace: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 7, 8, 10, 15, 26, 208],
  delete: [1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 9, 11, 13, 14, 16, 23, 31, 50, 155, 962],
};

export interface Step {
  to: RunKind;
  /** True if the cursor jumps before the run. */
  jumps: boolean;
  /** How often that was seen. */
  times: number;
}

/** Runs that followed a run of each kind, and how often (the rarest, under 20 times, left out). */
export const STEPS: Record<RunKind, readonly Step[]> = {
  insert: [
    { to: 'insert', jumps: true, times: 2415 },
    { to: 'backspace', jumps: false, times: 1756 },
    { to: 'backspace', jumps: true, times: 1749 },
    { to: 'delete', jumps: false, times: 121 },
    { to: 'delete', jumps: true, times: 246 },
  ],
  backspace: [
    { to: 'insert', jumps: false, times: 3108 },
    { to: 'insert', jumps: true, times: 405 },
    { to: 'backspace', jumps: true, times: 325 },
    { to: 'delete', jumps: true, times: 69 },
  ],
  delete: [
    { to: 'insert', jumps: false, times: 236 },
    { to: 'insert', jumps: true, times: 123 },
    { to: 'backspace', jumps: true, times: 81 },
    { to: 'delete', jumps: true, times: 77 },
  ],
};

/** Share of the jumps that lead back. */
export const JUMPS_BACK = 0.399;

/** Quantiles of the jumps' distances in characters, in steps of 5 %, from the shortest to the longest. */
export const JUMP_DISTANCES: readonly number[] = [
  1, 1, 2, 5, 8, 12, 15, 20, 27, 35, 46, 56, 68, 85, 112, 161, 228, 378, 802, 2763, 90386,
];
