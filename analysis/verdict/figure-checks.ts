/** The checks that find figures that cannot be, or that mean something else than the same figures of others; see checks.ts. */
import { apart, type Check, list, processes, together } from './check.ts';

/** Codes of the notes on clients which gather otherwise than they are asked to. */
export const NOT_GATHERED = ['received-at-once', 'sent-at-once'] as const;
const [RECEIVED_AT_ONCE, SENT_AT_ONCE] = NOT_GATHERED;

export const FIGURE_CHECKS: readonly Check[] = [
  together({
    view: 'impossible_bytes',
    makes: 'invalid',
    code: 'bytes-uncounted',
    say(rows: { process: string; direction: string; bytes: number; markers: number }[]) {
      const each = rows.map((row) => `${row.process} ${row.direction} ${row.bytes} for ${row.markers} markers`);
      return `the bytes: fewer were counted than the markers hold (${list(each)}), so traffic bypassed the counters → send all of it through the page's WebSockets and the server that is started`;
    },
  }),
  apart({
    view: 'unlike_bytes',
    makes: 'note',
    code: 'bytes-differ',
    say: (row: { direction: 'sent' | 'received'; serverKiBps: number; usersKiBps: number }) =>
      `the bytes: the server ${row.direction} ${row.serverKiBps.toFixed(1)} KiB/s, its users' WebSockets ${row.direction === 'sent' ? 'received' : 'sent'} ${row.usersKiBps.toFixed(1)}, so one of the two lacks bytes that went another way or were compressed`,
  }),
  apart({
    view: 'impossible_latencies',
    makes: 'invalid',
    code: 'delay-evaded',
    say: ({ early, markers, leastMs }: { early: number; markers: number; leastMs: number }) =>
      `the markers: arrived sooner than the links allow (${early} of ${markers}; both ways take ${leastMs} ms or more), so they bypassed the delay → connect to the address that the client is given`,
  }),
  apart({
    view: 'hurried_markers',
    makes: 'invalid',
    code: 'markers-hurried',
    say: ({ textMs, markersMs }: { textMs: number; markersMs: number }) =>
      `the markers: came much sooner than the text around them (nine of ten within ${markersMs.toFixed(0)} ms of their last key, half of the looks at text ${textMs.toFixed(0)} ms behind), so latencies are not those of typing`,
  }),
  apart({
    view: 'other_work',
    makes: 'note',
    code: 'other-work',
    say: ({ otherPercent, limitPercent }: { otherPercent: number; limitPercent: number }) =>
      `the machine: worked for processes outside the trial (${otherPercent.toFixed(0)} % of a core, limit ${limitPercent.toFixed(0)} %), so figures may lack a part or be disturbed → use a quieter machine, and start the server's helpers from its process`,
  }),
  together({
    view: 'ungathered_receivers',
    makes: 'note',
    code: RECEIVED_AT_ONCE,
    say: (rows: { process: string; periods: number; apart: number }[]) =>
      `not gathered as asked: others' edits at ${processes(rows)} (they came apart in ${sum(rows, 'apart')} of ${sum(rows, 'periods')} receive periods), so latencies lack what others wait for → do not compare them, or set batching.receive to 0`,
  }),
  together({
    view: 'ungathered_senders',
    makes: 'note',
    code: SENT_AT_ONCE,
    say: (rows: { process: string; messagesPerSecond: number; batchesPerSecond: number }[]) =>
      `not gathered as asked: own edits at ${processes(rows)} (up to ${Math.max(...rows.map(({ messagesPerSecond }) => messagesPerSecond)).toFixed(1)} messages a second, batches ${rows[0]!.batchesPerSecond.toFixed(1)}), so latencies lack what others wait for → do not compare them, or set batching.send to 0`,
  }),
];

function sum<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
