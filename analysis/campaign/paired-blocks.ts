/**
 * Cells of the same blocks beside each other. A block's cells share machine, hour and what is typed (its seed), so the ratio of two
 * spreads less over blocks than either does, and their own intervals, which hold all that, need not be apart.
 */

import { BUSY_MACHINE_PERCENT } from '../figures/criterion.ts';
import type { Figure } from '../figures/figure.ts';
import { formatEstimate, formatWithInterval, NOTHING } from '../figures/figure-text.ts';
import { comparePairs, type Difference } from '../statistics/welch.ts';
import { left, right, type Table } from '../tables/table.ts';
import type { PooledCell } from './pool-blocks.ts';

/** Cells that others are divided by: of those that are there, one whose server does the same work. */
const REFERENCES = ['yjs', 'yjs-relay'];
/** A relay does less than a library's own server. */
const OF_SERVERS = /^server/;

/** `cell` ÷ `reference`: the geometric mean over blocks that have both, with Student's t interval; null if none has. */
export function pairedRatio(reference: PooledCell, cell: PooledCell, figure: string): Difference | null {
  const own = cell.replicates[figure] ?? [];
  const pairs = own.flatMap((value, block) => {
    const base = reference.replicates[figure]?.[block] ?? null;
    return value === null || base === null ? [] : [[base, value] as const];
  });
  return comparePairs(pairs, 'log');
}

/** True if some blocks have the figure, but not the one whose machine was fullest, and busy: the mean is too good. */
export function lacksFullest({ replicates }: PooledCell, figure: string): boolean {
  const [busy, own] = [replicates.machineCpuPercent ?? [], replicates[figure] ?? []];
  const most = Math.max(...busy.map((percent) => percent ?? 0));
  if (most <= BUSY_MACHINE_PERCENT || own.every((value) => value === null)) return false;
  return own.some((value, block) => value === null && busy[block] === most);
}

/** Ratios of cells that differ in framework alone; null if there are none. */
export function pairedTable(
  cells: readonly PooledCell[],
  figures: readonly Pick<Figure, 'name' | 'short'>[],
): Table | null {
  const othersOf = ({ framework: _, ...others }: PooledCell['parameters']) => Object.values(others).join(' ');
  const ofFrameworks = cells.filter(({ parameters }) => parameters.framework !== undefined);
  const groups = [...Map.groupBy(ofFrameworks, ({ parameters }) => othersOf(parameters))].filter(
    ([, { length }]) => length > 1,
  );
  const rows = groups.flatMap(([others, group]) =>
    group.flatMap((cell) => {
      const reference = referenceOf(cell, group);
      if (reference === cell) return [];
      const [name, base] = [cell, reference].map(({ parameters }) => String(parameters.framework));
      const ratios = figures.map((figure) => {
        const isFair = !OF_SERVERS.test(figure.name) || cell.cell.tier === reference.cell.tier;
        return isFair ? formatRatio(pairedRatio(reference, cell, figure.name)) : NOTHING;
      });
      return [[`${name} ÷ ${base}`, others, ...ratios]];
    }),
  );
  if (rows.length === 0) return null;
  return {
    columns: [left('ratio'), left('of'), ...figures.map(({ short }) => right(short))],
    rows,
  };
}

function referenceOf(cell: PooledCell, group: readonly PooledCell[]): PooledCell {
  const found = REFERENCES.flatMap((name) => group.find(({ parameters }) => parameters.framework === name) ?? []);
  return found.find((each) => each.cell.tier === cell.cell.tier) ?? found[0] ?? group[0]!;
}

/** `1.18 (1.13–1.25)`, `0.0042 (0.0020–0.012)`. */
export function formatRatio(compared: Difference | null): string {
  return compared === null ? NOTHING : formatWithInterval(compared.estimate, compared.ci95, formatTimes);
}

/** A ratio of 0.00 would say that there is nothing at all. */
function formatTimes(ratio: number | null): string {
  return ratio === null || ratio < 0.1 ? formatEstimate(ratio) : ratio.toFixed(2);
}

export const PAIRED_MEANING =
  'Each ratio is of cells in one block, which share the machine and what is typed: geometric means over blocks, with 95 % intervals.';
