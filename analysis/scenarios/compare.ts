/** Two runs of a document scenario side by side: how each figure of each cell changed, and whether that says anything. */
import type { DocumentCell } from '../../results/formats/document-summary.ts';
import { UserError } from '../../results/user-error.ts';
import type { Comparison } from '../compare/comparison.ts';
import { compareFigure, correctForMany, type FigureChange } from '../compare/figure-change.ts';
import { tabulateChanges } from '../compare/format.ts';
import { warnOfMachines } from '../compare/warnings.ts';
import { onlyKnown } from '../statistics/known-figures.ts';
import { renderMarkdown } from '../tables/render.ts';
import type { Table } from '../tables/table.ts';
import {
  type AnalysedDocumentCell,
  type AnalysedDocumentRun,
  analyseDocumentRun,
  documentSummaryOf,
} from './analyse.ts';
import { nameOf } from './table.ts';

export interface DocumentCellChange {
  name: string;
  base: DocumentCell;
  new: DocumentCell;
  figures: FigureChange[];
}

export interface DocumentComparison extends Omit<Comparison, 'cells'> {
  cells: DocumentCellChange[];
}

/**
 * Compares two runs that were made apart, in the cells that both have.
 *
 * @throws UserError (2) where a run cannot be read, they are of two scenarios, or have no cell in common
 */
export async function compareDocumentRuns(baseDirectory: string, newDirectory: string): Promise<DocumentComparison> {
  const [base, fresh] = [await analyseDocumentRun(baseDirectory), await analyseDocumentRun(newDirectory)];
  if (base.catalogue !== fresh.catalogue) {
    const text = `${baseDirectory} is of the scenario "${base.catalogue.scenario}", ${newDirectory} of "${fresh.catalogue.scenario}": there is nothing to compare`;
    throw new UserError(text, { exitCode: 2 });
  }
  const matched = base.cells.flatMap((cell) => {
    const other = fresh.cells.find(({ name }) => name === cell.name);
    return other === undefined ? [] : [compareCells(base, cell, other)];
  });
  if (matched.length === 0) {
    const list = ({ cells }: AnalysedDocumentRun) => cells.map(({ name }) => name).join(', ') || 'no cell that has run';
    throw new UserError(
      `the two runs have no cell in common, so nothing can be compared: ${baseDirectory} has ${list(base)}; ${newDirectory} has ${list(fresh)}`,
      { exitCode: 2 },
    );
  }
  const { comparisons, corrected } = correctForMany(matched.flatMap(({ figures }) => figures));
  let from = 0;
  const cells = matched.map((cell) => {
    from += cell.figures.length;
    return { ...cell, figures: corrected.slice(from - cell.figures.length, from) };
  });
  const ran = new Set(fresh.cells.map(({ name }) => name));
  const planned = new Set(fresh.plan.trials.map(({ cell }) => cell));
  return {
    design: 'apart',
    base: identify(base),
    new: identify(fresh),
    cells,
    comparisons,
    unmatched: [...onlyIn(base, fresh), ...onlyIn(fresh, base)],
    notRun: base.cells.map(({ name }) => name).filter((name) => planned.has(name) && !ran.has(name)),
    warnings: [...warnOfExperiments(base, fresh), ...warnOfMachines(base.environment, fresh.environment)],
  };
}

function compareCells(
  run: AnalysedDocumentRun,
  base: AnalysedDocumentCell,
  fresh: AnalysedDocumentCell,
): DocumentCellChange {
  const valuesOf = ({ trials }: AnalysedDocumentCell, name: string) =>
    onlyKnown(trials.map(({ figures }) => figures?.[name] ?? null));
  const figures = run.catalogue.figures
    .filter(({ places }) => places.includes('compare'))
    .map((figure) => compareFigure(figure, valuesOf(base, figure.name), valuesOf(fresh, figure.name)));
  return { name: nameOf(documentSummaryOf(run), base.summary), base: base.summary, new: fresh.summary, figures };
}

function identify({ directory, plan }: AnalysedDocumentRun): Comparison['base'] {
  return { directory, experiment: plan.experiment.name, startedAt: plan.startedAt };
}

function onlyIn(run: AnalysedDocumentRun, other: AnalysedDocumentRun): string[] {
  const names = new Set(other.cells.map(({ name }) => name));
  return run.cells.filter(({ name }) => !names.has(name)).map(({ name }) => `${name}: only in ${run.directory}`);
}

/** What they are about may differ, of which cells tell; all else must not. */
const SUBJECTS = ['name', 'engines', 'frameworks', 'stores', 'trials'];

function warnOfExperiments({ plan: base }: AnalysedDocumentRun, { plan: fresh }: AnalysedDocumentRun): string[] {
  const [a, b]: Record<string, unknown>[] = [base.experiment, fresh.experiment];
  const differing = Object.keys({ ...a, ...b })
    .filter((key) => !SUBJECTS.includes(key) && JSON.stringify(a![key]) !== JSON.stringify(b![key]))
    .map((key) => `${key}: ${JSON.stringify(a![key])} / ${JSON.stringify(b![key])}`);
  if (differing.length === 0) return [];
  return [`the experiments differ, so what changed may be the conditions: ${differing.join(', ')}`];
}

/** As tables, one for each cell, with figures that neither run has left out. */
export function formatDocumentComparison(
  comparison: DocumentComparison,
  { tableOf, bullet }: { tableOf: (table: Table) => string; bullet: string },
): string {
  const { base, new: fresh, cells, comparisons, unmatched, warnings } = comparison;
  const identity = ({ directory, experiment, startedAt }: Comparison['base']) =>
    `${directory} (${experiment}, ${startedAt})`;
  const lines = (all: readonly string[]) => all.map((line) => `${bullet}${line}`).join('\n');
  return [
    lines([`base: ${identity(base)}`, `new: ${identity(fresh)}`, ...warnings.map((warning) => `Beware: ${warning}`)]),
    ...cells.flatMap(({ name, base: before, new: after, figures }) => {
      const version = before.version === after.version ? before.version : `${before.version} → ${after.version}`;
      const known = figures.filter(({ word }) => word !== 'not measured');
      const changes = tabulateChanges({ figures: known });
      return [`${name} ${version} (${before.validTrials} and ${after.validTrials} valid trials)`, tableOf(changes)];
    }),
    lines([
      ...unmatched,
      `Two runs made apart may differ as much as trials do. Intervals are over trials (Welch's t), each for itself; of ${comparisons} comparisons ${(comparisons / 20).toFixed(1)} would find a difference by chance alone: faster, slower, less and more hold for all of them together (Holm), "may be chance" is what does not.`,
    ]),
  ].join('\n\n');
}

/** For a pull request. */
export function markdownOfDocumentComparison(comparison: DocumentComparison): string {
  return `## Comparison\n\n${formatDocumentComparison(comparison, { tableOf: renderMarkdown, bullet: '- ' })}`;
}
