/** The checks that find the harness, or the machine below it, too slow for a trial; see checks.ts. */
import { apart, type Check, list } from './check.ts';

/** The code of a reason: its hypervisor gave the machine's time to others. */
export const MACHINE_STOLEN = 'machine-stolen';

const BOTTLENECK = { makes: 'invalid', slowness: 'explains' } as const;

export const LOAD_CHECKS: readonly Check[] = [
  apart({
    view: 'saturated_drivers',
    ...BOTTLENECK,
    code: 'driver-saturated',
    say: (row: { processes: string[]; lateMs: number; limitMs: number }) =>
      `the load generator: by itself late with keys for ${list(row.processes)} (${row.lateMs.toFixed(0)} ms at the 95th percentile, limit ${row.limitMs} ms), so it was the bottleneck → use fewer users or more cores`,
  }),
  apart({
    view: 'stalled_drivers',
    makes: 'invalid',
    code: 'driver-stalled',
    say: (row: { processes: string[]; lateMs: number; limitMs: number }) =>
      `the load generator: stood still now and then, and was late with keys for ${list(row.processes)} (${row.lateMs.toFixed(0)} ms at the 99th percentile, limit ${row.limitMs} ms) → use fewer users or more cores`,
  }),
  apart({
    view: 'limited_workers',
    ...BOTTLENECK,
    code: 'worker-limited',
    say: (row: LimitedWorker) => sayLimited(row),
  }),
  apart({
    view: 'late_delay_lines',
    ...BOTTLENECK,
    code: 'delay-line-late',
    say: (row: { process: string; medianMs: number; p95Ms: number | null; limitsMs: [number, number] }) =>
      `${row.process}: its delay line was late by itself (${row.medianMs.toFixed(1)} ms at the median, ${row.p95Ms?.toFixed(0) ?? '?'} ms at the 95th percentile, limits ${row.limitsMs.join(' and ')} ms) → use fewer users or more cores`,
  }),
  apart({
    view: 'busy_gates',
    ...BOTTLENECK,
    code: 'gate-saturated',
    say: ({ cpuPercent, limitPercent }: { cpuPercent: number; limitPercent: number }) =>
      `the harness's gate before the server: too busy passing bytes on (${cpuPercent.toFixed(0)} % of a core, limit ${limitPercent} %), so it was the bottleneck → use fewer users`,
  }),
  apart({
    view: 'stolen_machines',
    ...BOTTLENECK,
    code: MACHINE_STOLEN,
    say: ({ stealPercent, limitPercent }: { stealPercent: number; limitPercent: number }) =>
      `the machine: the hypervisor gave its CPU time to others while the trial wanted it (${stealPercent.toFixed(1)} %, limit ${limitPercent} %) → use a quieter machine`,
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
  const who = whoIn(row);
  if ((row.corePercent ?? 0) <= row.coreLimitPercent) {
    return `${who}: too late to act as a crowd (${sayLateness(row)}) → use fewer users or more cores`;
  }
  return `${who}: waited for each other, as their process used too much of a core (${row.corePercent!.toFixed(0)} %, limit ${row.coreLimitPercent} %) → ${carriedText(row)}`;
}

function carriedText({ carried }: LimitedWorker): string {
  if (carried === null)
    return 'use more cores, or far fewer users: a core that is full does not tell how many it carries';
  return `use more cores, or the ${carried} users or so that this machine carries`;
}

export function sayLate(row: LateWorker & { loopLimitMs: number; lagLimitMs: number }): string {
  return `${whoIn(row)}: waited for each other at times, which latencies include (${sayLateness(row)}, limits ${row.loopLimitMs} and ${row.lagLimitMs} ms) → use fewer users or more cores`;
}

function whoIn({ process, users }: LateWorker): string {
  return `${process} and ${users - 1} more in one process`;
}

function sayLateness({ loopMs, lagMs }: LateWorker): string {
  const known = (ms: number | null) => (ms === null ? 'an unknown time' : `${ms.toFixed(0)} ms`);
  return `99th percentile: event loop ${known(loopMs)}, keys ${known(lagMs)} late`;
}
