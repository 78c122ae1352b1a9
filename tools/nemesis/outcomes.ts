/** Outcomes of faults: kept, so that the nemesis can go on later, and as a table. */

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { quantile } from '../../analysis/statistics/quantile.ts';
import { renderMarkdown, renderText } from '../../analysis/tables/render.ts';
import { left, right } from '../../analysis/tables/table.ts';
import { byName } from '../../results/formats/digest.ts';
import { writeJson } from '../../results/formats/write-file.ts';

/** One fault. */
const struckSchema = z.object({
  fault: z.string(),
  phase: z.string(),
  /** The trial's verdict with its reason's code, or how the command ended. */
  became: z.string(),
  /** From the fault to that, ms. */
  tookMs: z.number(),
});
export type Struck = z.infer<typeof struckSchema>;

/** One run and the faults in it. */
const roundSchema = z.object({
  seed: z.int(),
  subject: z.string(),
  struck: z.array(struckSchema),
  /** Faults that were drawn, but that this machine cannot do; each with the reason. */
  notOffered: z.array(z.string()).default([]),
  /** Expectations that do not hold. */
  violations: z.array(z.string()),
});
export type RoundOutcome = z.infer<typeof roundSchema>;

/** @returns none if there is no such file */
export async function readRounds(path: string): Promise<RoundOutcome[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  return z.array(roundSchema).parse(JSON.parse(text));
}

export function writeRounds(path: string, rounds: readonly RoundOutcome[]): Promise<void> {
  return writeJson(path, rounds);
}

/** Phases in which a run does alike; others are called as they are. */
const STAGES: Readonly<Record<string, string>> = {
  start: 'before the first trial',
  serve: 'before typing',
  admit: 'before typing',
  ready: 'before typing',
  idle: 'before typing',
  'warm-up': 'typing',
  measure: 'typing',
  profile: 'typing',
  settle: 'after typing',
  collect: 'after typing',
  done: 'judging',
  trial: 'a trial of documents',
};
const STAGE_ORDER = [...new Set(Object.values(STAGES))];

const COLUMNS = [
  ...[left('fault'), left('when'), right('times'), left('what happened')],
  ...[right('to the end, s'), right('at most')],
];

/** For a terminal. */
export function formatOutcomes(rounds: readonly RoundOutcome[]): string {
  return `${renderText({ columns: COLUMNS, rows: rowsOf(rounds) })}\n\n${summaryOf(rounds)}`;
}

/** For a document. */
export function outcomesAsMarkdown(rounds: readonly RoundOutcome[]): string {
  return `${summaryOf(rounds)}\n\n${renderMarkdown({ columns: COLUMNS, rows: rowsOf(rounds) })}\n`;
}

/** A row per fault and stage; the end is that of the trial that was struck, or the command's. */
function rowsOf(rounds: readonly RoundOutcome[]): string[][] {
  const struck = rounds.flatMap((round) => round.struck);
  const stageOf = ({ phase }: Struck) => STAGES[phase] ?? phase;
  const byFault = Map.groupBy(struck, ({ fault }) => fault);
  return [...byFault].toSorted(byName).flatMap(([fault, all]) =>
    [...Map.groupBy(all, stageOf)]
      .toSorted(([a], [b]) => STAGE_ORDER.indexOf(a) - STAGE_ORDER.indexOf(b))
      .map(([stage, group]) => {
        const tookS = group.map(({ tookMs }) => tookMs / 1000).sort((a, b) => a - b);
        const { length } = group;
        return [fault, stage, `${length}`, endsOf(group), quantile(tookS, 0.5).toFixed(1), tookS.at(-1)!.toFixed(1)];
      }),
  );
}

/** The most frequent first. */
function endsOf(group: readonly Struck[]): string {
  const counts = [...Map.groupBy(group, ({ became }) => became)].map(([became, { length }]) => ({ became, length }));
  return counts
    .toSorted((a, b) => b.length - a.length)
    .map(({ became, length }) => (length === 1 ? became : `${became} ×${length}`))
    .join(', ');
}

function summaryOf(rounds: readonly RoundOutcome[]): string {
  const faults = rounds.reduce((sum, { struck }) => sum + struck.length, 0);
  const broken = rounds.filter(({ violations }) => violations.length > 0).map(({ seed }) => seed);
  const seeds = broken.length === 0 ? 'all that must hold held' : `broken: seeds ${broken.join(', ')}`;
  const notOffered = [...new Set(rounds.flatMap((round) => round.notOffered))].sort();
  const left = notOffered.length === 0 ? '' : ` Not offered on this machine: ${notOffered.join('; ')}.`;
  return `${faults} faults in ${rounds.length} runs; ${seeds}.${left}`;
}
