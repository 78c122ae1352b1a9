/** A report's first statement: how far each framework stayed fully functional, and what limited it. */

import { countOf } from '../../figures/figure-text.ts';
import { type Cell, groupByTier } from '../../scenarios/cell.ts';
import type { NamedReportCell } from '../report-data.ts';
import { type MaxUsers, maxUsersOf } from '../tables.ts';

/** `functional`, `limited` (a bound is missed, or a trial failed), `not-valid` (no valid trial), `unknown` (a figure is missing). */
export type CellState = 'functional' | 'limited' | 'not-valid' | 'unknown';

export function stateOf({
  validTrials,
  verdict,
  fullyFunctional,
}: Pick<Cell, 'validTrials' | 'verdict' | 'fullyFunctional'>): CellState {
  if (fullyFunctional === false) return 'limited';
  if (validTrials === 0) return verdict === 'unknown' ? 'unknown' : 'not-valid';
  if (fullyFunctional === null) return 'unknown';
  return 'functional';
}

/** How far one line of the charts came, in one mode. */
export interface LineVerdict extends MaxUsers {
  line: string;
  version: string;
  /** Fewest users first; at least one. */
  cells: NamedReportCell[];
}

/** One verdict per line and mode, in the order of the cells. */
export function judgeLines(cells: readonly NamedReportCell[]): LineVerdict[] {
  return maxUsersOf({ cells: cells.map(({ cell }) => cell) }).map((maxUsers) => {
    const { run, framework, mode } = maxUsers;
    const own = cells
      .filter(
        ({ cell }) => cell.run === run && cell.parameters.framework === framework && cell.parameters.mode === mode,
      )
      .sort((a, b) => a.cell.parameters.users - b.cell.parameters.users);
    const versions = new Set(own.map(({ cell }) => cell.version));
    return { ...maxUsers, line: own[0]!.line, version: [...versions].join(', '), cells: own };
  });
}

/** The lines of one mode and tier, which are judged together. */
export interface VerdictGroup {
  /** The mode, and the tier where there are several. */
  name: string;
  verdicts: LineVerdict[];
}

export function groupVerdicts(verdicts: readonly LineVerdict[]): VerdictGroup[] {
  const tiers = groupByTier(verdicts, ({ cells }) => cells[0]!.cell.tier);
  const modes = [...new Set(verdicts.map(({ mode }) => mode))];
  return modes.flatMap((mode) =>
    tiers.flatMap(({ title, items }) => {
      const own = items.filter((verdict) => verdict.mode === mode);
      return own.length === 0 ? [] : [{ name: title === null ? mode : `${mode}, ${title}`, verdicts: own }];
    }),
  );
}

/** In a sentence: how many of the group's frameworks carried the most users that were tried. */
export function headline({ verdicts }: VerdictGroup): string {
  const most = Math.max(...verdicts.flatMap(({ ran }) => ran));
  return verdicts.length === 1 ? singleHeadline(verdicts[0]!, most) : groupHeadline(verdicts, most);
}

function groupHeadline(group: readonly LineVerdict[], most: number): string {
  const whole = group.filter(({ maxUsers }) => maxUsers === most).length;
  const unknown = group.filter(({ cells }) =>
    cells.some(({ cell }) => cell.parameters.users === most && stateOf(cell) === 'unknown'),
  ).length;
  const best = Math.max(...group.map(({ maxUsers }) => maxUsers ?? 0));
  const untried = group.filter(({ ran }) => !ran.includes(most)).length;
  const carriers = group.filter(({ maxUsers }) => maxUsers === best).map(({ line }) => line);
  return [
    `${whole === 0 ? 'none' : whole} of ${group.length} stayed fully functional with ${countOf(most, 'user')}, the most tried`,
    ...(whole === 0 && best > 0 ? [`the largest number carried is ${best}, by ${carriers.join(', ')}`] : []),
    ...(unknown > 0 ? [`of ${unknown} it is not known`] : []),
    ...(untried > 0 ? [`${untried} did not run with so many`] : []),
  ].join('; ');
}

function singleHeadline(verdict: LineVerdict, most: number): string {
  const { line, maxUsers } = verdict;
  const gaps = gapsOf(verdict);
  const but = gaps.length === 0 ? '' : `, but not for certain with ${gaps.join(', ')}`;
  if (maxUsers === most) return `${line} stayed fully functional with ${countOf(most, 'user')}, the most tried${but}`;
  if (maxUsers !== null) return `${line} stayed fully functional up to ${countOf(maxUsers, 'user')}${but}`;
  if (limitState(verdict) === 'unknown') return `Whether ${line} was fully functional is not known`;
  return `${line} was not fully functional`;
}

/** The user counts below the largest one carried that were not shown to be carried. */
function gapsOf({ cells, maxUsers }: LineVerdict): number[] {
  const missed = cells.filter(({ cell }) => stateOf(cell) !== 'functional');
  return missed.map(({ cell }) => cell.parameters.users).filter((users) => maxUsers !== null && users < maxUsers);
}

/** How the cell stands that comes after the last fully functional one; null if there is none. */
export function limitState({ next, cells }: LineVerdict): CellState | null {
  if (next === null) return null;
  return stateOf(cells.find(({ cell }) => cell.parameters.users === next.users)!.cell);
}
