/**
 * Whether the median end-to-end latency depends on what a server tells those who typed: the same users, keys and receive
 * batches, over a relay that sends each message back to its sender too, and over one that does not. Without a browser, in
 * one process, and typing letters only, so that 32 users fit a small machine.
 */
import { compactLog } from '../../editors/yjs-relay/document.ts';
import { OWN_SERVER } from '../../frameworks/document-source.ts';
import type { Runner, RunnerOptions } from '../../harness/runner.ts';
import { runTrial } from '../../harness/trial/trial.ts';
import { alignTable } from '../../results/text-table.ts';
import { createRelay } from '../../servers/relay.ts';
import { honest } from '../../tests/broken-frameworks/broken-framework.ts';
import { inProcessFleet } from '../../tests/broken-frameworks/in-process-fleet.ts';
import { type BenchCell, figure, KEYS_PER_SECOND, runCell } from './run-cell.ts';

const USER_COUNTS = [2, 4, 8, 16, 32];
/** What the server does may move a median by so much. */
const BOUND_MS = 3;

/** As people type, but all of this process's users together no faster than it can follow. */
const MOST_EDITS_PER_SECOND = 96;
/** A sigil is five keys: half of a user’s keys stay letters. */
const KEYS_PER_SIGIL = 10.2;
/** The median of so many latencies, even over 50 ms, is known within a millisecond or two. */
const SIGILS = 300;
const LEAST_MEASURED_MS = 15_000;

const SERVERS = {
  silent: honest.server,
  echoing: createRelay({
    compact: compactLog,
    treat({ pass, echo }) {
      pass();
      echo();
    },
  }),
};

/** @param users the fewest and the most */
export async function benchEcho(users: { from: number; to: number }): Promise<string> {
  const rows: string[][] = [];
  for (const count of USER_COUNTS.filter((each) => each >= users.from && each <= users.to)) {
    const medianOf = async (server: keyof typeof SERVERS) => {
      const { cell } = await runCell({
        ...echoCell(count),
        variant: server,
        open: async (options) => openInProcess(options, server),
      });
      for (const reason of cell.reasons) console.error(`${count} users, ${server}: ${reason}`);
      return cell.endToEndLatencyMs.p50;
    };
    const [silent, echoing] = [await medianOf('silent'), await medianOf('echoing')];
    const difference = silent === null || echoing === null ? null : echoing - silent;
    rows.push([
      String(count),
      figure(silent, 1),
      figure(echoing, 1),
      figure(difference, 1),
      difference === null ? 'unknown' : Math.abs(difference) <= BOUND_MS ? 'yes' : 'no',
    ]);
    console.error(rows.at(-1)!.join('  '));
  }
  const headings = ['users', 'silent p50 ms', 'echoing p50 ms', 'difference ms', `within ${BOUND_MS} ms`];
  return alignTable([headings, ...rows]);
}

/** The fewer users, the longer: all have as many sigils. */
function echoCell(users: number): BenchCell {
  const keysPerSecond = Math.min(KEYS_PER_SECOND, MOST_EDITS_PER_SECOND / users);
  const sigilPeriodMs = (1000 * KEYS_PER_SIGIL) / keysPerSecond;
  const measureMs = Math.max(LEAST_MEASURED_MS, Math.ceil((SIGILS * sigilPeriodMs) / users));
  return {
    ...{ framework: 'yjs-relay', mode: 'noquill', users, warmUp: '3s', measure: `${measureMs}ms` },
    typing: { keysPerSecond, sigilPeriod: `${sigilPeriodMs}ms` },
    batching: { sendFromUsers: 'never' },
  };
}

function openInProcess(options: RunnerOptions, server: keyof typeof SERVERS): Runner {
  const fleet = inProcessFleet({ ...honest, server: SERVERS[server] });
  return {
    environment: {},
    runTrial: (planned, directory) =>
      runTrial({
        ...{ ...options, planned, directory, fleet, version: '1', source: OWN_SERVER, pageFolder: import.meta.dirname },
        startText: '',
        editsFor: () => [{ kind: 'key', move: 0, text: 'x' }],
      }),
    close: () => fleet.stop(),
  };
}
