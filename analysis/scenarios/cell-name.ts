/** Cells in words, by their parameters. Browser-safe. */
import { SCENARIOS } from './catalogue.ts';
import type { Cell, MeasuredRun } from './cell.ts';

type Cells = Pick<MeasuredRun, 'scenario'> & { cells: readonly Pick<Cell, 'parameters'>[] };

/** True if not all cells have the same. */
export function isVarying({ cells }: Pick<Cells, 'cells'>, parameter: string): boolean {
  return new Set(cells.map(({ parameters }) => parameters[parameter])).size > 1;
}

/**
 * `yjs, noquill, 8 users`; of documents, the parameters that vary between the cells of its run.
 *
 * @param leftOut a parameter that is told otherwise
 */
export function nameOf(run: Cells, { parameters }: Pick<Cell, 'parameters'>, leftOut?: string): string {
  const scenario = SCENARIOS[run.scenario];
  const named = scenario.parameters.filter(
    ({ name }, index) => name !== leftOut && (index === 0 || scenario.namesAll || isVarying(run, name)),
  );
  const texts = named.flatMap(({ name, unit, one = unit }) => {
    const value = parameters[name];
    if (value === undefined) return [];
    return unit === undefined ? [`${value}`] : [`${value} ${value === 1 ? one : unit}`];
  });
  return texts.join(', ');
}
