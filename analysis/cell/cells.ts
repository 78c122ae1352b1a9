/**
 * From trials to a cell: raw samples of the valid trials are pooled, then summarised; trials give the intervals. Figures whose
 * bound the last calibration missed are marked.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALIBRATION_FILE, type Calibration, calibrationSchema } from '../../results/formats/calibration.ts';
import type { ScenarioName } from '../../results/formats/documents.ts';
import type { Message } from '../../results/formats/verdict.ts';
import { FIGURES, HEADLINE_FIGURES } from '../figures/catalogue.ts';
import type { Figure, MeasuredFigure } from '../figures/figure.ts';
import { roundAmount } from '../figures/figure-text.ts';
import { FigurePool } from '../figures/pooling.ts';
import { poolFaults } from '../resilience/fault-figures.ts';
import { describeFaults } from '../resilience/fault-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { BARE_CELL, type Cell, type Curve, isOfPlayedCrowd, type TypingCell } from '../scenarios/cell.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { allHold, median, onlyKnown } from '../statistics/quantile.ts';
import type { TrialFigures } from '../trial/trial-figures.ts';
import { collectCell, intervalOver, type JudgedTrial, poolFigures, warnOfTrialSpeeds } from './collect-cell.ts';
import { judgeBy, tellJudgement } from './fully-functional.ts';
import { aboutCell, isReason, reasonsFirst } from './messages.ts';

/** The properties that a cell's trials share. */
export interface CellIdentity extends Pick<Cell, 'parameters' | 'tier'> {
  scenario: ScenarioName;
  /** By default its parameters. */
  name?: string;
}

/** Summarises the trials that have run of one cell; at least one. */
export function summarizeCell({ scenario: of, ...identity }: CellIdentity, trials: readonly JudgedTrial[]): Cell {
  const scenario = SCENARIOS[of];
  const valid = onlyKnown(trials.map(({ figures }) => figures));
  const cell: Cell = {
    name: Object.values(identity.parameters).join('-'),
    ...identity,
    ...collectCell(trials, { ...scenario, namesTrials: scenario.isTyping }),
    ...BARE_CELL,
    converged: allHold(trials.map(({ converged }) => converged)),
    faults: poolFaults(valid.map((trial) => trial.faults)),
    curves: centreCurves(valid, scenario),
  };
  const told = scenario.isTyping
    ? withJudgements(cell as TypingCell, trials, scenario)
    : { ...cell, messages: [...cell.messages, ...noteTrialsLeftOut(valid, scenario)] };
  return { ...told, messages: reasonsFirst([...told.messages, ...warnOfTrialSpeeds(valid)]) };
}

/** With the answers of both criteria, and what else is to be told of people who type. */
function withJudgements(cell: TypingCell, trials: readonly JudgedTrial[], { figures, round }: Scenario): Cell {
  const valid = onlyKnown(trials.map((trial) => trial.figures));
  const calm = calmTrials(trials);
  const circumstances = {
    trials: trials.length,
    failedTrials: cell.failedTrials,
    faults: describeFaults(cell),
    calm: calm === null ? null : { figures: poolFigures(calm, figures, round) },
    intervalOf: ({ source, scale }: Figure) =>
      source.pooled === 'ratio' ? null : intervalOver(valid, { source, scale }),
  };
  const functionality = judgeBy('paper', cell, circumstances);
  const smoothness = judgeBy('smooth', cell, circumstances);
  const judgements = [...tellJudgement('paper', functionality), ...tellJudgement('smooth', smoothness)];
  return {
    ...cell,
    fullyFunctional: functionality.holds,
    smooth: smoothness.holds,
    messages: [
      ...cell.messages,
      // Without a valid trial there is nothing that one could have known.
      ...judgements.filter((message) => valid.length > 0 || isReason(message)),
      ...noteBrokenSigils(new FigurePool(valid)),
      ...noteTrialsWithout(valid),
      ...(isOfPlayedCrowd(cell) ? [aboutCell('played-crowd', 'care', `most users: ${CROWD_CAUTION}`)] : []),
    ],
  };
}

