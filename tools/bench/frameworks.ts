/** What a remote edit costs each framework: CPU of the one who receives it, and bytes, without rendering. */

import { discoverFrameworks } from '../../frameworks/discover.ts';
import { modesOf } from '../../frameworks/modes.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { figure, KEYS_PER_SECOND, runCell } from './run-cell.ts';

const USER_COUNTS = [2, 8, 16];

/**
 * The CPU is Chrome's and holds what the user's own typing costs too, so it grows with fewer users to share it among.
 */
export async function benchFrameworks(durations: { warmUp: string; measure: string }): Promise<string> {
  const all = await discoverFrameworks();
  const frameworks = all.filter(
    ({ about }) => !about.oneWriter && !about.needsInternet && modesOf(about).includes('noquill'),
  );
  const rows: string[][] = [];
  for (const users of USER_COUNTS) {
    for (const { name } of frameworks) {
      const { cell } = await runCell({ framework: name, mode: 'noquill', users, ...durations });
      rows.push(formatRow(cell));
      console.error(rows.at(-1)!.join('  '), ...cell.reasons);
    }
  }
  const headings = [
    'framework',
    'users',
    'verdict',
    'throughput %',
    'end to end p50 ms',
    'Chrome ms/remote edit',
    'server ms/edit',
    'bytes sent/edit',
    'bytes received/remote edit',
  ];
  return alignTable([headings, ...rows]);
}

function formatRow(cell: CellSummary): string[] {
  const { users, throughputPercent, userCpuPercent, serverCpuPercent } = cell;
  const editsPerSecond = throughputPercent === null ? null : (KEYS_PER_SECOND * throughputPercent) / 100;
  const per = (perSecond: number | null, edits: number) =>
    perSecond === null || editsPerSecond === null ? null : perSecond / (editsPerSecond * edits);
  const cpuMs = (percent: number | null) => (percent === null ? null : percent * 10);
  return [
    cell.framework,
    String(users),
    cell.verdict,
    figure(throughputPercent, 1),
    figure(cell.endToEndLatencyMs.p50, 0),
    figure(per(cpuMs(userCpuPercent), users - 1), 2),
    figure(per(cpuMs(serverCpuPercent), users), 2),
    figure(cell.userBytesPerEdit.sent, 0),
    figure(cell.userBytesPerEdit.received, 0),
  ];
}
