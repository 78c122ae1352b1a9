/** From the cells of a run to the rows of a page. Browser-safe. */
import { shellCommand } from '../../results/foreign-text.ts';
import type { Parameters, ScenarioName } from '../../results/formats/documents.ts';
import { maxUsersOf } from '../cell/max-users.ts';
import { aboutCell, isReason } from '../cell/messages.ts';
import { FIGURES } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { type FaultGroup, faultTitle, groupByFault } from '../resilience/fault-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { type Cell, isOfPlayedCrowd, type MeasuredRun, type TypingCell, typingCells } from '../scenarios/cell.ts';
import { namingParameters } from '../scenarios/cell-name.ts';
import type { Replicates, Row } from './page-data.ts';
import { CARRIED_FIGURES, MARKING } from './questions.ts';

export interface RowSource {
  summary: Pick<MeasuredRun, 'scenario' | 'cells'>;
  /** For each cell, the own figures of its valid trials; absent if the run was kept without its trials. */
  replicates?: readonly Replicates[];
  /** How the most users were found: by a `ladder` or a `search`, which look for the end, by `blocks`, which repeat, or otherwise. */
  foundBy: string;
  /** The words of a search on each framework. */
  answers?: readonly { framework: string; mode: string; text: string }[];
}

/** A row for each cell, for each fault that it was to bear, and for the most users that each framework carried. */
export function rowsOf(source: RowSource, run: number): Row[] {
  const { summary } = source;
  const { scenario, cells } = summary;
  const replicates = source.replicates?.length === cells.length ? source.replicates : [];
  const named = namingParameters(summary).map(({ name }) => name);
  const rows = cells.map((cell, index) =>
    rowOf(withRatios(cell, scenario), {
      run,
      kind: scenario,
      parameters: Object.fromEntries(Object.entries(cell.parameters).filter(([name]) => named.includes(name))),
      replicates: replicates[index] ?? {},
      flags: flagsOf(scenario, cell.parameters),
    }),
  );
  const typing = typingCells(summary);
  const faults = groupByFault(typing);
  const struck = typing.flatMap((cell) => faults.map((group) => faultRow(cell, group, run)));
  return [...rows, ...struck, ...carriedRows(typing, rows, source)];
}

/** The own figures of a cell's valid trials, by name. */
export function replicatesOf({ ran }: Pick<Cell, 'ran'>): Replicates {
  const valid = ran.flatMap(({ figures }) => (figures === null ? [] : [figures]));
  const names = [...new Set(valid.flatMap((figures) => Object.keys(figures)))];
  return Object.fromEntries(names.map((name) => [name, valid.flatMap((figures) => figures[name] ?? [])]));
}

type Given = Pick<Row, 'kind' | 'run' | 'parameters' | 'flags'> & Partial<Row>;

function rowOf(cell: Cell, given: Given): Row {
  return { ...cell, ran: [], texts: {}, replicates: {}, isOfPlayedCrowd: isOfPlayedCrowd(cell), ...given };
}

/** With figures that are made of others. */
function withRatios(cell: Cell, scenario: ScenarioName): Cell {
  if (!SCENARIOS[scenario].isTyping) return cell;
  const ratios = FIGURES.filter(({ source }) => source.pooled === 'ratio');
  const values = Object.fromEntries(ratios.map((figure) => [figure.name, figureOf(cell, figure)]));
  return { ...cell, figures: { ...cell.figures, ...values } };
}

/** Flags of `run` that choose a cell alone, as far as it has such flags. */
function flagsOf(scenario: ScenarioName, parameters: Parameters): string {
  const flags = SCENARIOS[scenario].parameters.flatMap(({ name, flag }) => {
    const value = parameters[name];
    if (flag === undefined || value === undefined) return [];
    // Cursors that others see, and company, are properties of the experiment.
    return [flag, name === 'mode' ? String(value).split('+')[0]! : String(value)];
  });
  return shellCommand(flags);
}

/** One without figures if no trial of the cell is valid. */
function faultRow(cell: TypingCell, { rows }: FaultGroup<TypingCell>, run: number): Row {
  const { fault } = rows.find((row) => row.cell === cell)!;
  const titled = fault === null ? rows.find((row) => row.fault !== null)! : { cell, fault };
  const told = fault === null ? [] : FAULT_FIGURES.map(({ name, per }) => ({ name, per, ...fault[name] }));
  const known = told.filter(({ mean, never }) => never === 0 && mean !== null);
  const isNever = told.filter(({ never }) => never > 0);
  return rowOf(cell, {
    run,
    kind: 'faults',
    parameters: { ...cell.parameters, fault: faultTitle(titled.fault!, titled.cell) },
    flags: flagsOf('typing', cell.parameters),
    figures: Object.fromEntries(known.map(({ name, mean, per }) => [name, mean! / per])),
    ci95: Object.fromEntries(
      known.map(({ name, ci95, per }) => [name, ci95 && { low: ci95.low / per, high: ci95.high / per }]),
    ),
    texts: Object.fromEntries(
      isNever.map(({ name, never }) => [
        name,
        never === fault!.trials ? 'never' : `never in ${never} of ${fault!.trials}`,
      ]),
    ),
    series: [],
  });
}

/** How far each framework was fully functional, with the figures of the most users who held, or of the fewest who did not. */
function carriedRows(cells: readonly TypingCell[], rows: readonly Row[], { foundBy, answers = [] }: RowSource): Row[] {
  return maxUsersOf({ cells: cells.map((cell) => ({ ...cell, run: 0 })) }).map((max): Row => {
    const { framework, mode, maxUsers, next } = max;
    const indexWith = (users: number) =>
      cells.findIndex(({ parameters: of }) => of.framework === framework && of.mode === mode && of.users === users);
    const row = rows[indexWith(maxUsers ?? next!.users)]!;
    const missed = cells.filter(
      ({ parameters: of, fullyFunctional }) =>
        of.framework === framework && of.mode === mode && of.users > (maxUsers ?? 0) && fullyFunctional === false,
    );
    const isNextMissed = missed.some(({ parameters: { users } }) => users === next!.users);
    // A search takes the outcomes of trials one by one, where a row takes them together.
    const searched = answers.filter((answer) => answer.framework === framework && answer.mode === mode);
    const isShown = ([name]: [string, unknown]) => [...CARRIED_FIGURES, MARKING].some((each) => each === name);
    const texts: Record<string, string> = {};
    if (maxUsers !== null) texts.carried = `${missed.length > 0 ? '' : '≥ '}${maxUsers}`;
    if (next !== null) texts.next = `${next.users}${isNextMissed ? '' : ' ?'}`;
    return {
      ...row,
      kind: 'carried',
      parameters: { framework, mode, found: foundBy },
      flags: flagsOf('typing', { framework, mode, users: max.ran.join(',') }),
      messages: [
        ...(next?.limitedBy ?? []).map((text) => aboutCell('limit', 'decides', text)),
        ...row.messages.filter((message) => !isReason(message)),
        ...searched.map(({ text }) => aboutCell('search', 'record', `the search itself, trial by trial: ${text}`)),
      ],
      figures: {
        ...Object.fromEntries(Object.entries(row.figures).filter(isShown)),
        carried: maxUsers,
        next: next?.users ?? null,
      },
      texts,
      series: [],
    };
  });
}
