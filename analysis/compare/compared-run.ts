/** A run as it is compared, of typing or of documents, and the comparison of two as JSON. */
import type { Parameters, Scenario } from '../../results/formats/documents.ts';
import { modeWithPresence } from '../../results/formats/run-directory.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { scenarioOf } from '../../results/run-folder/run-files.ts';
import type { AnySummary, Cell } from '../cell/cell.ts';
import { analyseDocumentRun, documentSummaryOf } from '../documents/analyse.ts';
import { nameOf } from '../documents/table.ts';
import { BOUNDED_FIGURES, HEADLINE_FIGURES } from '../figures/catalogue.ts';
import { type BoundedFigure, figureOf, type HeadlineFigureName } from '../figures/figure.ts';
import { HELD_ONCE } from '../figures/figure-text.ts';
import { analyseRun } from '../run/analyse-run.ts';
import type { ComparedFigure, FigureChange } from './figure-change.ts';

export interface ComparedCell extends Cell {
  /** For people; it begins with what is measured. */
  title: string;
  /** Null for documents by themselves. */
  functional: Functional | null;
}

export interface ComparedRun {
  directory: string;
  scenario: Scenario;
  plan: { experiment: Record<string, unknown> & { name: string }; startedAt: string };
  environment: Record<string, unknown>;
  cells: ComparedCell[];
  /** The cells that were to run. */
  planned: Parameters[];
  /** The figures that runs of this scenario are compared by. */
  figures: readonly ComparedFigure[];
}

/** @throws UserError (exit code 2) if the run cannot be read */
export async function readComparedRun(directory: string): Promise<ComparedRun> {
  return (await scenarioOf(directory)) === 'typing' ? readTyping(directory) : readDocuments(directory);
}

async function readTyping(directory: string): Promise<ComparedRun> {
  const { cells, ...run } = await analyseRun(directory);
  return {
    ...run,
    scenario: 'typing',
    cells: cells.map((cell) => {
      const { framework, mode, users } = cell.summary;
      return { ...cell, title: `${framework}, ${mode}, ${users} users`, functional: functionalOf(cell.summary) };
    }),
    planned: run.plan.trials.map((trial) => ({
      ...{ framework: trial.framework, mode: modeWithPresence(trial), users: trial.users },
    })),
    figures: HEADLINE_FIGURES,
  };
}

async function readDocuments(directory: string): Promise<ComparedRun> {
  const { cells, catalogue, ...run } = await analyseDocumentRun(directory);
  const summary = documentSummaryOf({ ...run, catalogue, cells });
  return {
    ...run,
    scenario: catalogue.scenario,
    cells: cells.map((cell) => ({ ...cell, title: nameOf(summary, cell.summary), functional: null })),
    planned: run.plan.trials.map(({ of }) => of),
    figures: catalogue.figures.filter(({ places }) => places.includes('compare')),
  };
}

/** `unclear`: it hangs on a figure whose interval over trials reaches to both sides of its bound; `held once`: in the only trial. */
type Functional = 'yes' | typeof HELD_ONCE | 'no' | 'unclear' | 'unknown';

/**
 * A bound is missed where the figure lies beyond it and its interval does not reach back; without an interval, which
 * takes 3 trials, the figure alone decides.
 */
export function functionalOf(cell: CellSummary): Functional {
  const answers = BOUNDED_FIGURES.map((figure) => keeps(cell, figure));
  const worst = (['no', 'unclear', 'unknown'] as const).find((answer) => answers.includes(answer));
  return worst ?? (cell.validTrials === 1 ? HELD_ONCE : 'yes');
}

function keeps(cell: CellSummary, figure: BoundedFigure): Functional {
  const value = figureOf(cell, figure);
  if (value === null) return 'unknown';
  const { value: bound, kind } = figure.bound;
  const interval = cell.ci95[figure.name as HeadlineFigureName] ?? null;
  const isKept = (each: number) => (kind === 'at least' ? each >= bound : each <= bound);
  // The figure pools all samples, so it may lie outside of the interval over trials.
  const answers = new Set([value, ...(interval === null ? [] : [interval.low, interval.high])].map(isKept));
  if (answers.size > 1) return 'unclear';
  return answers.has(true) ? 'yes' : 'no';
}

/** The design of a comparison: two runs made apart, or the trials of one that ran base and new in turns. */
export type Design = 'apart' | 'in pairs';

export interface CellChange {
  /** `yjs, noquill, 8 users`; it begins with what is measured: framework, engine or store. */
  name: string;
  parameters: Parameters;
  base: AnySummary;
  new: AnySummary;
  /** As far as the trials can tell; null for documents by themselves. */
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
  /** Those of them that the new run was to have, but none of whose trials has run there. */
  notRun: string[];
  /** Why the comparison may say something else than it seems to. */
  warnings: string[];
}
