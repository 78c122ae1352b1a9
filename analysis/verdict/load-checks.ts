/** The checks that find the harness, or the machine below it, too slow for a trial; see checks.ts. */
import { apart, type Check, list } from './check.ts';

/** The code of a reason: its hypervisor gave the machine's time to others. */
export const MACHINE_STOLEN = 'machine-stolen';

export const LOAD_CHECKS: readonly Check[] = [
  apart({
    view: 'saturated_drivers',
    makes: 'invalid',
    slowness: 'explains',
    code: 'driver-saturated',
    say: (row: { processes: string[]; lateMs: number; limitMs: number }) =>
      `the load generator was the bottleneck: by itself it sent keys ${row.lateMs.toFixed(0)} ms late at the 95th percentile (limit ${row.limitMs} ms) for ${list(row.processes)} → use fewer users or more cores`,
  }),
  apart({
    view: 'stalled_drivers',
    makes: 'invalid',
    code: 'driver-stalled',
    say: (row: { processes: string[]; lateMs: number; limitMs: number }) =>
      `the load generator stood still now and then: by itself it sent keys ${row.lateMs.toFixed(0)} ms late at the 99th percentile (limit ${row.limitMs} ms) for ${list(row.processes)} → use fewer users or more cores`,
  }),
  apart({
    view: 'limited_workers',
    makes: 'invalid',
    slowness: 'explains',
    code: 'worker-limited',
    say: (row: LimitedWorker) => sayLimited(row),
  }),
  apart({
    view: 'late_delay_lines',
    makes: 'invalid',
    slowness: 'explains',
    code: 'delay-line-late',
    say: (row: { process: string; medianMs: number; p95Ms: number | null; limitsMs: [number, number] }) =>
      `the delay line of ${row.process} was late by itself: ${row.medianMs.toFixed(1)} ms at the median, ${row.p95Ms?.toFixed(0) ?? '?'} ms at the 95th percentile (limits ${row.limitsMs.join(' and ')} ms) → use fewer users or more cores`,
  }),
  apart({
    view: 'busy_gates',
    makes: 'invalid',
    slowness: 'explains',
    code: 'gate-saturated',
    say: ({ cpuPercent, limitPercent }: { cpuPercent: number; limitPercent: number }) =>
      `the harness before the server, which passes on all bytes, was the bottleneck: it took ${cpuPercent.toFixed(0)} % of a core (limit ${limitPercent} %) → use fewer users`,
  }),
  apart({
    view: 'stolen_machines',
    makes: 'invalid',
    slowness: 'explains',
    code: MACHINE_STOLEN,
    say: ({ stealPercent, limitPercent }: { stealPercent: number; limitPercent: number }) =>
      `the hypervisor gave ${stealPercent.toFixed(1)} % of the machine's CPU time to others while the trial wanted it (limit ${limitPercent} %) → use a quieter machine`,
  }),
];

/** A row of its views. */
export type LateWorker = {
  /** The first of its users. */
  process: string;
  users: number;
  loopMs: number | null;
  lagMs: number | null;
};

type LimitedWorker = LateWorker & {
  corePercent: number | null;
  coreLimitPercent: number;
  /** Null where it is not its core that was the limit, or where that was too full to tell. */
  carried: number | null;
};

function sayLimited(row: LimitedWorker): string {
  const who = `the process of ${row.process} and ${row.users - 1} more`;
  if ((row.corePercent ?? 0) <= row.coreLimitPercent) {
    return `the load generator was the bottleneck: ${who} was too late for users who are to be the load for others (${sayLateness(row)}) → use fewer users or more cores`;
  }
  return `the load generator was the bottleneck: ${who} used ${row.corePercent!.toFixed(0)} % of a core (limit ${row.coreLimitPercent} %), so they waited for each other → ${carriedText(row)}`;
}

function carriedText({ carried }: LimitedWorker): string {
  if (carried === null)
    return 'use more cores, or far fewer users: a core that is full does not tell how many it carries';
  return `use more cores, or the ${carried} users or so that this machine carries`;
}

export function sayLate(row: LateWorker & { loopLimitMs: number; lagLimitMs: number }): string {
  return `users of one process wait for each other at times: at ${row.process} and ${row.users - 1} more, ${sayLateness(row)}, where users alone should see ${row.loopLimitMs} ms and ${row.lagLimitMs} ms at most; latencies hold it`;
}

function sayLateness({ loopMs, lagMs }: LateWorker): string {
  const known = (ms: number | null) => (ms === null ? 'an unknown time' : `${ms.toFixed(0)} ms`);
  return `at the 99th percentile its event loop was ${known(loopMs)} late, and keys were sent ${known(lagMs)} late`;
}
