/**
 * The checks that make a trial not valid, or leave a note on a valid one: one entry each, in the order in which a verdict
 * tells of them. Each has a view of `../views/` that yields the offending rows. So a further check is one view and one
 * entry.
 */
import { SCHEMA_VERSION } from '../../results/formats/records.ts';
import { apart, type Check, LOST_CONNECTIONS, list, processes, sayFaults, together } from './check.ts';
import { DOCUMENT_CHECKS } from './document-checks.ts';
import { type LateWorker, LOAD_CHECKS, sayLate } from './load-checks.ts';

/** Codes of the notes that the machine was short of cores, so that a bound that is missed may be the machine's. */
export const SHORT_OF_CORES = ['machine-busy', 'server-waited'] as const;
const [MACHINE_BUSY, SERVER_WAITED] = SHORT_OF_CORES;

function leastPercent(rows: readonly { bytesShare: number }[]): string {
  return (100 * Math.min(...rows.map(({ bytesShare }) => bytesShare))).toFixed(0);
}

export const CHECKS: readonly Check[] = [
  {
    // Failures of the harness itself: a Chrome that crashed, a step of its own that took too long.
    view: 'harness_failures',
    makes: 'invalid',
    slowness: 'explains',
    code: null,
    reasons: sayFaults,
  },
  {
    // Failures of the framework: a server that ended, a client that gave up, users who never got ready.
    view: 'framework_failures',
    makes: 'failed',
    slowness: 'could be',
    code: null,
    reasons: sayFaults,
  },
  together({
    view: 'missing_records',
    makes: 'invalid',
    code: 'missing-record',
    say: (rows: { process: string; missing: string[] }[]) =>
      `records are missing or incomplete: ${list(rows.map(({ process, missing }) => `${process} (no ${missing.join(', no ')} line)`))}`,
  }),
  ...DOCUMENT_CHECKS,
  together({
    view: 'unlike_replays',
    makes: 'failed',
    code: 'replay-differs',
    say: (rows: { process: string }[]) =>
      `all that the crowd and the probes sent makes another document, played in another order, than ${processes(rows)} hold`,
  }),
  apart({
    view: 'missing_replays',
    makes: 'invalid',
    code: 'no-replay',
    say: ({ problem }: { problem: string | null }) =>
      `whether the document holds all edits of the crowd is not known: ${problem ?? 'what users sent was not played again'}`,
  }),
  together({
    view: 'unserved_users',
    makes: 'failed',
    slowness: 'could be',
    explainedBy: LOST_CONNECTIONS,
    code: 'crowd-unserved',
    say: (rows: { process: string; bytesShare: number }[]) =>
      `of the bytes and messages that others got, ${leastPercent(rows)} % or more reached ${processes(rows)}`,
  }),
  together({
    view: 'oddly_served_users',
    makes: 'unknown',
    explainedBy: LOST_CONNECTIONS,
    code: 'crowd-oddly-served',
    say: (rows: { process: string; bytesShare: number }[]) =>
      `${leastPercent(rows)} % or more of the bytes that others got reached ${processes(rows)}, in messages of other sizes: if all edits came is not known`,
  }),
  apart({
    view: 'late_crowds',
    makes: 'invalid',
    slowness: 'explains',
    code: 'crowd-late',
    say: ({ lateMs, limitMs }: { lateMs: number; limitMs: number }) =>
      `the crowd was played ${lateMs.toFixed(0)} ms late at the 99th percentile (limit ${limitMs} ms) → use fewer users or more cores`,
  }),
  apart({
    view: 'unordered_crowds',
    makes: 'note',
    voids: true,
    code: 'crowd-unordered',
    say: ({ lateMs }: { lateMs: number }) =>
      `the server came up to ${lateMs.toFixed(0)} ms late to a crowd that was played: it may have read messages before those that they rest on, which live users would have waited for`,
  }),
  ...LOAD_CHECKS,
  together({
    view: 'uncertain_clocks',
    makes: 'invalid',
    code: 'clock-uncertain',
    say: (rows: { process: string; errorMs: number; clockErrorLimitMs: number }[]) =>
      `the clock is known only within ${Math.max(...rows.map(({ errorMs }) => errorMs)).toFixed(1)} ms (limit ${rows[0]!.clockErrorLimitMs} ms) at ${processes(rows)}`,
  }),
  apart({
    view: 'malformed_lines',
    makes: 'unknown',
    code: 'malformed-record',
    say: ({ process, malformed, type }: { process: string; malformed: number; type: string }) =>
      `${process}: ${malformed} malformed line(s) of type ${type}`,
  }),
  apart({
    view: 'foreign_versions',
    makes: 'unknown',
    code: 'foreign-record',
    say: ({ process, schemaVersion }: { process: string; schemaVersion: number }) =>
      `${process}: schema version ${schemaVersion}, but this analysis reads version ${SCHEMA_VERSION}`,
  }),
  apart({
    view: 'unidentified_records',
    makes: 'unknown',
    code: 'unidentified-record',
    say: ({ process, missing }: { process: string; missing: string }) => `${process}: no line of type ${missing}`,
  }),
  together({
    view: 'unexpected_records',
    makes: 'unknown',
    code: 'unexpected-record',
    say: (rows: { process: string }[]) => `there are records of users that the trial did not have: ${processes(rows)}`,
  }),
  together({
    view: 'windowless_trials',
    makes: 'unknown',
    code: 'no-window',
    say: () => 'coordinator: no whole measured window: the trial ended before it',
  }),
  apart({
    view: 'contradicted_clocks',
    makes: 'unknown',
    code: 'clock-contradicted',
    say: ({ process, early, receipts, done }: { process: string; early: number; receipts: number; done: string }) =>
      `${process}: the clocks disagree: ${early} of ${receipts} sigils that it ${done} showed on a screen before they were sent, by more than the measured clock errors`,
  }),
  apart({
    view: 'busy_machines',
    makes: 'note',
    slowness: 'explains',
    code: MACHINE_BUSY,
    say: ({ cores, busyPercent }: { cores: number; busyPercent: number }) =>
      `the machine's ${cores} cores were ${busyPercent.toFixed(0)} % busy: the figures are this machine's limit as much as the framework's → use fewer users, or a quieter machine`,
  }),
  apart({
    // Such a trial has no measured window. A server that ended, or never listens on a machine with time to spare, stays failed.
    view: 'busy_starts',
    makes: 'note',
    slowness: 'explains',
    code: MACHINE_BUSY,
    say: ({ cores, busyPercent }: { cores: number; busyPercent: number }) =>
      `the machine's ${cores} cores were ${busyPercent.toFixed(0)} % busy while the server was to start → use a quieter machine`,
  }),
  apart({
    view: 'waiting_servers',
    makes: 'note',
    slowness: 'explains',
    code: SERVER_WAITED,
    say: ({ cpuPercent, waitedPercent }: { cpuPercent: number; waitedPercent: number }) =>
      `the server took ${cpuPercent.toFixed(0)} % of a core, and waited for another ${waitedPercent.toFixed(0)} % that others had: what it did too late is this machine's limit as much as the framework's → use fewer users, or a quieter machine`,
  }),
  apart({
    view: 'late_workers',
    makes: 'note',
    code: 'worker-late',
    say: (row: LateWorker & { loopLimitMs: number; lagLimitMs: number }) => sayLate(row),
  }),
  apart({
    view: 'throttled_processes',
    makes: 'note',
    slowness: 'explains',
    code: 'throttled',
    say: ({ process, throttledPercent }: { process: string; throttledPercent: number }) =>
      `the CPU limit of its control group held up ${process} for ${throttledPercent.toFixed(0)} % of the time: the figures are that limit's as much as the framework's`,
  }),
  together({
    view: 'reconnections',
    makes: 'note',
    code: 'reconnected',
    say: (rows: { process: string; times: number }[]) =>
      `a connection to the server broke and came back at ${list(rows.map(({ process, times }) => `${process} (${times} ×)`))}`,
  }),
  together({
    view: 'gone_users',
    makes: 'note',
    code: 'client-gone',
    say: (rows: { process: string }[]) => `the client gave its connection up for good at ${processes(rows)}`,
  }),
  apart({
    // Libraries throw and go on, or log what they then mend; whether that harmed the document, the other checks tell.
    view: 'page_errors',
    makes: 'note',
    code: 'page-errors',
    say: ({ process, errors, message }: { process: string; errors: number; message: string }) =>
      `page errors at ${process}: ${errors}, first: ${message}`,
  }),
  together({
    view: 'leaking_pages',
    makes: 'note',
    code: 'page-grows',
    say: (rows: { process: string; heapMiBPerMinute: number }[]) =>
      `the heap of a page grew fast, in MiB per minute at ${list(rows.map(({ process, heapMiBPerMinute }) => `${process} (${heapMiBPerMinute.toFixed(1)})`))}`,
  }),
  apart({
    view: 'crowded_trials',
    makes: 'note',
    code: 'crowd',
    say: (row: { crowd: 'recorded' | 'live'; users: number; ofAll: number; patched: string | null }) => {
      const kind = row.crowd === 'recorded' ? 'played from a recording' : 'live in Node';
      const patched = row.patched === null ? '' : `; patched for them, to the same results: ${row.patched}`;
      return `${row.users} of ${row.ofAll} users were a crowd, ${kind}; figures of users are the probes'${patched}`;
    },
  }),
  together({
    view: 'unseen_cursors',
    makes: 'note',
    code: 'cursors-unseen',
    say: (rows: { process: string; seen: number; ofOthers: number }[]) =>
      `in the end not every other user's cursor was on the screen at ${list(rows.map(({ process, seen, ofOthers }) => `${process} (${seen} of ${ofOthers})`))}`,
  }),
  together({
    // Another's service shows its screens only: less is proved there, and a reader must know.
    view: 'closed_models',
    makes: 'note',
    code: 'model-not-open',
    say: () =>
      "model, formats and saved state are not open to inspection, nor what each user's own edits did; users are compared by the text, without spaces and formats, that their screens show from top to bottom",
  }),
  together({
    view: 'unknown_servers',
    makes: 'note',
    code: 'server-unknown',
    say: () =>
      'the server left no record, or one without a measurement of its clock, so its CPU, memory and network are not known',
  }),
];
