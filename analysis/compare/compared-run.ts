/** A run as it is compared, of any scenario, and the comparison of two. */

import type { Parameters, ScenarioName } from '../../results/formats/documents.ts';
import { parametersOf } from '../../results/formats/run-directory.ts';
import { type AnalysedRun, analyseRun } from '../cell/analyse-run.ts';
import { HELD_ONCE } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { Cell } from '../scenarios/cell.ts';
import { nameOf } from '../scenarios/cell-name.ts';
import type { ComparedFigure, FigureChange } from './figure-change.ts';

export interface ComparedCell extends Cell {
  /** For people; it begins with what is measured. */
  title: string;
}

export type PlannedCell = Pick<ComparedCell, 'title' | 'parameters'>;

export interface ComparedRun extends Omit<AnalysedRun, 'cells'> {
  cells: ComparedCell[];
  /** The cells that were to run, for people too. */
  planned: PlannedCell[];
  /** The figures that runs of this scenario are compared by. */
  figures: readonly ComparedFigure[];
}

/** @throws UserError (exit code 2) if the run cannot be read */
export async function readComparedRun(directory: string): Promise<ComparedRun> {
  const run = await analyseRun(directory);
  const all = run.plan.trials.map(parametersOf);
  const planned = new Map(all.map((parameters) => [JSON.stringify(parameters), parameters]));
  return {
    ...run,
    cells: run.cells.map((cell) => ({ ...cell, title: nameOf(run, cell) })),
    planned: [...planned.values()].map((parameters) => ({ title: nameOf(run, { parameters }), parameters })),
    figures: SCENARIOS[run.scenario].compared,
  };
}

/** As the cell's own summary answers; `held once`: in the only trial. */
type Functional = 'yes' | typeof HELD_ONCE | 'no' | 'not judged';

export function functionalOf({ fullyFunctional, validTrials }: Cell): Functional {
  if (fullyFunctional === null) return 'not judged';
  if (!fullyFunctional) return 'no';
  return validTrials === 1 ? HELD_ONCE : 'yes';
}

/** The design of a comparison: two runs made apart, or the trials of one that ran base and new in turns. */
export type Design = 'apart' | 'in pairs';

export interface CellChange {
  /** `yjs, noquill, 8 users`; it begins with what is measured: framework, engine or store. */
  name: string;
  scenario: ScenarioName;
  parameters: Parameters;
  base: Cell;
  new: Cell;
  /** Null for documents by themselves. */
  functional: { base: Functional; new: Functional } | null;
  /** How many trials of one number are valid on both sides; null for runs that were made apart. */
  pairs: number | null;
  figures: FigureChange[];
}

export interface Comparison {
  design: Design;
  base: { directory: string; experiment: string; startedAt: string };
  new: { directory: string; experiment: string; startedAt: string };
  cells: CellChange[];
  /** How many figures could be judged: so many comparisons are corrected for. */
  comparisons: number;
  /** Cells that only one of the runs has. */
  unmatched: string[];
  /** Cells that both runs were to have, and of which one of them, or each, has run no trial. */
  notRun: string[];
  /** Why the comparison may say something else than it seems to. */
  warnings: string[];
}
