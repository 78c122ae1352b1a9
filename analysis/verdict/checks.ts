/**
 * The checks that make a trial not valid, or leave a note on a valid one: one entry each, in the order in which a verdict
 * tells of them. Each has a view of `../views/` that yields the offending rows. So a further check is one view and one
 * entry.
 */
import { SCHEMA_VERSION } from '../../results/formats/records.ts';
import { ATTACHED_CHECKS, TELLS_OF_SERVER } from './attached-checks.ts';
import { apart, type Check, list, processes, sayFaults, together } from './check.ts';
import { DOCUMENT_CHECKS } from './document-checks.ts';
import { FIGURE_CHECKS } from './figure-checks.ts';
import { type LateWorker, LOAD_CHECKS, sayLate } from './load-checks.ts';
import { SURROUNDINGS_CHECKS } from './surroundings-checks.ts';

/** Codes of the notes that the machine was short of cores, so that a bound that is missed may be the machine's. */
export const NOTES_OF_CORES = ['machine-busy', 'server-waited'] as const;
const [MACHINE_BUSY, SERVER_WAITED] = NOTES_OF_CORES;

function leastPercent(rows: readonly { bytesShare: number }[]): string {
  return (100 * Math.min(...rows.map(({ bytesShare }) => bytesShare))).toFixed(0);
}

