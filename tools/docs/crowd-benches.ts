/** Kept rounds of the bench of crowds: a table for each way to measure, and the marks of figures beside a played crowd. */

import { readCell } from '../../analysis/cell/cell-json.ts';
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { BUSY_MARK, NOTHING } from '../../analysis/figures/figure-text.ts';
import { describeSpeed, nameOfMachine } from '../../analysis/figures/machine-speed.ts';
import { isOfPlayedCrowd, type TypingCell } from '../../analysis/scenarios/cell.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import {
  BENCH_FIGURES,
  type ComparedFigure,
  compareRounds,
  type KeptRounds,
  readKeptRounds,
  shownToBeEqual,
} from '../bench/crowd-rounds.ts';
import type { Shown } from '../bench/rounds.ts';
import { daysOf, wrap } from './wording.ts';

const HEADINGS = [
  ...['framework', 'rhythm', 'sender batching', 'valid rounds'],
  ...BENCH_FIGURES.map(({ name, bound }) => `${name}, ± ${100 * bound} %`),
];

/** @param root of the project */
export async function crowdBenchesMarkdown(root?: string): Promise<string> {
  const groups = Map.groupBy(await readKeptRounds(root), conditionsOf);
  return [...groups]
    .flatMap(([conditions, kept]) => {
      const days = daysOf(kept.map(({ startedAt }) => startedAt));
      const caption = wrap(`Measured with ${conditions}, ${speedOf(kept)}; ${days}:`);
      return [caption, markdownTable(HEADINGS, kept.map(rowOf))];
    })
    .join('\n\n');
}

/** The words that rows of a table share. */
function conditionsOf({ users, probes, mode, warmUp, measure, environment }: KeptRounds): string {
  return `${users} users in ${mode}, ${probes} of them probes, beside others live in Node; ${warmUp} of warm-up and ${measure} measured; ${nameOfMachine(environment)}`;
}

function speedOf(kept: readonly KeptRounds[]): string {
  const cells = kept.flatMap(({ rounds }) => rounds.flatMap((round) => Object.values(round)));
  return describeSpeed(cells.map((cell) => readCell(cell, 'typing')));
}

function rowOf({ framework, batched, rhythm, rounds }: KeptRounds): string[] {
  const compared = compareRounds(rounds);
  const valid = `${compared[0]!.pairs} of ${rounds.length}`;
  return [`\`${framework}\``, rhythm, batched ? 'yes' : 'no', valid, ...compared.map(ratioOf)];
}

const MARKS: Readonly<Record<Shown, string>> = { equal: ' ✓', 'not equal': ' ≠', 'not known': '' };

function ratioOf({ found, shown }: ComparedFigure): string {
  if (found === null) return NOTHING;
  const { ratio, low, high } = found;
  return `${ratio.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})${MARKS[shown]}`;
}

/** Stands behind a figure beside a played crowd that was not shown to equal the one beside live users. */
const CROWD_MARK = '°';
/** Of the trial, whoever its users are. */
const OF_ANY_CROWD = ['machineCpuPercent', 'documentCharacters'];

/** The mark of a cell's figure: empty if it needs none, null if the figure was shown to differ, and is not printed. */
export type MarkOf = (cell: Pick<TypingCell, 'parameters' | 'figures'>, figure: string) => string | null;

/** Marks by the kept rounds. */
export async function crowdMarks(root?: string): Promise<MarkOf> {
  const shown = await shownToBeEqual(root);
  return (cell, figure) => {
    if (!isOfPlayedCrowd(cell) || OF_ANY_CROWD.includes(figure)) return '';
    const word = shown(cell.parameters.framework, figure);
    return word === 'not equal' ? null : word === 'equal' ? '' : CROWD_MARK;
  };
}

/** The marks that a table has; empty if there are none. */
export function explainMarks(table: string): string {
  const meanings = {
    [BUSY_MARK]: `the machine was over ${BUSY_MACHINE_PERCENT} % busy, so the latency is partly its own.`,
    [CROWD_MARK]: 'beside a played crowd, and not shown to equal what live users give.',
  };
  const used = Object.entries(meanings).filter(([mark]) => new RegExp(`\\d\\)?!?${mark}`).test(table));
  return used.map(([mark, meaning]) => wrap(`${mark}: ${meaning}`)).join('\n\n');
}
