/** From the trials of a run, judged by today's checks, to the part of a cell that depends on no criterion. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyPlannedTrial } from '../../results/formats/run-directory.ts';
import type { Message, Verdict } from '../../results/formats/verdict.ts';
import { readVerdict } from '../../results/run-folder/run-files.ts';
import type { Figures, MeasuredFigure, Source } from '../figures/figure.ts';
import { warnOfSpeeds } from '../figures/machine-speed.ts';
import { FigurePool, type Measured } from '../figures/pooling.ts';
import { seriesFigures } from '../figures/server-series.ts';
import { type Cell, type TrialJudgement, type TrialMessage, UNKNOWN_VERSION } from '../scenarios/cell.ts';
import { interval95 } from '../statistics/interval.ts';
import { onlyKnown } from '../statistics/quantile.ts';
import { readTrial } from '../trial/analyse-trial.ts';
import type { TrialFigures } from '../trial/trial-figures.ts';
import { NOTES_OF_CORES } from '../verdict/checks.ts';
import { unreadable } from '../verdict/judge.ts';
import { aboutCell, mergeTrials, messagesOf, reasonsFirst, SPEEDS_DIFFER } from './messages.ts';

export type CollectedFigure = Pick<MeasuredFigure, 'name' | 'source' | 'scale' | 'isSeldom'>;

/** The trials of one cell that have run: as planned, and as judged. */
export interface JudgedCell {
  name: string;
  planned: [AnyPlannedTrial, ...AnyPlannedTrial[]];
  judged: JudgedTrial[];
}

/** Judges the trials of a plan that have run, cell by cell, in the order of the plan. */
export async function* judgeCells(
  runDirectory: string,
  plan: readonly AnyPlannedTrial[],
  { keeps }: { keeps: boolean },
): AsyncGenerator<JudgedCell> {
  const ran = plan.filter(({ directory }) => existsSync(join(runDirectory, directory)));
  for (const [name, planned] of Map.groupBy(ran, ({ cell }) => cell)) {
    // One after the other: a large trial that must be analysed takes hundreds of MiB while it is read.
    const judged = await Array.fromAsync(planned, (trial) =>
      judgeTrial(trial, join(runDirectory, trial.directory), { keeps }),
    );
    yield { name, planned: planned as JudgedCell['planned'], judged };
  }
}

/** The part of a cell that no scenario makes itself. */
export type Collected = Pick<
  Cell,
  'version' | 'trials' | 'validTrials' | 'failedTrials' | 'verdict' | 'messages' | 'figures' | 'ci95'
>;

/** How a cell's figures are collected. */
export interface CollectTerms {
  figures: readonly CollectedFigure[];
  /** Those that have an interval. */
  withIntervals: readonly CollectedFigure[];
  round(value: number): number;
  /** True: messages name their trials. */
  namesTrials: boolean;
}

/** @param trials at least one */
export function collectCell(trials: readonly JudgedTrial[], terms: CollectTerms): Collected {
  const { figures, withIntervals, round, namesTrials } = terms;
  const valid = onlyKnown(trials.map((trial) => trial.figures));
  const messages = mergeTrials(trials).map((message) => (namesTrials ? message : { ...message, trials: [] }));
  const pooled = poolFigures(valid, [...figures, ...seriesFigures(valid)], round);
  const told = withIntervals.filter(({ name, isSeldom }) => isSeldom !== true || name in pooled);
  const intervals = told.map((figure) => {
    const interval = intervalOver(valid, figure);
    return [figure.name, interval && { low: round(interval.low), high: round(interval.high) }] as const;
  });
  return {
    version: versionOf(trials),
    trials: trials.length,
    validTrials: valid.length,
    failedTrials: trials.filter(({ verdict }) => verdict === 'failed').length,
    verdict: verdictOf(trials),
    messages: reasonsFirst(messages),
    figures: pooled,
    ci95: Object.fromEntries(intervals),
  };
}

