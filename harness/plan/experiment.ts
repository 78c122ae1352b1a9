/** An experiment as resolved: every default filled in, durations in milliseconds. What a run is made of; see experiment-file.ts. */

export const MODES = ['optquill', 'noquill'] as const;
export type Mode = (typeof MODES)[number];

export interface Experiment {
  name: string;
  frameworks: string[];
  modes: Mode[];
  /** User counts; each makes a cell with each framework and mode. */
  users: number[];
  trials: number;
  /** How many of the users type; the others watch. */
  writers: number | 'all';
  trace: string;
  seed: number;
  durations: { warmUpMs: number; measureMs: number; profileMs: number; settleMs: number };
  typing: {
    keysPerSecond: number;
    sigilPeriodMs: number;
    /** Odds that an edit is a format: at the cursor, of a range near it, of its block. */
    formatOdds: { inline: number; range: number; block: number };
  };
  batching: {
    receiveMs: number;
    sendMs: number;
    /** Sender batching applies from this many users on. */
    sendFromUsers: number | 'always' | 'never';
  };
  resources: { server: ResourceLimits; user: ResourceLimits };
  fleet: { on: 'local'; usersPerBrowser: number };
  network: { oneWayDelayMs: number };
  limits: { clockErrorMs: number };
}

export interface ResourceLimits {
  /** Cores, and memory; null: no limit. */
  cpus: number | null;
  memoryMiB: number | null;
}
