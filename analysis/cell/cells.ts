/** From trials to a cell: raw samples of the valid trials are pooled, then summarised; trials give the intervals. */
import type { CellSummary } from '../../results/formats/summary.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { HEADLINE_FIGURES, mapHeadlineFigures, SUMMARY_FIGURES } from '../figures/catalogue.ts';
import {
  type Figure,
  type FigureName,
  type HeadlineFigureName,
  nestFigures,
  type SummaryFigureName,
} from '../figures/figure.ts';
import { FigurePool } from '../figures/pooling.ts';
import { describeFaults } from '../resilience/fault-text.ts';
import { poolFaults } from '../resilience/pool-faults.ts';
import { type Interval, interval95 } from '../statistics/interval.ts';
import { onlyKnown, roundFigure } from '../statistics/known-figures.ts';
import type { TrialFigures } from '../trial/trial-figures.ts';
import type { TrialJudgement } from './analysed-cell.ts';
import {
  judgeFunctionality,
  judgeSmoothness,
  MISSED,
  NOT_SMOOTH,
  SMOOTH_UNKNOWN,
  UNKNOWN,
} from './fully-functional.ts';
import { SCALING_FIGURES } from './scaling.ts';

/** What of a summary the catalogue gives. */
type SummaryFigures = Pick<
  CellSummary,
  SummaryFigureName extends infer Name ? (Name extends `${infer Outer}.${string}` ? Outer : Name) : never
>;

/** What is shared by a cell's trials. */
interface CellIdentity {
  framework: string;
  tier: CellSummary['tier'];
  mode: string;
  users: number;
}

/** A trial that has run. Only a valid one has figures. */
export interface JudgedTrial extends TrialJudgement {
  figures: TrialFigures | null;
}

/** Summarises the trials that have run of one cell; at least one. */
export function summarizeCell(identity: CellIdentity, trials: readonly JudgedTrial[]): CellSummary {
  const valid = onlyKnown(trials.map(({ figures }) => figures));
  const pool = new FigurePool(valid);
  const figures = figuresOf(pool);
  const ownFigures = valid.map(headlineFiguresOf);
  const failedTrials = trials.filter(({ verdict }) => verdict === 'failed').length;
  const faults = poolFaults(valid.map((trial) => trial.faults));
  const circumstances = {
    trials: trials.length,
    failedTrials,
    faults: describeFaults({ users: identity.users, faults }),
    calm: calmFigures(trials),
    intervalOf: (figure: Figure) => intervalOver(valid, figure),
  };
  const functionality = judgeFunctionality(figures, circumstances);
  const smoothness = judgeSmoothness(figures, circumstances);
  return {
    ...identity,
    version: versionOf(trials),
    trials: trials.length,
    validTrials: valid.length,
    failedTrials,
    verdict: verdictOf(trials),
    reasons: [
      ...sayOnce(trials, ({ reasons }) => reasons),
      ...functionality.missed.map((reason) => `${MISSED}${reason}`),
      ...smoothness.missed.map((reason) => `${NOT_SMOOTH}${reason}`),
    ],
    notes: [
      ...sayOnce(trials, ({ notes }) => notes),
      ...noteUnknown(valid.length, UNKNOWN, functionality.unknown),
      ...noteUnknown(valid.length, SMOOTH_UNKNOWN, smoothness.unknown),
      ...noteBrokenSigils(pool),
      ...noteTrialsWithout(ownFigures),
    ],
    ...figures,
    converged: convergedOf(trials),
    fullyFunctional: functionality.holds,
    smooth: smoothness.holds,
    ci95: intervalsOf(ownFigures),
    ...(faults.length === 0 ? {} : { faults }),
  };
}

/** The figures of the valid trials whose machine was not short of cores, where there are others too. */
function calmFigures(trials: readonly JudgedTrial[]): SummaryFigures | null {
  const valid = trials.filter(({ figures }) => figures !== null);
  const calm = valid.filter(({ isShortOfCores }) => !isShortOfCores);
  return calm.length === valid.length ? null : figuresOf(new FigurePool(onlyKnown(calm.map(({ figures }) => figures))));
}

/** Every figure of the summary, pooled over the valid trials. */
function figuresOf(pool: FigurePool): SummaryFigures {
  const figures = SUMMARY_FIGURES.map(({ name, source }) => [name, roundFigure(pool.figure(source))] as const);
  return nestFigures(figures) as unknown as SummaryFigures;
}

