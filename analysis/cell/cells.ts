/**
 * From trials to a cell: raw samples of the valid trials are pooled, then summarised; trials give the intervals. Figures whose
 * bound the last calibration missed are marked.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALIBRATION_FILE, type Calibration, calibrationSchema } from '../../results/formats/calibration.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import type { Message } from '../../results/formats/verdict.ts';
import { FIGURES, HEADLINE_FIGURES, MEASURED_FIGURES, SUMMARY_FIGURES } from '../figures/catalogue.ts';
import { type Figure, isHeadline, nestFigures, type SummaryFigureName } from '../figures/figure.ts';
import { FigurePool } from '../figures/pooling.ts';
import { poolFaults } from '../resilience/fault-figures.ts';
import { describeFaults } from '../resilience/fault-text.ts';
import { onlyKnown, roundFigure } from '../statistics/quantile.ts';
import type { TrialFigures } from '../trial/trial-figures.ts';
import type { Figures } from './cell.ts';
import { collectCell, intervalOver, type JudgedTrial, poolFigures, warnOfTrialSpeeds } from './collect-cell.ts';
import { judgeFunctionality, judgeSmoothness, tellJudgement } from './fully-functional.ts';
import { aboutCell, isReason, tellMessages } from './messages.ts';
import { SCALING_FIGURES } from './scaling.ts';

/** The properties of a summary that hold the catalogue's figures. */
type SummaryFigures = Pick<
  CellSummary,
  SummaryFigureName extends infer Name ? (Name extends `${infer Outer}.${string}` ? Outer : Name) : never
>;

/** The properties that a cell's trials share. */
interface CellIdentity {
  framework: string;
  tier: CellSummary['tier'];
  mode: string;
  users: number;
}

/** The figures that each trial keeps of its own. */
const OWN_FIGURES = MEASURED_FIGURES.filter((figure) => isHeadline(figure) || SCALING_FIGURES.includes(figure));

/** Summarises the trials that have run of one cell; at least one. */
export function summarizeCell(identity: CellIdentity, trials: readonly JudgedTrial[]): CellSummary {
  const terms = { intervals: HEADLINE_FIGURES, round: roundFigure, namesTrials: true };
  const { ci95, ...collected } = collectCell(trials, terms);
  const valid = onlyKnown(trials.map(({ figures }) => figures));
  const figures = figuresOf(valid);
  const faults = poolFaults(valid.map((trial) => trial.faults));
  const circumstances = {
    trials: trials.length,
    failedTrials: collected.failedTrials,
    faults: describeFaults({ users: identity.users, faults }),
    calm: calmFigures(trials),
    intervalOf: ({ source, scale }: Figure) =>
      source.pooled === 'ratio' ? null : intervalOver(valid, { source, scale }),
  };
  const functionality = judgeFunctionality(figures, circumstances);
  const smoothness = judgeSmoothness(figures, circumstances);
  const judgements = [...tellJudgement('paper', functionality), ...tellJudgement('smooth', smoothness)];
  return {
    ...identity,
    ...collected,
    ...tellMessages([
      ...collected.messages,
      // Without a valid trial there is nothing that one could have known.
      ...judgements.filter((message) => valid.length > 0 || isReason(message)),
      ...noteBrokenSigils(new FigurePool(valid)),
      ...noteTrialsWithout(valid),
      ...(isOfPlayedCrowd(figures) ? [aboutCell('played-crowd', 'care', `most users: ${CROWD_CAUTION}`)] : []),
      ...warnOfTrialSpeeds(valid),
    ]),
    ...figures,
    converged: convergedOf(trials),
    fullyFunctional: functionality.holds,
    smooth: smoothness.holds,
    ci95: ci95 as CellSummary['ci95'],
    ...(faults.length === 0 ? {} : { faults }),
  };
}

/** Of most users; the limits of what `npm run bench -- --only crowd` has shown; docs/data/measurements.md has its tables. */
export const CROWD_CAUTION =
  'a played crowd, which was shown to equal live users in bytes of Yjs, and in little else: with live users, latencies and server CPU may be more';

