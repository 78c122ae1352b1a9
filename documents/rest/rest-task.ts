/** The task of the two processes of one trial. */
import type { HistoryFiles } from './history.ts';
import type { StoreName } from './stores/stores.ts';
import type { WayName } from './ways/ways.ts';

export interface RestTask {
  store: StoreName;
  way: WayName;
  durable: boolean;
  /** The store's own folder: there, and empty before the first process. */
  directory: string;
  history: HistoryFiles;
  /** How many edits the document holds before the measured ones, and how many are measured. */
  size: number;
  measured: number;
  compactEvery: number;
}

/** Of this process. */
export function readTask(): RestTask {
  return JSON.parse(process.argv[2]!) as RestTask;
}

/** Stores lie in the run's folder. */
export const FULL_DISK_REMEDY = 'let the run land on another disk with --out';
