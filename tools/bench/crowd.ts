/**
 * Equivalence of probes among a played crowd and among live users. The same users, keys and seed run all live, with probes,
 * and with probes among a crowd that reads slowly; interleaved, and judged by two one-sided tests. The last of them shows
 * if a crowd's prompter reading matters.
 */
import { areEquivalent } from '../../analysis/statistics/welch.ts';
import { openRunnerHere } from '../../harness/fleets/runner-here.ts';
import type { Job, Launched } from '../../infra/fleet.ts';
import { LocalFleet } from '../../infra/local/local-fleet.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { type BenchCell, figure, runCell } from './run-cell.ts';

/** Cells that a machine of two cores carries live. */
const CELLS = [
  { mode: 'optquill', users: 8, probes: 2 },
  { mode: 'noquill', users: 16, probes: 4 },
] as const;

/** Like a page that is busy for this long at a time. */
const SLOW_READ_PERIOD_MS = 5000;

const ARMS = ['live', 'crowd', 'slow crowd'] as const;
type Arm = (typeof ARMS)[number];
/** The same round's, one of each arm. */
type Round = Record<Arm, CellSummary>;

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
    const given: Record<Arm, Partial<BenchCell>> = {
      live: {},
      crowd: { probes },
      'slow crowd': { probes, open: (run) => openRunnerHere(run, async () => new SlowReaders(PROJECT_ROOT)) },
    };
    const rounds: Round[] = [];
    for (let seed = 1; seed <= pairs; seed++) {
      // By turns the first: a machine that warms up favours nobody.
      const order = [...ARMS.slice(seed % ARMS.length), ...ARMS.slice(0, seed % ARMS.length)];
      const measured: [Arm, CellSummary][] = [];
      for (const arm of order) {
        const variant = `${arm.replace(' ', '-')}-${seed}`;
        const cell = { framework: 'yjs', mode, users, ...durations, seed, variant, ...given[arm] };
        const { cell: summary } = await runCell(cell);
        for (const reason of summary.reasons) console.error(`${mode}, ${arm}, ${seed}: ${reason}`);
        measured.push([arm, summary]);
      }
      rounds.push(Object.fromEntries(measured) as Round);
    }
    const who = `${users} / ${probes} + ${users - probes}`;
    for (const arm of ARMS.slice(1))
      for (const compared of COMPARED) rows.push([mode, who, arm, ...rowOf(compared, arm, rounds)]);
  }
  const headings = [
    'mode',
    'users',
    'against live',
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

class SlowReaders extends LocalFleet {
  override launch(job: Job): Promise<Launched> {
    if (job.name !== 'crowd') return super.launch(job);
    return super.launch({ ...job, arguments: [...job.arguments, '--read-period-ms', String(SLOW_READ_PERIOD_MS)] });
  }
}

function rowOf({ name, live, crowd = live, bound }: Compared, arm: Arm, rounds: readonly Round[]): string[] {
  const pairs = rounds
    .filter((round) => round.live.verdict === 'valid' && round[arm].verdict === 'valid')
    .map((round): [number, number] => [live(round.live) ?? Number.NaN, crowd(round[arm]) ?? Number.NaN]);
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