/** True if cells rest on a recorded crowd: only such a one is late. */
export function isOfPlayedCrowd({ crowdLateMs }: Partial<CellSummary>): boolean {
  return (crowdLateMs ?? null) !== null;
}

/** A trial's own figures that have intervals, or whose growth with the users is told. */
export function ownFiguresOf(trial: TrialFigures): Figures {
  return poolFigures([trial], { figures: OWN_FIGURES, round: roundFigure });
}

/** The figures of the valid trials whose machine was not short of cores, where there are others too. */
function calmFigures(trials: readonly JudgedTrial[]): SummaryFigures | null {
  const valid = trials.filter(({ figures }) => figures !== null);
  const calm = valid.filter(({ isShortOfCores }) => !isShortOfCores);
  return calm.length === valid.length ? null : figuresOf(onlyKnown(calm.map(({ figures }) => figures)));
}

/** Every figure of the summary, pooled over the valid trials. */
function figuresOf(valid: readonly TrialFigures[]): SummaryFigures {
  const figures = poolFigures(valid, { figures: SUMMARY_FIGURES, round: roundFigure });
  return nestFigures(Object.entries(figures)) as unknown as SummaryFigures;
}

function convergedOf(trials: readonly JudgedTrial[]): boolean | null {
  if (trials.some(({ converged }) => converged === false)) return false;
  return trials.every(({ converged }) => converged === true) ? true : null;
}

/** For the record: the rules filter such markers. */
function noteBrokenSigils(pool: FigurePool): Message[] {
  const broken = pool.sum('broken');
  if (broken === 0) return [];
  const text = `the sigils: some broken by concurrent edits (${broken} of ${pool.sum('sent')}), and left out of the arrived ones`;
  return [aboutCell('sigils-broken', 'record', text)];
}

/** Trials with fewest samples are often the worst, so an interval without them flatters. */
function noteTrialsWithout(trials: readonly TrialFigures[]): Message[] {
  const counted = HEADLINE_FIGURES.map(({ label, source }) => ({
    label,
    having: onlyKnown(trials.map((trial) => new FigurePool([trial]).figure(source))).length,
  }));
  const partial = counted.filter(({ having }) => having > 0 && having < trials.length);
  return [...Map.groupBy(partial, ({ having }) => having)].map(([having, figures]) => {
    const labels = figures.map(({ label }) => label).join('; ');
    const text = `${labels}: no figure of its own in every valid trial (${having} of ${trials.length}); the others, with too few samples or none, are left out of the interval → measure longer`;
    return aboutCell('trials-without-figure', 'care', text);
  });
}

/** Where it is kept. */
export const KEPT_CALIBRATION = join(import.meta.dirname, '../../results', 'measured', CALIBRATION_FILE);

/** The code of the message on figures that the last calibration missed a bound on. */
const BOUNDS_MISSED = 'bounds-missed';

/** @returns the project's last calibration; null if none is kept */
export function lastCalibration(path: string = KEPT_CALIBRATION): Calibration | null {
  return existsSync(path) ? calibrationSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

/** The names of the figures that missed a bound in a mode, or in any. In a mode without rows of its own none is known. */
export function missedBounds(calibration: Pick<Calibration, 'rows'> | null, mode?: string): string[] {
  const missed = calibration?.rows.filter((row) => !row.withinBound && (mode === undefined || row.mode === mode)) ?? [];
  return [...new Set(missed.flatMap(({ figure }) => figure ?? []))];
}

/** The cell with its figures marked that the last calibration missed its bound on, in place of those marked before. */
export function withMissedBounds(cell: CellSummary, calibration: Pick<Calibration, 'rows'> | null): CellSummary {
  const missed = cell.validTrials === 0 ? [] : missedBounds(calibration, cell.mode);
  const labels = FIGURES.filter(({ name }) => missed.includes(name)).map(({ label }) => label);
  const others = cell.messages.filter(({ code }) => code !== BOUNDS_MISSED);
  const text = `${labels.join('; ')}: marked *, as the last calibration missed its bound on it in this mode`;
  const marked = labels.length === 0 ? [] : [aboutCell(BOUNDS_MISSED, 'care', text)];
  return { ...cell, missedBounds: missed, ...tellMessages([...others, ...marked]) };
}
