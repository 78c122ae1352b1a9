/**
 * The speed of the machines that cells were measured on. Two machines of one name may differ twofold, so figures of machines
 * that differ by more than a tenth stand together only with a sentence that says so. Browser-safe.
 */

import { onlyKnown, quantile } from '../statistics/quantile.ts';
import type { Figures } from './figure.ts';
import { countOf } from './figure-text.ts';

/** Machines whose speeds differ by more count as two. */
const SAME_SPEED_PERCENT = 10;
export const SPEED_FIGURES = { oneCore: 'machineSpeed.oneCore', allCores: 'machineSpeed.allCores' } as const;

/** A cell, or a trial. */
interface Measured {
  figures: Figures;
}

interface Range {
  low: number;
  middle: number;
  high: number;
}

/** Cells or trials that were measured together, and their name in a sentence. */
export interface MeasuredTogether {
  name: string;
  /** Those of each cell, or trial. */
  cells: readonly Measured[];
}

/** `2 cores of AMD EPYC`, by an `environment.json`. */
export function nameOfMachine({ cores, cpu }: Readonly<Record<string, unknown>>): string {
  return `${countOf(Number(cores), 'core')} of ${cpu}`;
}

/** Of one of them; null if it was not measured. */
export function speedOf({ figures }: Measured): Record<keyof typeof SPEED_FIGURES, number | null> {
  return { oneCore: figures[SPEED_FIGURES.oneCore] ?? null, allCores: figures[SPEED_FIGURES.allCores] ?? null };
}

/** `303 turns/µs on one core, 560 on all`, or the ranges over cells that differ; `speed not measured` if none has it. */
export function describeSpeed(cells: readonly Measured[]): string {
  const speeds = rangesOf(cells);
  if (speeds === null) return 'speed not measured';
  const [one, all] = [speeds.oneCore, speeds.allCores].map(({ low, high }) => {
    return spreadPercent([low, high]) > SAME_SPEED_PERCENT
      ? `${low.toFixed(0)} to ${high.toFixed(0)}`
      : ((low + high) / 2).toFixed(0);
  });
  return `${one} turns/µs on one core, ${all} on all`;
}

/** The most that a hypervisor gave to others of the machines of these cells; null if none has it. */
export function mostStolenPercent(cells: readonly Measured[]): number | null {
  const known = onlyKnown(cells.map((cell) => cell.figures.machineStealPercent ?? null));
  return known.length === 0 ? null : Math.max(...known);
}

/**
 * Sentences on groups whose machines differ by more than a tenth, among each other or within, or whose speed is not known.
 *
 * @param options.isOneMachine true if all are known to be of one machine, whose speed may have changed
 */
export function warnOfSpeeds(
  groups: readonly MeasuredTogether[],
  { isOneMachine = groups.length < 2 }: { isOneMachine?: boolean } = {},
): string[] {
  const all = groups.map(({ name, cells }) => ({ name, speeds: rangesOf(cells) }));
  const known = onlyKnown(all.map(({ speeds }) => speeds));
  const unknown = all.filter(({ speeds }) => speeds === null).map(({ name }) => name);
  // A group among others has one speed: a single reading that was disturbed is no other machine.
  const speedsIn = ({ low, middle, high }: Range) => (known.length > 1 ? [middle] : [low, high]);
  const percent = Math.max(
    spreadPercent(known.flatMap(({ oneCore }) => speedsIn(oneCore))),
    spreadPercent(known.flatMap(({ allCores }) => speedsIn(allCores))),
  );
  const warnings: string[] = [];
  if (percent > SAME_SPEED_PERCENT) {
    const changed = isOneMachine ? 'this machine’s speed varied by' : 'the machines’ speeds differ by';
    const speeds = groups.map(({ name, cells }) => `${name}: ${describeSpeed(cells)}`).join('; ');
    warnings.push(
      `${changed} ${percent.toFixed(percent < 2 * SAME_SPEED_PERCENT ? 1 : 0)} %, more than ${SAME_SPEED_PERCENT} %, so figures may differ by the machine: ${speeds}`,
    );
  }
  if (unknown.length > 0 && !isOneMachine) {
    const which = known.length === 0 ? 'all of these' : unknown.join('; ');
    warnings.push(`the machine’s speed was not measured, so figures may differ by the machine: ${which}`);
  }
  return warnings;
}

/** Those of one machine together: of one name, and as far as their speeds tell; each is like the first of its group. */
export function byMachine<Item>(
  items: readonly Item[],
  machineOf: (item: Item) => MeasuredTogether,
): (MeasuredTogether & { items: Item[] })[] {
  const groups: (MeasuredTogether & { items: Item[] })[] = [];
  for (const item of items) {
    const { name, cells } = machineOf(item);
    const known = groups.find((group) => group.name === name && mayBeOneMachine(group.cells, cells));
    if (known === undefined) groups.push({ name, cells, items: [item] });
    else known.items.push(item);
  }
  return groups;
}

/** True if two machines of one name may be one, by their speeds: one that was not measured is like such ones alone. */
function mayBeOneMachine(a: readonly Measured[], b: readonly Measured[]): boolean {
  const [first, second] = [rangesOf(a), rangesOf(b)];
  if (first === null || second === null) return first === second;
  return (['oneCore', 'allCores'] as const).every(
    (part) => spreadPercent([first[part].middle, second[part].middle]) <= SAME_SPEED_PERCENT,
  );
}

/** `490/976 turns/µs`: of one core, and of all. Null if it was not measured. */
export function speedInShort(cells: readonly Measured[]): string | null {
  const speeds = rangesOf(cells);
  return speeds && `${speeds.oneCore.middle.toFixed(0)}/${speeds.allCores.middle.toFixed(0)} turns/µs`;
}

function rangesOf(cells: readonly Measured[]): Record<keyof typeof SPEED_FIGURES, Range> | null {
  const rangeOf = (name: string): Range | null => {
    const values = onlyKnown(cells.map(({ figures }) => figures[name] ?? null)).toSorted((a, b) => a - b);
    return values.length === 0 ? null : { low: values[0]!, middle: quantile(values, 0.5), high: values.at(-1)! };
  };
  const [oneCore, allCores] = [rangeOf(SPEED_FIGURES.oneCore), rangeOf(SPEED_FIGURES.allCores)];
  return oneCore === null || allCores === null ? null : { oneCore, allCores };
}

/** By how much the greatest exceeds the least; 0 of nothing. */
function spreadPercent(values: readonly number[]): number {
  return values.length === 0 ? 0 : 100 * (Math.max(...values) / Math.min(...values) - 1);
}
