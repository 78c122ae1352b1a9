/**
 * Equivalence of probes among a played crowd and among the same users live in Node. The same keys and seed run with both, by
 * turns, and are judged by two one-sided tests.
 */
import { crowdOf } from '../../editors/base/framework.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { openRunnerHere } from '../../harness/fleets/runner-here.ts';
import { describeMachine } from '../../harness/machine/environment.ts';
import { localFleet } from '../../infra/local/local-fleet.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { alignTable } from '../../results/text-table.ts';
import { ARMS, type ComparedFigure, compareRounds, keepRounds, type Round } from './crowd-rounds.ts';
import { measureRounds } from './rounds.ts';
import { type BenchCell, runCell } from './run-cell.ts';

const PROBES = 2;

/** How one cell is measured; `batched`: senders gather edits, as users of large trials do. */
interface CrowdCell extends Pick<BenchCell, 'mode' | 'users' | 'warmUp' | 'measure'> {
  rhythm: string;
  batched: boolean;
}

export interface CrowdBench extends Omit<CrowdCell, 'rhythm'> {
  /** By name; `recorded`: all that have recorded crowds. */
  frameworks: readonly string[];
  rhythms: readonly string[];
  pairs: number;
  /** Keep the summaries of all trials in `results/measured/`. */
  keep: boolean;
}

const HEADINGS = [
  ...['framework', 'mode', 'users', 'rhythm', 'sender batching'],
  ...['figure', 'pairs', 'live', 'played', 'ratio', '90 % interval', 'bound', 'shown'],
];

/** @returns a table: each figure live and with a crowd, their ratio with its interval, and what is shown of them */
export async function benchCrowd({ frameworks, rhythms, pairs, keep, ...how }: CrowdBench): Promise<string> {
  const rows = [HEADINGS];
  for (const framework of await recordedAmong(frameworks)) {
    for (const rhythm of rhythms) {
      const cell = { ...how, rhythm };
      const startedAt = new Date().toISOString();
      const rounds = await roundsOf(framework, cell, pairs);
      const environment = await describeMachine();
      if (keep) await keepRounds({ startedAt, environment, framework, ...cell, probes: PROBES, rounds });
      const { mode, users, batched } = cell;
      const who = [framework, mode, `${PROBES} + ${users - PROBES}`, rhythm, batched ? 'yes' : 'no'];
      for (const compared of compareRounds(rounds)) rows.push([...who, ...rowOf(compared)]);
    }
  }
  return alignTable(rows);
}

/** @throws Error if one of them has no recorded crowd */
async function recordedAmong(names: readonly string[]): Promise<string[]> {
  const recorded = (await discoverFrameworks()).filter(({ about }) => crowdOf(about)?.kind === 'recorded');
  const all = recorded.map(({ name }) => name);
  const wanted = names.includes('recorded') ? all : names;
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length === 0) return [...wanted];
  throw new Error(`${unknown.join(', ')} has no recorded crowd; these have: ${all.join(', ')}`);
}

/** @param count how many */
function roundsOf(framework: string, cell: CrowdCell, count: number): Promise<Round[]> {
  const { batched, rhythm, ...how } = cell;
  const batching = { sendFromUsers: batched ? 'always' : 'never' };
  return measureRounds(ARMS, { count, label: `${framework}, ${rhythm}` }, async (arm, seed) => {
    const { cell: summary } = await runCell({
      ...{ framework, ...how, more: { seed, probes: PROBES, typing: { rhythm }, batching } },
      variant: [rhythm, ...(batched ? ['batched'] : []), arm.replace(' ', '-'), seed].join('-'),
      open: (run) => openRunnerHere(run, async () => localFleet(PROJECT_ROOT), { isCrowdLive: arm !== 'crowd' }),
    });
    return summary;
  });
}

function rowOf({ name, bound, pairs, means, found, shown }: ComparedFigure): string[] {
  const interval = found === null ? '–' : `${found.low.toFixed(3)} to ${found.high.toFixed(3)}`;
  const [live, played, ratio] = [...means, found?.ratio].map((value) => value?.toFixed(3) ?? '–');
  return [name, String(pairs), live!, played!, ratio!, interval, `± ${100 * bound} %`, shown];
}
