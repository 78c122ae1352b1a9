/** The form of a verdict's checks, and how most are made. */
import type { Json } from '@duckdb/node-api';
import { type AskedFaultKind, SERVER_FAULTS } from '../../results/formats/fault-records.ts';
import type { Reason } from '../../results/formats/verdict.ts';
import { enumerate } from '../figures/figure-text.ts';

export interface Check {
  /** Yields a row, with the name of its trial, for each thing that is not as it should be. */
  view: string;
  /**
   * A finding's effect on its trial. `invalid`: the harness, its clocks, its records or the machine caused the finding.
   * `failed`: the framework did. A note leaves the trial as it is.
   */
  makes: 'invalid' | 'failed' | 'unknown' | 'note';
  /**
   * Of slowness: `could be` is a failure that a framework with too little time would show too, `explains` what gives it
   * too little time although it is not to blame. Where both are found, the trial is invalid, not failed.
   */
  slowness?: 'could be' | 'explains';
  /** True where what it finds kept the framework from getting what users send: then no failure is the framework's. */
  voids?: boolean;
  /**
   * Faults that have such a finding as their consequence. If the experiment asked for one of them, the finding answers
   * that request, and is a note. Absent: none.
   */
  explainedBy?: readonly AskedFaultKind[];
  /** Of its reasons; null where each row brings its own. */
  code: string | null;
  /** @param rows of one trial; at least one */
  reasons(rows: readonly Record<string, Json>[]): Reason[];
}

/**
 * Faults that take a connection away, of users or behind the server: a library without a remedy may lose, double or keep apart what
 * users typed.
 */
export const LOST_CONNECTIONS: readonly AskedFaultKind[] = [...SERVER_FAULTS, 'network-cut', 'offline'];

/** Each fault is its own reason. */
export function sayFaults(rows: readonly Record<string, Json>[]): Reason[] {
  return (rows as { code: string; message: string }[]).map(({ code, message }) => ({ code, message }));
}

/** A check of one code, with its sentence on what it finds. */
type Told<Found> = Omit<Check, 'reasons'> & { code: string; say(found: Found): string };

/** A check that gives all offending rows of a trial one reason. */
export function together<Row extends Record<string, Json>>({ say, ...check }: Told<readonly Row[]>): Check {
  return { ...check, reasons: (rows) => [{ code: check.code, message: say(rows as readonly Row[]) }] };
}

/** A check that gives each offending row a reason of its own. */
export function apart<Row extends Record<string, Json>>({ say, ...check }: Told<Row>): Check {
  return { ...check, reasons: (rows) => rows.map((row) => ({ code: check.code, message: say(row as Row) })) };
}

export function processes(rows: readonly { process: string }[]): string {
  return list(rows.map(({ process }) => process));
}

/** At most so many names stand in one message. */
const LISTED = 8;

/** The first names, and how many more there are. */
export function list(names: readonly string[]): string {
  return enumerate(names, { most: LISTED, between: ', ' });
}
