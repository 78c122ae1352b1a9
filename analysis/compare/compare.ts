/** Two runs side by side, or the two halves of one: how each figure of each cell changed, and the doubts about that. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Parameters } from '../../results/formats/documents.ts';
import { AGAINST_FILE, HALVES } from '../../results/formats/run-directory.ts';
import { UserError } from '../../results/user-error.ts';
import { warnOfCode } from '../campaign/measured-code.ts';
import { differingConditions, type WithConditions } from '../cell/run-conditions.ts';
import { countOf } from '../figures/figure-text.ts';
import { warnOfSpeeds } from '../figures/machine-speed.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { pairsOfTrials, TIER_TITLES } from '../scenarios/cell.ts';
import { onlyKnown } from '../statistics/quantile.ts';
import {
  type CellChange,
  type ComparedCell,
  type ComparedRun,
  type Comparison,
  type Design,
  functionalOf,
  type PlannedCell,
  readComparedRun,
} from './compared-run.ts';
import {
  type ComparedFigure,
  compareFigure,
  comparePairedFigure,
  correctForMany,
  type FigureChange,
} from './figure-change.ts';

/** @throws UserError (exit code 2) where a run cannot be read, the runs are of two scenarios, or they have no cell in common */
export async function compareRuns(base: string, fresh: string, design: Design = 'apart'): Promise<Comparison> {
  return compareAll([{ base: await readComparedRun(base), fresh: await readComparedRun(fresh) }], design);
}

/** Of a run that was made with `--against`. @throws UserError (exit code 2) where it is no such run, or cannot be read */
export async function compareHalves(directory: string): Promise<Comparison> {
  if (!existsSync(join(directory, AGAINST_FILE))) {
    throw new UserError(
      `${directory} has no ${AGAINST_FILE}, so it is no run that was made with --against; name two runs, or make one with: ./scriptorium run FILE --against REF`,
    );
  }
  return compareRuns(join(directory, HALVES.base), join(directory, HALVES.new), 'in pairs');
}

/**
 * Compares two frameworks of the same runs: trials of one number ran one beside the other, on the same typing.
 *
 * @param runs        of any scenarios, each with cells of both
 * @param names.base  as the runs have it; `new` too, by which the cells of both are named
 * @param names.isCompared true for a figure that is compared; each more of them takes certainty from the others
 * @throws UserError (exit code 2) if no cell of both has run
 */
export function compareFrameworks(
  runs: readonly ComparedRun[],
  names: { base: string; new: string; isCompared: (figure: string, scenario: ComparedRun['scenario']) => boolean },
): Comparison {
  const halves = runs.map(({ figures, ...run }): Halves => {
    const compared = { ...run, figures: figures.filter(({ name }) => names.isCompared(name, run.scenario)) };
    return { base: partOf(compared, names.base, names.new), fresh: partOf(compared, names.new, names.new) };
  });
  return compareAll(halves, 'in pairs');
}

/** The cells of one framework under another's name; their titles say what of it was measured. */
function partOf({ cells, planned, ...run }: ComparedRun, subject: string, as: string): ComparedRun {
  const isOfSubject = (parameters: Parameters) => Object.values(parameters)[0] === subject;
  const rename = (parameters: Parameters): Parameters =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.replaceAll(subject, as) : value,
      ]),
    );
  const titleOf = ({ title, parameters }: PlannedCell) => {
    if (SCENARIOS[run.scenario].isTyping) return `${run.scenario}${title.slice(subject.length)}`;
    const rest = Object.values(parameters).slice(1, 3);
    return [run.scenario, ...rest.filter((each) => typeof each === 'string' && !each.includes(subject))].join(', ');
  };
  const own = <Of extends PlannedCell>(all: readonly Of[]) =>
    all
      .filter(({ parameters }) => isOfSubject(parameters))
      .map((cell) => ({ ...cell, title: titleOf(cell), parameters: rename(cell.parameters) }));
  return { ...run, cells: own(cells), planned: own(planned) };
}

