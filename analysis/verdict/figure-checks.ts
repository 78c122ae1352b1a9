/** The checks that find figures that cannot be, or that mean something else than the same figures of others; see checks.ts. */
import { apart, type Check, list, together } from './check.ts';

export const FIGURE_CHECKS: readonly Check[] = [
  together({
    view: 'impossible_bytes',
    makes: 'invalid',
    code: 'bytes-uncounted',
    say(rows: { process: string; direction: string; bytes: number; markers: number }[]) {
      const each = rows.map((row) => `${row.process} ${row.direction} ${row.bytes} for ${row.markers} markers`);
      return `the bytes: too few were counted for what passed (${list(each)}), so something went past the counters → send all through WebSockets of the page, and through the server that is started`;
    },
  }),
  apart({
    view: 'impossible_latencies',
    makes: 'invalid',
    code: 'delay-evaded',
    say: ({ early, markers, leastMs }: { early: number; markers: number; leastMs: number }) =>
      `the markers: came sooner than the links let anything pass (${early} of ${markers}; both ways take ${leastMs} ms or more), so they went past the delay → connect to the address that the client is given`,
  }),
  apart({
    view: 'other_work',
    makes: 'note',
    code: 'other-work',
    say: ({ otherPercent, limitPercent }: { otherPercent: number; limitPercent: number }) =>
      `the machine: worked for processes that are not the trial's (${otherPercent.toFixed(0)} % of a core, limit ${limitPercent.toFixed(0)} %), so figures may lack work, or be disturbed by it → use a quieter machine, and let the server's process start all that serves it`,
  }),
];
