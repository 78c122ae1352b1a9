/** Cells in words, by their parameters. Browser-safe. */
import { SCENARIOS } from './catalogue.ts';
import type { Cell, MeasuredRun } from './cell.ts';
import type { ScenarioParameter } from './scenario.ts';

type Cells = Pick<MeasuredRun, 'scenario'> & { cells: readonly Pick<Cell, 'parameters'>[] };

/** True if not all cells have the same. */
export function isVarying({ cells }: Pick<Cells, 'cells'>, parameter: string): boolean {
  return new Set(cells.map(({ parameters }) => parameters[parameter])).size > 1;
}

/** The parameters that name a run's cells: the first, and of documents those that vary between its cells. */
export function namingParameters(run: Cells): ScenarioParameter[] {
  const { parameters, isTyping } = SCENARIOS[run.scenario];
  return parameters.filter(({ name }, index) => index === 0 || isTyping || isVarying(run, name));
}

/** `yjs, noquill, 8 users`. @param leftOut a parameter that is told otherwise */
export function nameOf(run: Cells, { parameters }: Pick<Cell, 'parameters'>, leftOut?: string): string {
  const texts = namingParameters(run).flatMap((parameter) => {
    const value = parameters[parameter.name];
    return value === undefined || parameter.name === leftOut ? [] : [parameterText(parameter, value)];
  });
  return texts.join(', ');
}

/** `yjs`, `8 users`, `1 user`. */
export function parameterText(
  { unit, one = unit }: Pick<ScenarioParameter, 'unit' | 'one'>,
  value: string | number,
): string {
  return unit === undefined ? String(value) : `${value} ${value === 1 ? one : unit}`;
}
