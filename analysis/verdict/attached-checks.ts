/** The checks of trials at a server that somebody else runs: the way there, or the server, was the limit; see checks.ts. */
import { apart, type Check } from './check.ts';

/** The remedy if nothing is known of such a server. */
export const TELLS_OF_SERVER = '--server-pid, --server-container or --metrics tells of it';

type LongWay = { handshakeMs: number; medianMs: number; sharePercent: number };
type FullServer = { cpuPercent: number | null; loopMs: number; isLate: true } | { cpuPercent: number; isLate: false };

export const ATTACHED_CHECKS: readonly Check[] = [
  apart({
    view: 'long_ways',
    makes: 'note',
    code: 'way-long',
    say: ({ handshakeMs, medianMs, sharePercent }: LongWay) =>
      `the way: a round trip to the server takes ${handshakeMs.toFixed(1)} ms or more, ${sharePercent.toFixed(0)} % of the median end-to-end latency (${medianMs.toFixed(1)} ms), so the distance counts for more than the server → measure from the users' place`,
  }),
  apart({
    view: 'full_servers',
    makes: 'note',
    code: 'server-full',
    say(found: FullServer) {
      const cpu = found.cpuPercent === null ? '' : ` (took ${found.cpuPercent.toFixed(0)} % of a core)`;
      // Of a server with several threads, a core is no limit.
      const sign = found.isLate
        ? `its event loop came ${found.loopMs.toFixed(0)} ms late at the 99th percentile${cpu}, so it is the limit`
        : `no time left, if it is one thread${cpu}, so it may be the limit`;
      return `the server: ${sign} → use fewer users, or a faster server`;
    },
  }),
];
