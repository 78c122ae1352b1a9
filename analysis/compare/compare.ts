/** Two runs side by side, or the two halves of one: how each headline figure of each cell changed, and whether that says anything. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AGAINST_FILE, HALVES, modeWithPresence } from '../../results/formats/run-directory.ts';
import { UserError } from '../../results/user-error.ts';
import type { AnalysedCell } from '../cell/cell.ts';
import { HEADLINE_FIGURES } from '../figures/catalogue.ts';
import type { HeadlineFigure } from '../figures/figure.ts';
import { type AnalysedRun, analyseRun } from '../run/analyse-run.ts';
import { onlyKnown } from '../statistics/known-figures.ts';
import type { CellChange, Comparison, Design } from './comparison.ts';
import { compareFigure, comparePairedFigure, correctForMany, type FigureChange } from './figure-change.ts';
import { functionalOf } from './functional.ts';
import { warnOfConditions, warnOfFigures, warnOfMachines, warnOfTiers, warnOfTrials } from './warnings.ts';

/**
 * Compares two runs that were made apart.
 *
 * @throws UserError (exit code 2) where a run cannot be read, or the runs have no cell in common
 */
export function compareRuns(baseDirectory: string, newDirectory: string): Promise<Comparison> {
  return compare(baseDirectory, newDirectory, 'apart');
}

/**
 * Compares the two halves of a run that was made with `--against`, pair by pair.
 *
 * @throws UserError (exit code 2) where it is no such run, or cannot be read
 */
export async function compareHalves(directory: string): Promise<Comparison> {
  if (!existsSync(join(directory, AGAINST_FILE))) {
    throw new UserError(
      `${directory} has no ${AGAINST_FILE}, so it is no run that was made with --against; name two runs, or make one with: ./scriptorium run FILE --against REF`,
      { exitCode: 2 },
    );
  }
  return compare(join(directory, HALVES.base), join(directory, HALVES.new), 'in pairs');
}

/** Compares the cells that both have: same framework, mode and user count. */
async function compare(baseDirectory: string, newDirectory: string, design: Design): Promise<Comparison> {
  const [base, fresh] = [await analyseRun(baseDirectory), await analyseRun(newDirectory)];
  const matched = base.cells.flatMap((cell) => {
    const other = fresh.cells.find((each) => keyOf(each) === keyOf(cell));
    return other === undefined ? [] : [compareCells(cell, other, design)];
  });
  if (matched.length === 0) {
    const list = (run: AnalysedRun) => run.cells.map(describeCell).join('; ') || 'no cell that has run';
    throw new UserError(
      `the two runs have no cell in common, so nothing can be compared: ${baseDirectory} has ${list(base)}; ${newDirectory} has ${list(fresh)}`,
      { exitCode: 2 },
    );
  }
  const { comparisons, corrected } = correctForMany(matched.flatMap(({ figures }) => figures));
  return {
    design,
    base: identify(base),
    new: identify(fresh),
    cells: matched.map((cell, index) => {
      const from = index * HEADLINE_FIGURES.length;
      return { ...cell, figures: corrected.slice(from, from + HEADLINE_FIGURES.length) };
    }),
    comparisons,
    unmatched: [...onlyIn(base, fresh), ...onlyIn(fresh, base)],
    notRun: notRunIn(fresh, base),
    warnings: [
      ...warnOfConditions(base.plan, fresh.plan),
      ...warnOfMachines(base.environment, fresh.environment),
      ...warnOfTiers(matched),
      ...warnOfTrials(matched),
      ...warnOfFigures(matched),
    ],
  };
}

function compareCells(base: AnalysedCell, fresh: AnalysedCell, design: Design): CellChange {
  const { framework, mode, users } = base.summary;
  const pairs = base.trials.flatMap((trial) => {
    const other = fresh.trials.find((each) => each.trial === trial.trial);
    const areValid = trial.figures !== null && (other?.figures ?? null) !== null;
    return areValid ? [[trial.figures!, other!.figures!] as const] : [];
  });
  const change = (figure: HeadlineFigure): FigureChange => {
    const { name, label, unit, scale, better } = figure;
    const compared = { name, label, unit, scale, better };
    const valuesOf = ({ trials }: AnalysedCell) => onlyKnown(trials.map(({ figures }) => figures?.[name] ?? null));
    if (design === 'apart') return compareFigure(compared, valuesOf(base), valuesOf(fresh));
    const known = pairs.flatMap(([a, b]) => {
      const [left, right] = [a[name] ?? null, b[name] ?? null];
      return left === null || right === null ? [] : [[left, right] as const];
    });
    return comparePairedFigure(compared, known);
  };
  return {
    framework,
    mode,
    users,
    base: base.summary,
    new: fresh.summary,
    functional: { base: functionalOf(base.summary), new: functionalOf(fresh.summary) },
    pairs: design === 'apart' ? null : pairs.length,
    figures: HEADLINE_FIGURES.map(change),
  };
}

function keyOf({ summary }: AnalysedCell): string {
  return JSON.stringify([summary.framework, summary.mode, summary.users]);
}

function describeCell({ summary }: AnalysedCell): string {
  return `${summary.framework}, ${summary.mode}, ${summary.users} users`;
}

function identify({ directory, plan }: AnalysedRun): Comparison['base'] {
  return { directory, experiment: plan.experiment.name, startedAt: plan.startedAt };
}

function onlyIn(run: AnalysedRun, other: AnalysedRun): string[] {
  const keys = new Set(other.cells.map(keyOf));
  return run.cells
    .filter((cell) => !keys.has(keyOf(cell)))
    .map((cell) => `${describeCell(cell)}: only in ${run.directory}`);
}

function notRunIn(run: AnalysedRun, other: AnalysedRun): string[] {
  const ran = new Set(run.cells.map(keyOf));
  const planned = new Set(
    run.plan.trials.map((trial) => JSON.stringify([trial.framework, modeWithPresence(trial), trial.users])),
  );
  return other.cells.filter((cell) => planned.has(keyOf(cell)) && !ran.has(keyOf(cell))).map(describeCell);
}
