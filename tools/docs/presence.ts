/** Presence in Markdown: by what means each framework has it, and what it was measured to cost. */

import { markdownTable } from '../../analysis/tables/render.ts';
import { presenceOf } from '../../editors/base/framework.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { modeWithPresence } from '../../results/formats/run-directory.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { conditionsOf, wrap } from './comparison.ts';
import type { MeasuredRun } from './measured.ts';

/** The experiment whose cells exist twice, without and with. */
export const PRESENCE = 'presence';

export function presenceMeans(frameworks: readonly Framework[]): string {
  const rows = frameworks.map(({ name, about }) => {
    const { by, lacking } = presenceOf(about);
    return [`\`${name}\``, by ?? `none. ${lacking}`];
  });
  return markdownTable(['framework', 'presence'], rows);
}

const FIGURES: readonly { heading: string; of(cell: CellSummary): number | null }[] = [
  { heading: 'client CPU %', of: ({ userCpuPercent }) => userCpuPercent },
  { heading: 'server CPU %', of: ({ serverCpuPercent }) => serverCpuPercent },
  { heading: 'sent KiB/s', of: ({ userNetworkKiBps }) => userNetworkKiBps.sent },
  { heading: 'received KiB/s', of: ({ userNetworkKiBps }) => userNetworkKiBps.received },
  { heading: 'local p50 ms', of: ({ localLatencyMs }) => localLatencyMs.p50 },
  { heading: 'end to end p50 ms', of: ({ endToEndLatencyMs }) => endToEndLatencyMs.p50 },
  { heading: 'end to end p95 ms', of: ({ endToEndLatencyMs }) => endToEndLatencyMs.p95 },
];

/** Each cell that was measured without and with, one figure to a column: `12.0 → 20.5`. */
export function presenceCosts(run: MeasuredRun): string {
  const { cells } = run.summary;
  const rows = cells.flatMap((without) => {
    const { framework, users } = without;
    const mode = modeWithPresence({ mode: without.mode, presence: true });
    const beside = cells.find((cell) => cell.framework === framework && cell.mode === mode && cell.users === users);
    if (beside === undefined) return [];
    return [[`\`${framework}\``, `${users}`, ...FIGURES.map(({ of }) => `${text(of(without))} → ${text(of(beside))}`)]];
  });
  const headings = ['framework', 'users', ...FIGURES.map(({ heading }) => heading)];
  const caption = `\`${PRESENCE}.yaml\` on ${conditionsOf(run)}. In each column: without presence → with it. Of a user, but for the server's CPU.`;
  return [wrap(caption), markdownTable(headings, rows)].join('\n\n');
}

function text(value: number | null): string {
  return value === null ? '–' : value.toFixed(value >= 100 ? 0 : 1);
}
