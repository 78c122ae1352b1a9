/** What a comparison says: the form of its JSON. */
import type { CellSummary } from '../../results/formats/summary.ts';
import type { FigureChange } from './figure-change.ts';
import type { Functional } from './functional.ts';

/** What is compared: two runs that were made apart, or the trials of one that ran base and new in turns. */
export type Design = 'apart' | 'in pairs';

export interface CellChange {
  framework: string;
  mode: string;
  users: number;
  base: CellSummary;
  new: CellSummary;
  /** As far as the trials can tell. */
  functional: { base: Functional; new: Functional };
  /** How many trials of one number are valid on both sides; null for runs that were made apart. */
  pairs: number | null;
  figures: FigureChange[];
}

export interface Comparison {
  design: Design;
  base: { directory: string; experiment: string; startedAt: string };
  new: { directory: string; experiment: string; startedAt: string };
  cells: CellChange[];
  /** How many figures could be judged: so many comparisons are corrected for. */
  comparisons: number;
  /** Cells that only one of the runs has. */
  unmatched: string[];
  /** Those of them that the new run was to have, but none of whose trials has run there. */
  notRun: string[];
  /** Why the comparison may say something else than it seems to. */
  warnings: string[];
}
