/** An experiment as resolved: every default filled in, durations in milliseconds. What a run is made of; see experiment-file.ts. */

import type { NetworkGroup } from './groups.ts';

export const MODES = ['optquill', 'noquill'] as const;
export type Mode = (typeof MODES)[number];

/** Where processes can run. */
export const FLEETS = ['local', 'compose', 'fargate', 'workers'] as const;
export type FleetName = (typeof FLEETS)[number];

export interface Experiment {
  name: string;
  frameworks: string[];
  modes: Mode[];
  /** User counts; each makes a cell with each framework and mode. */
  users: number[];
  trials: number;
  /** Links of fresh documents, one for each trial of a hosted framework, in the plan's order. */
  documents: string[];
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
  fleet: {
    on: FleetName;
    /** Null: as many as suits the fleet, see `usersPerBrowser`. */
    usersPerBrowser: number | null;
    /** The AWS region of server and coordinator; null where the fleet has no regions. */
    region: string | null;
    fargate: {
      /** Containers of users in one task; each has one user. */
      usersPerTask: number;
      spot: boolean;
      /** The IPv4 address from which this machine reaches AWS; null: found out. */
      reachedFrom: string | null;
    };
  };
  /** At least one group; see groups.ts for who is in which. */
  network: { groups: NetworkGroup[] };
  limits: { clockErrorMs: number };
}

export interface ResourceLimits {
  /** Cores, and memory; null: as the fleet has it, see `limitsOf`. */
  cpus: number | null;
  memoryMiB: number | null;
}