/** Of most users; the limits of what `npm run bench -- --only crowd` has shown; docs/data/measurements.md has its tables. */
export const CROWD_CAUTION =
  'a played crowd, which was shown to equal live users in few figures, latencies and server CPU not among them: with live users these may be more';

/** The valid trials whose machine was not short of cores, where there are others too. */
function calmTrials(trials: readonly JudgedTrial[]): TrialFigures[] | null {
  const valid = trials.filter(({ figures }) => figures !== null);
  const calm = valid.filter(({ isShortOfCores }) => !isShortOfCores);
  return calm.length === valid.length ? null : onlyKnown(calm.map(({ figures }) => figures));
}

/** Those that a valid trial has. */
function centreCurves(valid: readonly TrialFigures[], { curves }: Scenario): Cell['curves'] {
  const centred = curves.flatMap(({ name }) => {
    const ofTrials = valid.flatMap((trial) => trial.curves[name] ?? []);
    return ofTrials.length === 0 ? [] : [[name, centreCurve(ofTrials)] as const];
  });
  return Object.fromEntries(centred);
}

/** Trials of a cell have their points at the same places; where one has fewer, the others' stand alone. */
export function centreCurve(curves: readonly Curve[]): Curve {
  const x = [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
  const at = curves.map((curve) => new Map(curve.x.map((place, index) => [place, curve.y[index] ?? null])));
  const y = x.map((place) => {
    const known = at.flatMap((curve) => curve.get(place) ?? []);
    return known.length === 0 ? null : roundAmount(median(known));
  });
  return { x, y };
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
  return partialFigures(trials, HEADLINE_FIGURES).map(({ labels, having }) => {
    const text = `${labels}: no figure of its own in every valid trial (${having} of ${trials.length}); the others, with too few samples or none, are left out of the interval → measure longer`;
    return aboutCell('trials-without-figure', 'care', text);
  });
}

/** So does the centre of those trials alone in which, say, all users came back. */
function noteTrialsLeftOut(trials: readonly TrialFigures[], { figures }: Scenario): Message[] {
  return partialFigures(trials, figures).map(({ labels, having }) => {
    const text = `${labels}: of ${having} of the ${trials.length} valid trials; the others have none`;
    return aboutCell('trials-without-figure', 'care', text);
  });
}

/** Figures that not all of these trials have, by how many do. */
function partialFigures(trials: readonly TrialFigures[], figures: readonly MeasuredFigure[]) {
  const counted = figures.map(({ label, source }) => ({
    label,
    having: onlyKnown(trials.map((trial) => new FigurePool([trial]).figure(source))).length,
  }));
  const partial = counted.filter(({ having }) => having > 0 && having < trials.length);
  return [...Map.groupBy(partial, ({ having }) => having)].map(([having, alike]) => {
    return { having, labels: alike.map(({ label }) => label).join('; ') };
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
export function withMissedBounds<Of extends Cell>(cell: Of, calibration: Pick<Calibration, 'rows'> | null): Of {
  // Company of the users, such as cursors or a store, changes nothing of the instrument.
  const [mode] = String(cell.parameters.mode).split('+');
  const missed = cell.validTrials === 0 ? [] : missedBounds(calibration, mode);
  const labels = FIGURES.filter(({ name }) => missed.includes(name)).map(({ label }) => label);
  const others = cell.messages.filter(({ code }) => code !== BOUNDS_MISSED);
  const text = `${labels.join('; ')}: marked *, as the last calibration missed its bound on it in this mode`;
  const marked = labels.length === 0 ? [] : [aboutCell(BOUNDS_MISSED, 'care', text)];
  return { ...cell, missedBounds: missed, messages: reasonsFirst([...others, ...marked]) };
}
