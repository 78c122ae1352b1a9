/** The form of a comparison's JSON, in which the parameters of a cell stand beside its other properties. */
import type { Parameters } from '../../results/formats/document-records.ts';
import type { AnySummary } from '../cell/cell.ts';
import type { FigureChange } from './figure-change.ts';
import type { Functional } from './functional.ts';

/** The design of a comparison: two runs made apart, or the trials of one that ran base and new in turns. */
export type Design = 'apart' | 'in pairs';

export interface CellChange {
  /** `yjs, noquill, 8 users`; it begins with what is measured: framework, engine or store. */
  name: string;
  parameters: Parameters;
  base: AnySummary;
  new: AnySummary;
  /** As far as the trials can tell; null for documents by themselves. */
  functional: { base: Functional; new: Functional } | null;
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
