/** The parts from which the catalogue's entries are made. Browser-safe. */
import type { FigureChart, Source } from './figure.ts';

/** The properties of most figures; an entry tells those that differ. */
export const PLAIN = { scale: 'linear', better: 'lower', bound: null, places: [], chart: null } as const;

const OVER_BOTH = ['users', 'time'] as const;

export function chart(id: string, given: Partial<FigureChart> = {}): FigureChart {
  return { id, over: OVER_BOTH, section: 'figures', axis: 'any', ...given };
}

export const mean = (column: string): Source => ({ pooled: 'mean', column });
