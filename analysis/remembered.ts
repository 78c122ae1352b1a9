/** What the analysis need not find out twice in a run: a process of its own hands it on to the next. */
import type { AnalysedCell } from './cell/cell.ts';

/** Plain data, so that it can go from one process to another. */
export interface Remembered {
  /** Cells by their run's folder and their name, with what their files were then. */
  cells: Map<string, { fingerprint: string; cell: AnalysedCell }>;
  /** Scripts of pages by the paths of their entries. */
  scripts: Map<string, string>;
}

/** This process's. */
export const remembered: Remembered = { cells: new Map(), scripts: new Map() };
