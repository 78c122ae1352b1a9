/** Costs of a store over memory, and of several servers over one: cells of one run that differ in nothing else. Browser-safe. */
import { modeWithout, serversIn, storeIn } from '../../results/formats/run-directory.ts';
import type { BackingCost } from '../../results/formats/summary.ts';
import { figuresIn } from '../figures/catalogue.ts';
import type { Figure } from '../figures/figure.ts';
import { pairsOfTrials, type TypingCell } from '../scenarios/cell.ts';
import { fourDigits } from '../statistics/quantile.ts';
import { comparePairs } from '../statistics/welch.ts';

export type Backing = BackingCost['of'];

/** The figures that a store, or several servers, make more or less; what only they have is no difference. */
export const BACKING_COSTS: Readonly<Record<Backing, readonly Figure[]>> = {
  store: figuresIn('store').filter(({ isSeldom }) => isSeldom !== true),
  servers: figuresIn('servers').filter(({ isSeldom }) => isSeldom !== true),
};

type BackedCell = Pick<TypingCell, 'parameters' | 'ran'>;

/** True if a cell has a store, or several servers. */
export function hasBacking(of: Backing, { parameters: { mode } }: Pick<TypingCell, 'parameters'>): boolean {
  return of === 'store' ? storeIn(mode) !== undefined : serversIn(mode) > 1;
}

/** One for each cell with more whose like without it has run too, in the order of the cells. */
export function backingCosts(cells: readonly BackedCell[]): BackingCost[] {
  return (['store', 'servers'] as const).flatMap((of) =>
    cells.flatMap((cell) => {
      const costs = costsOf(of, cell, cells);
      const { framework, mode, users } = cell.parameters;
      return costs.length === 0 ? [] : [{ framework, mode, users, of, costs }];
    }),
  );
}

/** Of one cell among those of its run; none if it has no more, or its like without has not run. */
export function costsOf(of: Backing, cell: BackedCell, cells: readonly BackedCell[]): BackingCost['costs'] {
  const base = hasBacking(of, cell) ? likeWithout(of, cell, cells) : undefined;
  return base === undefined ? [] : BACKING_COSTS[of].flatMap((figure) => costOf(figure, base, cell));
}

function likeWithout<Cell extends BackedCell>(
  of: Backing,
  { parameters: { framework, mode, users } }: Cell,
  cells: readonly Cell[],
): Cell | undefined {
  // A store that is slowed is compared with memory, too.
  const without = modeWithout(of === 'store' ? modeWithout(mode, 'writes') : mode, of);
  return cells.find(
    ({ parameters: other }) => other.framework === framework && other.mode === without && other.users === users,
  );
}

/** Over the trials of one number, which have the same typing. */
function costOf({ name, scale }: Figure, base: BackedCell, cell: BackedCell): BackingCost['costs'] {
  const pairs = pairsOfTrials(base, cell, name);
  const compared = comparePairs(pairs, scale);
  if (compared === null) return [];
  const { estimate, ci95 } = compared;
  return [
    {
      figure: name,
      is: scale === 'log' ? 'times' : 'more',
      value: fourDigits(estimate),
      ci95: ci95 && { low: fourDigits(ci95.low), high: fourDigits(ci95.high) },
      pairs: pairs.length,
    },
  ];
}
