/** The checks that find the harness, or the machine below it, too slow for a trial; see checks.ts. */
import { apart, type Check, list } from './check.ts';
import { type LimitedWorker, sayLimited } from './worker-reasons.ts';

/** The code of a reason: its hypervisor gave the machine's time to others. */
export const MACHINE_STOLEN = 'machine-stolen';

export const LOAD_CHECKS: readonly Check[] = [
  apart({
    view: 'saturated_drivers',
    makes: 'invalid',
    slowness: 'explains',
    code: 'driver-saturated',
    say: (row: { processes: string[]; lateMs: number; limitMs: number }) =>
      `the load generator was the bottleneck: by itself it sent keys ${row.lateMs.toFixed(0)} ms late at the 95th percentile (limit ${row.limitMs} ms) for ${list(row.processes)}; use fewer users or more cores`,
  }),
  apart({
    view: 'stalled_drivers',
    makes: 'invalid',
    code: 'driver-stalled',
    say: (row: { processes: string[]; lateMs: number; limitMs: number }) =>
      `the load generator stood still now and then: by itself it sent keys ${row.lateMs.toFixed(0)} ms late at the 99th percentile (limit ${row.limitMs} ms) for ${list(row.processes)}; use fewer users or more cores`,
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
      `the delay line of ${row.process} was late by itself: ${row.medianMs.toFixed(1)} ms at the median, ${row.p95Ms?.toFixed(0) ?? '?'} ms at the 95th percentile (limits ${row.limitsMs.join(' and ')} ms); use fewer users or more cores`,
  }),
  apart({
    view: 'busy_gates',
    makes: 'invalid',
    slowness: 'explains',
    code: 'gate-saturated',
    say: ({ cpuPercent, limitPercent }: { cpuPercent: number; limitPercent: number }) =>
      `the harness before the server, which passes on all bytes, was the bottleneck: it took ${cpuPercent.toFixed(0)} % of a core (limit ${limitPercent} %); use fewer users`,
  }),
  apart({
    view: 'stolen_machines',
    makes: 'invalid',
    slowness: 'explains',
    code: MACHINE_STOLEN,
    say: ({ stealPercent, limitPercent }: { stealPercent: number; limitPercent: number }) =>
      `the hypervisor gave ${stealPercent.toFixed(1)} % of the machine's CPU time to others while the trial wanted it (limit ${limitPercent} %)`,
  }),
];