/** A trial's own headline figures; null where it has too few samples for a percentile, or did not measure the figure. */
export function headlineFiguresOf(trial: TrialFigures): Record<HeadlineFigureName, number | null> {
  const pool = new FigurePool([trial]);
  return mapHeadlineFigures(({ source }) => pool.figure(source));
}

/** A trial's own figures whose growth with the users is told. */
export function scalingFiguresOf(trial: TrialFigures): Partial<Record<FigureName, number | null>> {
  const pool = new FigurePool([trial]);
  return Object.fromEntries(
    SCALING_FIGURES.map(({ name, source }) => [
      name,
      source.pooled === 'ratio' ? null : roundFigure(pool.figure(source)),
    ]),
  );
}

/** The interval over the trials' own figures, of any figure. */
function intervalOver(trials: readonly TrialFigures[], { source, scale }: Figure): Interval | null {
  if (source.pooled === 'ratio') return null;
  return interval95(onlyKnown(trials.map((trial) => new FigurePool([trial]).figure(source))), scale);
}

/** Intervals over the trials' own figures; a trial that has none adds none to its interval. */
function intervalsOf(trials: readonly Record<HeadlineFigureName, number | null>[]): CellSummary['ci95'] {
  return mapHeadlineFigures(({ name, scale }) => {
    const interval = interval95(onlyKnown(trials.map((figures) => figures[name])), scale);
    return interval && { low: roundFigure(interval.low), high: roundFigure(interval.high) };
  });
}

function verdictOf(trials: readonly JudgedTrial[]): CellSummary['verdict'] {
  const valid = trials.filter(({ verdict }) => verdict === 'valid').length;
  if (valid === trials.length) return 'valid';
  if (valid > 0) return 'partly valid';
  const all = (kind: Verdict['verdict']) => trials.every(({ verdict }) => verdict === kind);
  return all('failed') ? 'failed' : all('unknown') ? 'unknown' : 'invalid';
}

function convergedOf(trials: readonly JudgedTrial[]): boolean | null {
  if (trials.some(({ converged }) => converged === false)) return false;
  return trials.every(({ converged }) => converged === true) ? true : null;
}

function versionOf(trials: readonly JudgedTrial[]): string {
  const versions = new Set(onlyKnown(trials.map(({ version }) => version)));
  return versions.size > 0 ? [...versions].sort().join(', ') : 'unknown';
}

/** "trials 1 and 3: …" once, rather than the same sentence for each. */
function sayOnce(trials: readonly JudgedTrial[], messagesOf: (trial: JudgedTrial) => string[]): string[] {
  const trialsOf = new Map<string, Set<number>>();
  for (const trial of trials) {
    for (const message of messagesOf(trial)) {
      trialsOf.set(message, (trialsOf.get(message) ?? new Set()).add(trial.trial));
    }
  }
  const list = new Intl.ListFormat('en');
  return [...trialsOf].map(([message, numbers]) => {
    const named = list.format([...numbers].map(String));
    return `${numbers.size === 1 ? 'trial' : 'trials'} ${named}: ${message}`;
  });
}

function noteUnknown(validTrials: number, prefix: string, unknown: readonly string[]): string[] {
  return validTrials === 0 || unknown.length === 0 ? [] : [`${prefix}${unknown.join('; ')}`];
}

function noteBrokenSigils(pool: FigurePool): string[] {
  const broken = pool.sum('broken');
  return broken === 0
    ? []
    : [`concurrent edits broke ${broken} of ${pool.sum('sent')} sigils, which are left out of the arrived ones`];
}

/** Trials with fewest samples are often the worst, so an interval without them flatters. */
function noteTrialsWithout(trials: readonly Record<HeadlineFigureName, number | null>[]): string[] {
  const counted = HEADLINE_FIGURES.map(({ label, name }) => ({
    label,
    having: onlyKnown(trials.map((figures) => figures[name])).length,
  }));
  const partial = counted.filter(({ having }) => having > 0 && having < trials.length);
  return [...Map.groupBy(partial, ({ having }) => having)].map(
    ([having, figures]) =>
      `only ${having} of ${trials.length} valid trials have a figure of their own for ${figures.map(({ label }) => label).join('; ')}; the others, with too few samples or none, are left out of the interval`,
  );
}
