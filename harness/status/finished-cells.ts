/** The cells that a run has summarised so far, for its status page. */
import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { type CellSummary, summarySchema } from '../../results/formats/summary.ts';

export interface FinishedCells {
  cells: CellSummary[];
  /** Why there are none although a summary is there; else null. */
  problem: string | null;
}

export interface FinishedCellsWatch {
  latest(): FinishedCells;
  /** Reads the summary anew where it was written since the last time. Before the first trial ends there is none. */
  haveChanged(): Promise<boolean>;
}

/** @param path of `summary.json`, which is rewritten after every trial */
export function watchFinishedCells(path: string): FinishedCellsWatch {
  let latest: FinishedCells = { cells: [], problem: null };
  let seenMs = 0;
  return {
    latest: () => latest,
    async haveChanged() {
      const writtenMs = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      if (writtenMs <= seenMs) return false;
      seenMs = writtenMs;
      latest = await readCells(path);
      return true;
    },
  };
}

/** A resumed run may hold a summary of another version until its next trial ends; that must not end the run. */
async function readCells(path: string): Promise<FinishedCells> {
  try {
    const result = summarySchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    if (result.success) return { cells: result.data.cells, problem: null };
    return { cells: [], problem: `${path} is not as a run writes it: ${z.prettifyError(result.error)}` };
  } catch (error) {
    return { cells: [], problem: `${path} cannot be read: ${(error as Error).message}` };
  }
}
