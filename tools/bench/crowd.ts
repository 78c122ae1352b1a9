/**
 * Equivalence of probes among a played crowd and among live users. The same users, keys and seed run all live, with probes,
 * and with probes among a crowd that reads slowly; interleaved, and judged by two one-sided tests. The last of them shows
 * if a crowd's prompter reading matters.
 */
import { crowdOf } from '../../editors/base/framework.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { openRunnerHere } from '../../harness/fleets/runner-here.ts';
import { describeMachine } from '../../harness/machine/environment.ts';
import type { Job, Launched } from '../../infra/fleet.ts';
import { LocalFleet } from '../../infra/local/local-fleet.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { ARMS, type Arm, type ComparedFigure, compareRounds, keepRounds, type Round } from './crowd-rounds.ts';
import { type BenchCell, figure, runCell } from './run-cell.ts';

/** Cells that a machine of two cores carries live; `batched`: senders gather edits, as users of large trials do. */
const CELLS = [
  { mode: 'optquill', users: 8, probes: 2, batched: false },
  { mode: 'optquill', users: 8, probes: 2, batched: true },
  { mode: 'noquill', users: 16, probes: 4, batched: false },
] as const;

/** Like a page that is busy for this long at a time. */
const SLOW_READ_PERIOD_MS = 5000;

export interface CrowdBench {
  modes: readonly string[];
  /** By name; `recorded`: all that have recorded crowds. */
  frameworks: readonly string[];
  pairs: number;
  warmUp: string;
  measure: string;
  /** Only cells whose senders gather edits. */
  onlyBatched: boolean;
  /** Keep the summaries of all trials in `results/measured/`. */
  keep: boolean;
}

/** @returns a table: each figure live and with a crowd, their ratio with its interval, and whether it is within its bound */
export async function benchCrowd({ frameworks, keep, onlyBatched, ...options }: CrowdBench): Promise<string> {
  const { modes, warmUp, measure } = options;
  const cells = CELLS.filter(({ mode, batched }) => modes.includes(mode) && (batched || !onlyBatched));
  const rows: string[][] = [];
  for (const framework of await recordedAmong(frameworks)) {
    for (const cell of cells) {
      const { mode, users, probes, batched } = cell;
      const startedAt = new Date().toISOString();
      const rounds = await measureRounds(framework, cell, options);
      if (keep) {
        const environment = await describeMachine();
        await keepRounds({ startedAt, environment, framework, ...cell, warmUp, measure, rounds });
      }
      const who = [framework, mode, `${users} / ${probes} + ${users - probes}`, batched ? 'yes' : 'no'];
      for (const arm of ARMS.slice(1))
        for (const compared of compareRounds(rounds, arm)) rows.push([...who, arm, ...rowOf(compared)]);
    }
  }
  return alignTable([HEADINGS, ...rows]);
}

const HEADINGS = [
  ...['framework', 'mode', 'users', 'sender batching', 'against live', 'figure', 'pairs', 'live', 'crowd', 'ratio'],
  ...['90 % interval', 'bound', 'equivalent'],
];

/** @throws Error if one of them has no recorded crowd */
async function recordedAmong(names: readonly string[]): Promise<string[]> {
  const recorded = (await discoverFrameworks()).filter(({ about }) => crowdOf(about)?.kind === 'recorded');
  const all = recorded.map(({ name }) => name);
  const wanted = names.includes('recorded') ? all : names;
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length === 0) return [...wanted];
  throw new Error(`${unknown.join(', ')} has no recorded crowd; these have: ${all.join(', ')}`);
}

async function measureRounds(
  framework: string,
  { mode, users, probes, batched }: (typeof CELLS)[number],
  { pairs, warmUp, measure }: Pick<CrowdBench, 'pairs' | 'warmUp' | 'measure'>,
): Promise<Round[]> {
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
      const variant = [...(batched ? ['batched'] : []), arm.replace(' ', '-'), seed].join('-');
      const batching = { sendFromUsers: batched ? 'always' : 'never' };
      const cell = { framework, mode, users, warmUp, measure, seed, variant, batching, ...given[arm] };
      const { cell: summary } = await runCell(cell);
      for (const reason of summary.reasons) console.error(`${framework}, ${mode}, ${arm}, ${seed}: ${reason}`);
      measured.push([arm, summary]);
    }
    rounds.push(Object.fromEntries(measured) as Round);
  }
  return rounds;
}

class SlowReaders extends LocalFleet {
  override launch(job: Job): Promise<Launched> {
    if (job.name !== 'crowd') return super.launch(job);
    return super.launch({ ...job, arguments: [...job.arguments, '--read-period-ms', String(SLOW_READ_PERIOD_MS)] });
  }
}

function rowOf({ name, bound, pairs, live, crowd, found }: ComparedFigure): string[] {
  return [
    name,
    String(pairs),
    figure(live, 2),
    figure(crowd, 2),
    figure(found?.ratio ?? null, 3),
    found === null ? '–' : `${found.low.toFixed(3)} to ${found.high.toFixed(3)}`,
    `± ${100 * bound} %`,
    found === null ? 'unknown' : found.isWithin ? 'yes' : 'not shown',
  ];
}
