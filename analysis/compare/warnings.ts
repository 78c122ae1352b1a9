/** Why a comparison may say something else than it seems to. */
import { TIER_TITLES, type Tier } from '../cell/cell.ts';
import { differingConditions, type WithConditions } from '../report/collect.ts';
import type { CellChange } from './compared-run.ts';

export function warnOfConditions(base: WithConditions, fresh: WithConditions): string[] {
  const differing = differingConditions(base, fresh);
  const names =
    base.experiment.name === fresh.experiment.name
      ? []
      : [`name: "${base.experiment.name}" / "${fresh.experiment.name}"`];
  return differing.length === 0
    ? []
    : [`the experiments differ, so what changed may be the conditions: ${[...names, ...differing].join(', ')}`];
}

/** The properties of the environment that move figures by themselves. */
const MACHINE_PROPERTIES = ['cpu', 'cores', 'memoryMiB', 'os', 'node', 'chrome', 'fleet'];

export function warnOfMachines(base: Record<string, unknown>, fresh: Record<string, unknown>): string[] {
  const differing = MACHINE_PROPERTIES.filter((name) => JSON.stringify(base[name]) !== JSON.stringify(fresh[name]));
  return differing.length === 0
    ? []
    : [
        `the machines differ, so what changed may be the machine: ${differing.map((name) => `${name}: ${base[name] ?? 'unknown'} / ${fresh[name] ?? 'unknown'}`).join(', ')}`,
      ];
}

/** A framework's server may have changed from a relay to its own. */
export function warnOfTiers(cells: readonly CellChange[]): string[] {
  const differing = cells.flatMap(({ parameters, base, new: fresh }) => {
    const [before, after] = [base, fresh].map((summary) => (summary as { tier?: Tier }).tier);
    if (before === undefined || after === undefined || before === after) return [];
    const jobs = `${TIER_TITLES[before]} / ${TIER_TITLES[after]}`;
    return [`the servers of ${parameters.framework} do unlike jobs, so what changed may be the job: ${jobs}`];
  });
  return [...new Set(differing)];
}

export function warnOfTrials(cells: readonly CellChange[]): string[] {
  return cells.flatMap((cell) =>
    (['base', 'new'] as const).flatMap((side) => {
      const { trials, validTrials } = cell[side];
      return trials === validTrials
        ? []
        : [
            `${cell.name}: ${trials - validTrials} of ${trials} trials of ${side} are not valid and left out${cell.pairs === null ? '' : ', with the other halves of their pairs'}`,
          ];
    }),
  );
}

/** Trials with fewest samples are often the worst, so leaving them out flatters. */
export function warnOfFigures(cells: readonly CellChange[]): string[] {
  return cells.flatMap((cell) =>
    cell.figures.flatMap(({ figure, trials }) => {
      const { name } = cell;
      if (cell.pairs !== null) {
        return trials.base === 0 || trials.base === cell.pairs
          ? []
          : [
              `${name}: only ${trials.base} of ${cell.pairs} pairs have samples enough for ${figure.label} on both sides`,
            ];
      }
      return (['base', 'new'] as const).flatMap((side) => {
        const { validTrials } = cell[side];
        return trials[side] === 0 || trials[side] === validTrials
          ? []
          : [
              `${name}: only ${trials[side]} of ${validTrials} valid trials of ${side} have samples enough for ${figure.label}`,
            ];
      });
    }),
  );
}