interface Halves {
  base: ComparedRun;
  fresh: ComparedRun;
}

/** Compares the cells that both have, with the same parameters. */
function compareAll(halves: readonly Halves[], design: Design): Comparison {
  const matched = halves.flatMap(({ base, fresh }) => matchCells(base, fresh, design));
  if (matched.length === 0) throw nothingInCommon(halves);
  const { comparisons, corrected } = correctForMany(matched.flatMap(({ figures }) => figures));
  const rest = [...corrected];
  const [{ base, fresh }] = halves as [Halves];
  const notRun = halves.flatMap((each) => notRunIn(each.base, each.fresh));
  return {
    design,
    base: identify(base),
    new: identify(fresh),
    cells: matched.map((cell) => ({ ...cell, figures: rest.splice(0, cell.figures.length) })),
    comparisons,
    unmatched: halves.flatMap((each) => [...onlyIn(each.base, each.fresh), ...onlyIn(each.fresh, each.base)]),
    notRun,
    warnings: [
      ...warnOfConditions(base.plan, fresh.plan),
      ...warnOfMachines(base.environment, fresh.environment),
      // Of the halves of one run, that is what is compared.
      ...(design === 'apart'
        ? warnOfCode([
            { name: 'base', environment: base.environment },
            { name: 'new', environment: fresh.environment },
          ])
        : []),
      ...warnOfSpeeds(
        [
          { name: 'base', cells: matched.map((cell) => cell.base) },
          { name: 'new', cells: matched.map((cell) => cell.new) },
        ],
        { isOneMachine: design === 'in pairs' },
      ),
      ...warnOfTiers(matched),
      ...notRun.map((title) => `${title}: planned, and no trial of it has run on both sides`),
      ...warnOfTrials(matched),
      ...warnOfFigures(matched),
    ],
  };
}

function matchCells(base: ComparedRun, fresh: ComparedRun, design: Design): CellChange[] {
  refuseTwoScenarios(base, fresh);
  return base.cells.flatMap((cell) => {
    const other = fresh.cells.find(({ parameters }) => keyOf(parameters) === keyOf(cell.parameters));
    return other === undefined ? [] : [compareCells(cell, other, { design, of: base })];
  });
}

function nothingInCommon(halves: readonly Halves[]): UserError {
  const list = ({ directory, cells }: ComparedRun) =>
    `${directory} has ${cells.map(({ title }) => title).join('; ') || 'no cell that has run'}`;
  const lists = halves.map(({ base, fresh }) => `${list(base)}; ${list(fresh)}`).join('; ');
  return new UserError(`the two runs have no cell in common, so nothing can be compared: ${lists}`);
}

function refuseTwoScenarios(base: ComparedRun, fresh: ComparedRun): void {
  if (base.scenario === fresh.scenario) return;
  const identity = ({ directory, scenario }: ComparedRun) => `${directory} (${scenario})`;
  throw new UserError(`${identity(base)}, ${identity(fresh)}: compare two runs of one scenario`);
}

function compareCells(
  base: ComparedCell,
  fresh: ComparedCell,
  { design, of: { scenario, figures } }: { design: Design; of: ComparedRun },
): CellChange {
  const validIn = ({ ran }: ComparedCell) => new Set(ran.filter((trial) => trial.figures).map(({ trial }) => trial));
  const change = ({ name, label, unit, scale, better }: ComparedFigure): FigureChange => {
    const compared = { name, label, unit, scale, better };
    if (design === 'in pairs') return comparePairedFigure(compared, pairsOfTrials(base, fresh, name));
    const valuesOf = ({ ran }: ComparedCell) => onlyKnown(ran.map((trial) => trial.figures?.[name] ?? null));
    return compareFigure(compared, valuesOf(base), valuesOf(fresh));
  };
  return {
    name: base.title,
    scenario,
    parameters: base.parameters,
    base,
    new: fresh,
    functional: SCENARIOS[scenario].isTyping ? { base: functionalOf(base), new: functionalOf(fresh) } : null,
    pairs: design === 'apart' ? null : validIn(base).intersection(validIn(fresh)).size,
    figures: figures.map(change),
  };
}

