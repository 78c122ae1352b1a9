/**
 * Whether probes among a played crowd see what they would see among live users: the same users, keys and seed, all live and
 * then with probes, in interleaved pairs, judged by two one-sided tests.
 */
import { areEquivalent } from '../../analysis/statistics/equivalence.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../text-table.ts';
import { type BenchCell, figure, runCell } from './run-cell.ts';

/** What a machine of two cores carries live. */
const CELLS = [
  { mode: 'optquill', users: 8, probes: 2 },
  { mode: 'noquill', users: 16, probes: 4 },
] as const;

interface Compared {
  name: string;
  live: (cell: CellSummary) => number | null;
  /** Among probes and a crowd; as `live` unless given. */
  crowd?: (cell: CellSummary) => number | null;
  /** The ratio lies within 1 ÷ (1 + it) and 1 + it. */
  bound: number;
}

const endToEnd = (cell: CellSummary) => cell.endToEndLatencyMs.p50;
const COMPARED: readonly Compared[] = [
  { name: 'server, KiB/s received', live: (cell) => cell.serverNetworkKiBps.received, bound: 0.02 },
  { name: 'server, KiB/s sent', live: (cell) => cell.serverNetworkKiBps.sent, bound: 0.02 },
  { name: 'server CPU', live: (cell) => cell.serverCpuPercent, bound: 0.05 },
  { name: 'end to end, among probes', live: endToEnd, crowd: (cell) => cell.endToEndAmongProbesMs.p50, bound: 0.1 },
  { name: 'end to end, from the crowd', live: endToEnd, crowd: (cell) => cell.endToEndFromCrowdMs.p50, bound: 0.1 },
  { name: 'local latency', live: (cell) => cell.localLatencyMs.p50, bound: 0.1 },
  { name: 'saved state', live: (cell) => cell.savedStateKiB, bound: 0.05 },
  { name: 'sigils broken', live: (cell) => cell.sigilsBrokenPercent, bound: 0.05 },
];

/** @returns a table: each figure live and with a crowd, their ratio with its interval, and whether it is within its bound */
export async function benchCrowd(options: {
  modes: readonly string[];
  pairs: number;
  warmUp: string;
  measure: string;
}): Promise<string> {
  const { modes, pairs, ...durations } = options;
  const rows: string[][] = [];
  for (const { mode, users, probes } of CELLS.filter((cell) => modes.includes(cell.mode))) {
    const measured: { live: CellSummary; crowd: CellSummary }[] = [];
    for (let pair = 1; pair <= pairs; pair++) {
      const run = async (variant: string, given: Partial<BenchCell>) => {
        const cell = { framework: 'yjs', mode, users, ...durations, seed: pair, ...given };
        const { cell: summary } = await runCell({ ...cell, variant: `${variant}-${pair}` });
        for (const reason of summary.reasons) console.error(`${mode}, ${variant}, pair ${pair}: ${reason}`);
        return summary;
      };
      const runLive = () => run('live', {});
      const runCrowd = () => run('crowd', { probes });
      // By turns the first: a machine that warms up favours nobody.
      const [first, second] = pair % 2 === 1 ? [runLive, runCrowd] : [runCrowd, runLive];
      const [a, b] = [await first(), await second()];
      measured.push(pair % 2 === 1 ? { live: a, crowd: b } : { live: b, crowd: a });
    }
    for (const compared of COMPARED)
      rows.push([mode, `${users} / ${probes} + ${users - probes}`, ...rowOf(compared, measured)]);
  }
  const headings = [
    'mode',
    'users',
    'figure',
    'pairs',
    'live',
    'crowd',
    'ratio',
    '90 % interval',
    'bound',
    'equivalent',
  ];
  return alignTable([headings, ...rows]);
}

function rowOf(
  { name, live, crowd = live, bound }: Compared,
  measured: readonly { live: CellSummary; crowd: CellSummary }[],
): string[] {
  const pairs = measured
    .filter((pair) => pair.live.verdict === 'valid' && pair.crowd.verdict === 'valid')
    .map((pair): [number, number] => [live(pair.live) ?? Number.NaN, crowd(pair.crowd) ?? Number.NaN]);
  const mean = (index: 0 | 1) =>
    pairs.length === 0 ? null : pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length;
  const found = areEquivalent(pairs, bound);
  return [
    name,
    String(pairs.length),
    figure(mean(0), 2),
    figure(mean(1), 2),
    figure(found?.ratio ?? null, 3),
    found === null ? '–' : `${found.low.toFixed(3)} to ${found.high.toFixed(3)}`,
    `± ${100 * bound} %`,
    found === null ? 'unknown' : found.isWithin ? 'yes' : 'not shown',
  ];
}
