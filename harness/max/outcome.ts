/** The outcome of each trial of a search: the criterion held, did not hold, or is unknown, and why. */

import { join } from 'node:path';
import { summarizeCell } from '../../analysis/cell/cells.ts';
import { type JudgedTrial, judgeTrial } from '../../analysis/cell/collect-cell.ts';
import { type Condition, holdsCondition } from '../../analysis/cell/condition.ts';
import { adviceOn, SHORT_OF_CORES } from '../../analysis/cell/fully-functional.ts';
import { CRITERION_CODES, reasonsOf } from '../../analysis/cell/messages.ts';
import { figureOf } from '../../analysis/figures/figure.ts';
import { formatFigure } from '../../analysis/figures/figure-text.ts';
import type { Cell } from '../../analysis/scenarios/cell.ts';
import { readTrial } from '../../analysis/trial/analyse-trial.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { stageOf } from '../../results/run-folder/trial-stage.ts';
import type { Outcome } from './search.ts';

/** The criterion: one of the two by name, or conditions that the person writes. */
export type Criterion = { name: 'paper' | 'smooth' } | { name: 'where'; conditions: readonly Condition[] };

interface TrialOutcome {
  outcome: Outcome;
  /** Why it did not hold, or is not known. */
  why: string[];
}

/**
 * Judges one trial. What the harness, a clock or a machine short of cores spoilt is not known, whichever bound it misses; what the
 * framework failed did not hold, whichever bound it keeps.
 *
 * @param cell of this one trial
 */
export function outcomeOf(trial: JudgedTrial, cell: Cell, criterion: Criterion): TrialOutcome {
  if (trial.verdict === 'failed') return { outcome: 'missed', why: reasonsOf(trial.messages) };
  if (trial.verdict !== 'valid') return { outcome: 'unknown', why: reasonsOf(trial.messages) };
  if (criterion.name === 'where') return ofConditions(trial, cell, criterion.conditions);
  const holds = criterion.name === 'paper' ? cell.fullyFunctional : cell.smooth;
  if (holds === true) return { outcome: 'held', why: [] };
  const { missed, unknown } = CRITERION_CODES[criterion.name];
  const textsOf = (sought: string) => cell.messages.filter(({ code }) => code === sought).map(({ text }) => text);
  return holds === false ? { outcome: 'missed', why: textsOf(missed) } : { outcome: 'unknown', why: textsOf(unknown) };
}

function ofConditions(trial: JudgedTrial, cell: Cell, conditions: readonly Condition[]): TrialOutcome {
  const judged = conditions.map((condition) => ({ condition, holds: holdsCondition(condition, cell) }));
  const short = trial.isShortOfCores ? `; ${SHORT_OF_CORES} it` : '';
  const missed = judged
    .filter(({ holds }) => holds === false)
    .map(({ condition: { text, figure } }) => {
      return `${figure.label} (${formatFigure(figureOf(cell, figure))} ${figure.unit}, asked ${text}${short})`;
    });
  const unknown = judged
    .filter(({ holds }) => holds === null)
    .map(({ condition }) => `${condition.figure.label} (not known)`);
  if (missed.length > 0 && trial.isShortOfCores)
    return { outcome: 'unknown', why: [`${missed.join('; ')}${adviceOn(['short of cores'])}`] };
  if (missed.length > 0) return { outcome: 'missed', why: missed };
  return unknown.length > 0 ? { outcome: 'unknown', why: unknown } : { outcome: 'held', why: [] };
}

/** A trial of the search that has ended. */
export interface Attempt extends TrialOutcome {
  planned: PlannedTrial;
  /** Of this trial alone, with its figures whatever its verdict; null if not known. */
  cell: Cell;
  /** True if its crowd could not be recorded. */
  isUnrecorded?: boolean;
  /** True if nothing spoilt it, and yet it is unknown: a figure of the criterion is. */
  lacksFigure?: boolean;
}

/** The cell of one trial of a search. */
export function cellOf({ framework, mode, users }: PlannedTrial, judged: JudgedTrial): Cell {
  // The search's result tells the tier; its counts are judged one by one.
  const identity = { scenario: 'typing', tier: 'unknown', parameters: { framework, mode, users } } as const;
  return summarizeCell(identity, [judged]);
}

/** Judges each trial once, however often it is asked for. */
export class Attempts {
  readonly #directory: string;
  readonly #criterion: Criterion;
  readonly #known = new Map<string, Attempt>();

  constructor(options: { directory: string; criterion: Criterion }) {
    this.#directory = options.directory;
    this.#criterion = options.criterion;
  }

  /** Those of the trials that have ended, in their order. */
  async of(plan: readonly PlannedTrial[]): Promise<Attempt[]> {
    const attempts: Attempt[] = [];
    for (const planned of plan) {
      const known = this.#known.get(planned.directory);
      if (known === undefined && (await stageOf(join(this.#directory, planned.directory))) !== 'finished') continue;
      const attempt = known ?? (await this.#judge(planned));
      this.#known.set(planned.directory, attempt);
      attempts.push(attempt);
    }
    return attempts;
  }

  async #judge(planned: PlannedTrial): Promise<Attempt> {
    const directory = join(this.#directory, planned.directory);
    const judged = await judgeTrial(planned, directory, { keeps: true });
    // A trial that does not count shows a used-up resource, too.
    const figures = judged.figures ?? (await readTrial(directory, { keeps: true })).measured;
    const outcome = outcomeOf(judged, cellOf(planned, judged), this.#criterion);
    const lacksFigure = judged.verdict === 'valid' && !judged.isShortOfCores && outcome.outcome === 'unknown';
    return { planned, ...outcome, lacksFigure, cell: cellOf(planned, { ...judged, figures }) };
  }
}