/** Figures pooled over what was measured, by their names; of one trial, its own. Those that few runs have are absent, not null. */
export function poolFigures(
  measured: readonly Measured[],
  figures: readonly CollectedFigure[],
  round: (value: number) => number,
): Figures {
  const pool = new FigurePool(measured);
  return Object.fromEntries(
    figures.flatMap(({ name, source, isSeldom }): [string, number | null][] => {
      const value = pool.figure(source);
      if (value === null) return isSeldom === true ? [] : [[name, null]];
      return [[name, round(value)]];
    }),
  );
}

/** Sums and extremes of the trials' own figures are no centre of those, and an interval is for a centre. */
const WITHOUT_CENTRE: readonly Source['pooled'][] = ['count', 'sum', 'least', 'greatest'];

/** The interval over the trials' own figures, of any figure with a centre; a trial that lacks the figure adds nothing. */
export function intervalOver(
  trials: readonly Measured[],
  { source, scale }: Pick<CollectedFigure, 'source' | 'scale'>,
) {
  if (WITHOUT_CENTRE.includes(source.pooled)) return null;
  return interval95(onlyKnown(trials.map((trial) => new FigurePool([trial]).figure(source))), scale);
}

function verdictOf(trials: readonly TrialJudgement[]): Cell['verdict'] {
  const valid = trials.filter(({ verdict }) => verdict === 'valid').length;
  if (valid === trials.length) return 'valid';
  if (valid > 0) return 'partly valid';
  const all = (kind: Verdict['verdict']) => trials.every(({ verdict }) => verdict === kind);
  return all('failed') ? 'failed' : all('unknown') ? 'unknown' : 'invalid';
}

function versionOf(trials: readonly TrialJudgement[]): string {
  const versions = new Set(onlyKnown(trials.map(({ version }) => version)));
  return versions.size > 0 ? [...versions].sort().join(', ') : UNKNOWN_VERSION;
}

/** Warns if the machine's speed differed between a cell's trials. */
export function warnOfTrialSpeeds(valid: readonly Measured[]): Message[] {
  const warnings = warnOfSpeeds([{ name: 'trials', cells: valid.map(({ columns }) => ({ figures: columns })) }]);
  return warnings.map((warning) => aboutCell(SPEEDS_DIFFER, 'care', warning));
}

/** A trial that has run. Only a valid one has figures. */
export interface JudgedTrial extends TrialJudgement {
  figures: TrialFigures | null;
}

/**
 * Judges a trial that a run has ended; `unknown` if the run gave no verdict, or the records cannot be read.
 *
 * @param options.keeps true: a `figures.json` that is missing or out of date is written
 */
export async function judgeTrial(
  { trial }: Pick<AnyPlannedTrial, 'trial'>,
  trialDirectory: string,
  { keeps = false }: { keeps?: boolean } = {},
): Promise<JudgedTrial> {
  const recorded = await readVerdict(trialDirectory);
  const today = await readTrial(trialDirectory, { keeps });
  const verdict = typeof recorded === 'string' ? unreadable(recorded, trialDirectory) : today.verdict;
  const changed = typeof recorded === 'string' ? [] : tellChange(recorded, today.verdict);
  return {
    trial,
    verdict: verdict.verdict,
    messages: [...messagesOf(verdict), ...changed],
    converged: verdict.converged,
    version: today.version,
    figures: verdict.verdict === 'valid' ? today.measured : null,
    isShortOfCores: verdict.notes.some(({ code }) => NOTES_OF_CORES.some((short) => short === code)),
  };
}

/** Today's verdict may be another than the run's: from what to what, and why. */
function tellChange(earlier: Verdict, today: Verdict): TrialMessage[] {
  if (earlier.verdict === today.verdict) return [];
  const saying = ({ reasons }: Verdict) => reasons.map(({ message }) => message).join('; ');
  const why = today.verdict === 'valid' ? `no check of today finds this: ${saying(earlier)}` : saying(today);
  const text = `the verdict: changed from ${earlier.verdict} to ${today.verdict} when it was judged again: ${why}`;
  return [{ code: 'verdict-changed', rank: 'record', text }];
}
