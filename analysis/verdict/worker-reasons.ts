/** A verdict's reasons about processes whose users, without a browser, waited for each other: see `29-worker-checks.sql`. */

/** A row of its views. */
export type LateWorker = {
  /** The first of its users. */
  process: string;
  users: number;
  loopMs: number | null;
  lagMs: number | null;
};

export type LimitedWorker = LateWorker & {
  corePercent: number | null;
  coreLimitPercent: number;
  /** Null where it is not its core that was the limit. */
  carried: number | null;
};

export function sayLimited(row: LimitedWorker): string {
  const who = `the process of ${row.process} and ${row.users - 1} more`;
  if (row.carried === null) {
    return `the load generator was the bottleneck: ${who} was too late for users who are to be the load for others (${sayLateness(row)}); use fewer users or more cores`;
  }
  return `the load generator was the bottleneck: ${who} used ${row.corePercent!.toFixed(0)} % of a core (limit ${row.coreLimitPercent} %), so they waited for each other; use more cores, or the ${row.carried} users or so that this machine carries`;
}

export function sayLate(row: LateWorker & { loopLimitMs: number; lagLimitMs: number }): string {
  return `users of one process wait for each other at times: at ${row.process} and ${row.users - 1} more, ${sayLateness(row)}, where users alone should see ${row.loopLimitMs} ms and ${row.lagLimitMs} ms at most; latencies hold it`;
}

function sayLateness({ loopMs, lagMs }: LateWorker): string {
  const known = (ms: number | null) => (ms === null ? 'an unknown time' : `${ms.toFixed(0)} ms`);
  return `at the 99th percentile its event loop was ${known(loopMs)} late, and keys were sent ${known(lagMs)} late`;
}