function keyOf(parameters: Parameters): string {
  return JSON.stringify(Object.values(parameters));
}

function identify({ directory, plan }: ComparedRun): Comparison['base'] {
  return { directory, experiment: plan.experiment.name, startedAt: plan.startedAt };
}

function onlyIn(run: ComparedRun, other: ComparedRun): string[] {
  const own = run.cells.filter((cell) => !has(other.cells, cell));
  return own.map(({ title }) => `${title}: only in ${run.directory}`);
}

function has(cells: readonly PlannedCell[], { parameters }: PlannedCell): boolean {
  return cells.some((cell) => keyOf(cell.parameters) === keyOf(parameters));
}

function notRunIn(base: ComparedRun, fresh: ComparedRun): string[] {
  const missing = fresh.planned.filter((cell) => !(has(base.cells, cell) && has(fresh.cells, cell)));
  return missing.filter((cell) => has(base.planned, cell)).map(({ title }) => title);
}

function warnOfConditions(base: WithConditions, fresh: WithConditions): string[] {
  const differing = differingConditions(base, fresh);
  if (differing.length === 0) return [];
  const [from, to] = [base, fresh].map(({ experiment }) => experiment.name);
  const names = from === to ? [] : [`name: "${from}" / "${to}"`];
  return [`the experiments differ, so what changed may be the conditions: ${[...names, ...differing].join(', ')}`];
}

/** The properties of the environment that move figures by themselves. */
const MACHINE_PROPERTIES = ['cpu', 'cores', 'memoryMiB', 'os', 'node', 'chrome', 'fleet'];

function warnOfMachines(base: Record<string, unknown>, fresh: Record<string, unknown>): string[] {
  const differing = MACHINE_PROPERTIES.filter((name) => JSON.stringify(base[name]) !== JSON.stringify(fresh[name]));
  if (differing.length === 0) return [];
  const pairs = differing.map((name) => `${name}: ${base[name] ?? 'unknown'} / ${fresh[name] ?? 'unknown'}`);
  return [`the machines differ, so what changed may be the machine: ${pairs.join(', ')}`];
}

/** A framework's server may have changed from a relay to its own. */
function warnOfTiers(cells: readonly CellChange[]): string[] {
  const differing = cells.flatMap(({ parameters, base, new: fresh }) => {
    if (base.tier === fresh.tier) return [];
    const jobs = `${TIER_TITLES[base.tier]} / ${TIER_TITLES[fresh.tier]}`;
    return [`the servers of ${parameters.framework} do unlike jobs, so what changed may be the job: ${jobs}`];
  });
  return [...new Set(differing)];
}

const SIDES = ['base', 'new'] as const;

function warnOfTrials(cells: readonly CellChange[]): string[] {
  return cells.flatMap((cell) =>
    SIDES.flatMap((side) => {
      const { trials, validTrials } = cell[side];
      const lost = trials - validTrials;
      const halves = cell.pairs === null ? '' : ', with the other halves of their pairs';
      const told = `${lost} of ${countOf(trials, 'trial')} of ${side} ${lost === 1 ? 'is' : 'are'} not valid`;
      return lost === 0 ? [] : [`${cell.name}: ${told} and left out${halves}`];
    }),
  );
}

/** Trials with fewest samples are often the worst, so leaving them out flatters. */
function warnOfFigures(cells: readonly CellChange[]): string[] {
  return cells.flatMap(({ name, pairs, figures, ...cell }) =>
    figures.flatMap(({ figure: { label }, trials }) => {
      const few = (having: number, all: number, of: string, where: string) =>
        having === 0 || having === all
          ? []
          : [`${name}: only ${having} of ${all} ${of} have samples enough for ${label}${where}`];
      if (pairs !== null) return few(trials.base, pairs, 'pairs', ' on both sides');
      return SIDES.flatMap((side) => few(trials[side], cell[side].validTrials, `valid trials of ${side}`, ''));
    }),
  );
}
