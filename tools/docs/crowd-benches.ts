/** Kept rounds of the bench of crowds: a table for each way to measure, and in it two rows for each framework. */
import { countOf, NOTHING } from '../../analysis/figures/figure-text.ts';
import { describeSpeed } from '../../analysis/figures/machine-speed.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import {
  ARMS,
  BENCH_FIGURES,
  type ComparedFigure,
  compareRounds,
  type KeptRounds,
  readKeptRounds,
} from '../bench/crowd-rounds.ts';
import { dateOf, wrap } from './kept-tables.ts';

const HEADINGS = [
  ...['framework', 'sender batching', 'crowd', 'valid rounds'],
  ...BENCH_FIGURES.map(({ name, bound }) => `${name}, ± ${100 * bound} %`),
];

/** @param root of the project */
export async function crowdBenchesMarkdown(root?: string): Promise<string> {
  const groups = Map.groupBy(await readKeptRounds(root), conditionsOf);
  return [...groups]
    .flatMap(([conditions, kept]) => [
      wrap(`Measured with ${conditions}, ${speedOf(kept)}; ${daysOf(kept)}:`),
      markdownTable(HEADINGS, kept.flatMap(rowsOf)),
    ])
    .join('\n\n');
}

/** The words that rows of a table share. */
function conditionsOf({ users, probes, mode, warmUp, measure, environment }: KeptRounds): string {
  const { cores, cpu } = environment;
  return `${users} users in ${mode}, ${probes} of them probes; ${warmUp} of warm-up and ${measure} measured; ${countOf(cores, 'core')} of ${cpu}`;
}

function speedOf(kept: readonly KeptRounds[]): string {
  return describeSpeed(kept.flatMap(({ rounds }) => rounds.flatMap((round) => Object.values(round))));
}

function daysOf(kept: readonly KeptRounds[]): string {
  return [...new Set(kept.map(({ startedAt }) => dateOf(startedAt)))].join(', ');
}

function rowsOf({ framework, batched, rounds }: KeptRounds): string[][] {
  return ARMS.slice(1).map((arm) => {
    const compared = compareRounds(rounds, arm);
    const valid = `${compared[0]!.pairs} of ${rounds.length}`;
    return [
      `\`${framework}\``,
      batched ? 'yes' : 'no',
      arm === 'crowd' ? 'prompt' : 'slow',
      valid,
      ...compared.map(ratioOf),
    ];
  });
}

function ratioOf({ found }: ComparedFigure): string {
  if (found === null) return NOTHING;
  const { ratio, low, high, isWithin } = found;
  return `${ratio.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})${isWithin ? ' ✓' : ''}`;
}