function sayUnserved({ leastShare }: { leastShare: number }): string {
  return `the readers: one got fewer bytes than the others (${(100 * leastShare).toFixed(0)} %)`;
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
    // A server that ended is its framework's, however busy the machine.
    view: 'ended_servers',
    makes: 'failed',
    code: null,
    reasons: sayFaults,
  },
  {
    // Other failures of the framework: a client that gave up, users who never got ready.
    view: 'slow_failures',
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
      `the records: missing or incomplete at ${list(rows.map(({ process, missing }) => `${process} (no ${missing.join(', no ')} line)`))}`,
  }),
  ...DOCUMENT_CHECKS,
  together({
    view: 'unlike_replays',
    makes: 'failed',
    code: 'replay-differs',
    say: (rows: { process: string }[]) =>
      `${processes(rows)}: the document differs from a replay, in another order, of all messages of crowd and probes`,
  }),
  apart({
    view: 'missing_replays',
    makes: 'invalid',
    code: 'no-replay',
    say: ({ problem }: { problem: string | null }) =>
      `the crowd: not known if the document holds all its edits (${problem ?? 'its messages were not played again'})`,
  }),
  together({
    view: 'unserved_users',
    makes: 'failed',
    slowness: 'could be',
    code: 'crowd-unserved',
    say: (rows: { process: string; bytesShare: number }[]) =>
      `${processes(rows)}: got fewer bytes and messages than the others (${leastPercent(rows)} % or more)`,
  }),
  together({
    view: 'oddly_served_users',
    makes: 'unknown',
    code: 'crowd-oddly-served',
    say: (rows: { process: string; bytesShare: number }[]) =>
      `${processes(rows)}: got fewer bytes than the others (${leastPercent(rows)} % or more), in messages of other sizes, so edits may be missing`,
  }),
  together({
    view: 'late_served_users',
    makes: 'failed',
    slowness: 'could be',
    code: 'crowd-served-late',
    say: (rows: { process: string; waitedMs: number; probesMs: number }[]) =>
      `${processes(rows)}: others' edits arrive later than at the probes (waits of ${Math.max(...rows.map(({ waitedMs }) => waitedMs)).toFixed(0)} ms at the median, probes ${rows[0]!.probesMs.toFixed(0)} ms)`,
  }),
  apart({
    view: 'unserved_readers',
    makes: 'failed',
    slowness: 'could be',
    code: 'reader-unserved',
    say: sayUnserved,
  }),
  apart({
    view: 'refused_readers',
    makes: 'invalid',
    code: 'reader-refused',
    say: (row: { leastShare: number }) =>
      `${sayUnserved(row)}, as if the server had not let it in → let them join farther apart (--join-every 5s), or start fewer`,
  }),
  apart({
    view: 'late_crowds',
    makes: 'invalid',
    slowness: 'explains',
    code: 'crowd-late',
    say: ({ lateMs, limitMs }: { lateMs: number; limitMs: number }) =>
      `the crowd: played late (${lateMs.toFixed(0)} ms at the 99th percentile, limit ${limitMs} ms) → use fewer users or more cores`,
  }),
  apart({
    view: 'unordered_crowds',
    makes: 'note',
    voids: true,
    code: 'crowd-unordered',
    say: ({ lateMs }: { lateMs: number }) =>
      `the server: late to a played crowd (up to ${lateMs.toFixed(0)} ms), so it may have read messages in an order that live users never send → use fewer users or more cores`,
  }),
  ...LOAD_CHECKS,
  ...FIGURE_CHECKS,
  ...ATTACHED_CHECKS,
  ...SURROUNDINGS_CHECKS,
  together({
    view: 'uncertain_clocks',
    makes: 'invalid',
    code: 'clock-uncertain',
    say: (rows: { process: string; errorMs: number; clockErrorLimitMs: number }[]) =>
      `${processes(rows)}: the clock is not known well enough (within ${Math.max(...rows.map(({ errorMs }) => errorMs)).toFixed(1)} ms, limit ${rows[0]!.clockErrorLimitMs} ms) → use fewer users, or a quieter machine or network`,
  }),
  apart({
    view: 'malformed_lines',
    makes: 'unknown',
    code: 'malformed-record',
    say: ({ process, malformed, type }: { process: string; malformed: number; type: string }) =>
      `${process}: malformed lines of type ${type} (${malformed})`,
  }),
  apart({
    view: 'foreign_versions',
    makes: 'unknown',
    code: 'foreign-record',
    say: ({ process, schemaVersion }: { process: string; schemaVersion: number }) =>
      `${process}: records of another schema version (${schemaVersion}, this analysis reads ${SCHEMA_VERSION}) → read them with the version of the project that wrote them`,
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
    say: (rows: { process: string }[]) => `${processes(rows)}: records of users that the trial did not have`,
  }),
  together({
    view: 'windowless_trials',
    makes: 'unknown',
    code: 'no-window',
    say: () => 'coordinator: no whole measured window, as the trial ended before it',
  }),
  apart({
    view: 'contradicted_clocks',
    makes: 'unknown',
    code: 'clock-contradicted',
    say: ({ process, early, receipts, done }: { process: string; early: number; receipts: number; done: string }) =>
      `${process}: the clocks disagree (${early} of ${receipts} sigils that it ${done} showed on a screen before they were sent, by more than the measured clock errors)`,
  }),
  apart({
    view: 'busy_machines',
    makes: 'note',
    slowness: 'explains',
    code: MACHINE_BUSY,
    say: ({ cores, busyPercent }: { cores: number; busyPercent: number }) =>
      `the machine: its ${cores} cores were busy (${busyPercent.toFixed(0)} %), so the figures are its limit as much as the framework's → use fewer users, or a quieter machine`,
  }),
  apart({
    // Such a trial has no measured window. Who ended, or was late on a machine with time to spare, stays failed.
    view: 'busy_starts',
    makes: 'note',
    slowness: 'explains',
    code: MACHINE_BUSY,
    say: ({ cores, busyPercent }: { cores: number; busyPercent: number }) =>
      `the machine: its ${cores} cores were busy all the time that the start took (${busyPercent.toFixed(0)} %) → use fewer users, or a quieter machine`,
  }),
  apart({
    view: 'waiting_servers',
    makes: 'note',
    slowness: 'explains',
    code: SERVER_WAITED,
    say: ({ cpuPercent, waitedPercent }: { cpuPercent: number; waitedPercent: number }) =>
      `the server: short of a core that others had (took ${cpuPercent.toFixed(0)} %, waited for another ${waitedPercent.toFixed(0)} %), so its lateness is this machine's limit as much as the framework's → use fewer users, or a quieter machine`,
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
      `${process}: held up by the CPU limit of its control group (${throttledPercent.toFixed(0)} % of a core), so the figures are that limit's as much as the framework's → use fewer users, or a higher limit`,
  }),
  together({
    view: 'reconnections',
    makes: 'note',
    code: 'reconnected',
    say: (rows: { process: string; times: number }[]) =>
      `${list(rows.map(({ process, times }) => `${process} (${times} ×)`))}: a connection to the server broke and came back`,
  }),
  apart({
    view: 'late_ends',
    makes: 'note',
    code: 'ended-late',
    say: ({ perServerMs }: { perServerMs: number }) =>
      `the server: told to end as by a deploy, it seems not to have ended by itself; after 30 s it is killed (${(perServerMs / 1000).toFixed(0)} s until the next one served)`,
  }),
  together({
    view: 'gone_users',
    makes: 'note',
    code: 'client-gone',
    say: (rows: { process: string }[]) => `${processes(rows)}: the client gave its connection up for good`,
  }),
  apart({
    // Libraries throw and go on, or log what they then mend; whether that harmed the document, the other checks tell.
    view: 'page_errors',
    makes: 'note',
    code: 'page-errors',
    say: ({ process, errors, message }: { process: string; errors: number; message: string }) =>
      `${process}: errors of the page (${errors}), the first: ${message}`,
  }),
  together({
    view: 'leaking_pages',
    makes: 'note',
    code: 'page-grows',
    say: (rows: { process: string; heapMiBPerMinute: number }[]) =>
      `${list(rows.map(({ process, heapMiBPerMinute }) => `${process} (${heapMiBPerMinute.toFixed(1)} MiB a minute)`))}: the heap of the page grew fast`,
  }),
  apart({
    view: 'slowed_pages',
    makes: 'note',
    code: 'pages-slowed',
    say: ({ pages, ofAll }: { pages: number; ofAll: number }) =>
      `the pages: slowed down by Chrome (${pages} of ${ofAll}); the work that slows them counts as the users' CPU`,
  }),
  apart({
    view: 'audiences',
    makes: 'note',
    code: 'readers',
    say: ({ sockets, clients }: { sockets: number; clients: number }) =>
      `the readers: sockets that only receive (${sockets}), and clients that hold the document (${clients}), which is compared`,
  }),
  apart({
    view: 'crowded_trials',
    makes: 'note',
    code: 'crowd',
    say: (row: { crowd: 'recorded' | 'live'; users: number; ofAll: number; patched: string | null }) => {
      const kind = row.crowd === 'recorded' ? 'played from a recording' : 'live in Node';
      const patched = row.patched === null ? '' : `; patched for them, to the same results: ${row.patched}`;
      return `${row.users} of ${row.ofAll} users: a crowd, ${kind}; figures of users are the probes'${patched}`;
    },
  }),
  together({
    view: 'unseen_cursors',
    makes: 'note',
    code: 'cursors-unseen',
    say: (rows: { process: string; seen: number; ofOthers: number }[]) =>
      `${list(rows.map(({ process, seen, ofOthers }) => `${process} (${seen} of ${ofOthers})`))}: not every other user's cursor was on the screen at the end`,
  }),
  together({
    // Another's service shows its screens only: less is proved there, and a reader must know.
    view: 'closed_models',
    makes: 'note',
    code: 'model-not-open',
    say: () =>
      'the service: model, formats, saved state and the effect of each edit cannot be inspected; users are compared by the whole text on their screens, without spaces and formats',
  }),
  apart({
    view: 'left_documents',
    makes: 'note',
    code: 'document-left',
    say: ({ document }: { document: string }) =>
      `the server: may keep the document ${document}, in which this trial was typed`,
  }),
  together({
    view: 'unknown_servers',
    makes: 'note',
    code: 'server-unknown',
    say: ([first]: readonly { isAttached: boolean }[]) => {
      const remedy = first!.isAttached ? ` → ${TELLS_OF_SERVER}` : '';
      return `the server: no record, or none with a measurement of its clock, so its CPU, memory and network are not known${remedy}`;
    },
  }),
];
