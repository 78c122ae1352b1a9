/** From kept runs to the site's data. */

import { shellCommand } from '../../results/foreign-text.ts';
import { isOfPlayedCrowd } from '../cell/cells.ts';
import { notesOf, reasonsOf } from '../cell/messages.ts';
import { figureNamed } from '../figures/catalogue.ts';
import { type FigureName, figureOf } from '../figures/figure.ts';
import { describeSpeed } from '../figures/machine-speed.ts';
import { maxUsersOf } from '../report/tables.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { faultTitle } from '../resilience/fault-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { type Cell, type MeasuredRun, type TypingCell, typingCells } from '../scenarios/cell.ts';
import { isVarying } from '../scenarios/cell-name.ts';
import type { ScenarioParameter } from '../scenarios/scenario.ts';
import type { KeptRun, Replicates } from './kept-runs.ts';
import { type Pooled, poolCampaigns } from './pool-campaigns.ts';
import { CARRIED_FIGURES, QUESTIONS } from './questions.ts';
import type { SiteData, SiteFigure, SiteFramework, SiteRow, SiteRun } from './site-data.ts';

export interface SiteSource {
  name: string;
  kept: KeptRun;
  isSubmitted: boolean;
}

export interface Surroundings {
  frameworks: Record<string, SiteFramework>;
  /** Names of the ready-made experiments. */
  experiments: readonly string[];
  /** Names of the ready-made campaigns. */
  campaigns: readonly string[];
  code: string;
}

/** @param sources in any order */
export function collectSite(sources: readonly SiteSource[], surroundings: Surroundings): SiteData {
  const newest = poolCampaigns(sources).toSorted((a, b) =>
    a.kept.summary.startedAt < b.kept.summary.startedAt ? 1 : -1,
  );
  return {
    runs: newest.map((source) => describeRun(source, surroundings)),
    questions: [...QUESTIONS],
    rows: newest.flatMap(({ kept }, run) => rowsOf(kept, run)),
    frameworks: surroundings.frameworks,
    code: surroundings.code,
  };
}

function describeRun(
  { name, kept, isSubmitted, blocks = [name] }: Pooled<SiteSource>,
  { experiments, campaigns }: Surroundings,
): SiteRun {
  const { experiment, startedAt, environment } = kept.summary;
  const { campaign, part, entry } = kept.campaign ?? {};
  const { cpu, cores } = environment as { cpu?: string; cores?: number };
  return {
    ...{ name, experiment, startedAt, isSubmitted, files: blocks },
    title: [
      campaign === undefined ? experiment : `${campaign} ${part}, ${entry}`,
      ...(blocks.length > 1 ? [`${blocks.length} blocks`] : []),
      startedAt.slice(0, 10),
      `${cpu ?? 'unknown'}, ${cores} cores`,
      ...(isSubmitted ? ['submitted'] : []),
    ].join(' · '),
    trace: kept.plan.experiment.trace ?? '',
    machine: [
      cpu ?? 'unknown',
      ...(cores === undefined ? [] : [`${cores} cores`]),
      describeSpeed(kept.summary.cells),
    ].join(', '),
    conditions: conditionsOf(kept),
    file: experiments.includes(experiment) ? `harness/experiments/${experiment}.yaml` : null,
    beware: kept.beware ?? [],
    campaign:
      campaign !== undefined && part !== undefined && campaigns.includes(campaign)
        ? shellCommand([campaign, '--parts', part])
        : null,
  };
}

const SECOND = 1000;

/** The conditions that most often tell runs apart; the plan has all. */
function conditionsOf({ plan: { experiment }, summary }: KeptRun): string[] {
  const { environment } = summary;
  const { durations, trials } = experiment;
  const { typing, network, fleet } = experiment as {
    typing?: { keysPerSecond?: number; rhythm?: string };
    network?: { groups?: { link?: { oneWayDelayMs?: number } }[] };
    fleet?: { on?: string };
  };
  const delays = [...new Set(network?.groups?.flatMap(({ link }) => link?.oneWayDelayMs ?? []))];
  const { chrome, node, scriptorium } = environment;
  return [
    ...(durations === undefined
      ? []
      : [`warm-up ${durations.warmUpMs / SECOND} s`, `measured ${durations.measureMs / SECOND} s`]),
    ...(trials === undefined ? [] : [`${trials} trials`]),
    ...(typing?.keysPerSecond === undefined
      ? []
      : [`${typing.keysPerSecond} keys a second, ${typing.rhythm ?? 'regular'}`]),
    ...(delays.some((delay) => delay > 0) ? [`one-way delay ${delays.join(' or ')} ms`] : []),
    ...(fleet?.on === undefined ? [] : [`fleet ${fleet.on}`]),
    ...constantParameters(summary),
    ...[chrome, node && `Node ${node}`, scriptorium && `Scriptorium ${scriptorium}`].filter(
      (each) => typeof each === 'string',
    ),
  ];
}

/** Of documents; rows of people who type have all of theirs. */
function constantParameters({ scenario, cells }: MeasuredRun): string[] {
  const { parameters, namesAll } = SCENARIOS[scenario];
  if (namesAll || cells.length === 0) return [];
  const constant = parameters.slice(1).filter(({ name }) => !isVarying({ cells }, name));
  return constant.map(({ name }) => `${name} ${cells[0]!.parameters[name]}`);
}

function rowsOf(kept: KeptRun, run: number): SiteRow[] {
  const { summary } = kept;
  const replicates = kept.replicates?.length === summary.cells.length ? kept.replicates : undefined;
  const typed = typingCells(summary);
  if (typed.length === 0)
    return summary.cells.map((cell, index) => documentRow(summary, cell, run, replicates?.[index]));
  return [
    ...typed.map((cell, index) => typingRow(cell, run, replicates?.[index])),
    ...typed.flatMap((cell) => faultRows(cell, run)),
    ...carriedRows(typed, run, { replicates, also: foundBy(kept), answers: kept.answers ?? [] }),
  ];
}

const TYPING_COLUMNS = namesOf('typing') as FigureName[];

function namesOf(kind: SiteRow['kind']): string[] {
  return QUESTIONS.filter((question) => question.kind === kind).flatMap(({ columns }) =>
    columns.map(({ name }) => name),
  );
}

function typingRow(cell: TypingCell, run: number, replicates?: Replicates): SiteRow {
  const named = (name: FigureName) => figureOf(cell, figureNamed(name));
  const ci95 = (name: string) => cell.ci95[name];
  return {
    ...commonOf(cell, run),
    kind: 'typing',
    figures: figuresOf(TYPING_COLUMNS, { figure: (name) => named(name as FigureName), ci95, replicates }),
  };
}

function commonOf(cell: TypingCell, run: number): Omit<SiteRow, 'kind' | 'figures'> {
  const { version, tier, trials, validTrials, verdict, messages } = cell;
  const { framework, mode, users } = cell.parameters;
  const [name] = mode.split('+');
  return {
    ...{ run, who: framework, version, tier, mode, users, trials, validTrials, verdict },
    ...{ reasons: reasonsOf(messages), notes: notesOf(messages) },
    also: '',
    ...(isOfPlayedCrowd(cell) && { isOfPlayedCrowd: true }),
    functional: cell.fullyFunctional,
    smooth: cell.smooth,
    flags: shellCommand(['--frameworks', framework, '--modes', name!, '--users', String(users)]),
  };
}

/** A row for each fault that the cell was asked to bear. */
function faultRows(cell: TypingCell, run: number): SiteRow[] {
  return cell.faults.map((fault) => ({
    ...commonOf(cell, run),
    kind: 'faults',
    also: faultTitle(fault, cell),
    figures: Object.fromEntries(
      FAULT_FIGURES.flatMap(({ name, per }): [string, SiteFigure][] => {
        const { mean, ci95, never } = fault[name];
        if (never > 0)
          return [
            [name, { value: null, text: never === fault.trials ? 'never' : `never in ${never} of ${fault.trials}` }],
          ];
        return mean === null
          ? []
          : [[name, siteFigure(mean / per, ci95 && { low: ci95.low / per, high: ci95.high / per })]];
      }),
    ),
  }));
}

/** How far each framework was fully functional, with the figures of the most users who held, or of the fewest who did not. */
function carriedRows(
  cells: readonly TypingCell[],
  run: number,
  given: { replicates?: readonly Replicates[]; also: string; answers: NonNullable<KeptRun['answers']> },
): SiteRow[] {
  const { replicates, also, answers } = given;
  return maxUsersOf({ cells: cells.map((cell) => ({ ...cell, run })) }).map(
    ({ framework, mode, maxUsers, ran, next }): SiteRow => {
      const index = cells.findIndex(
        ({ parameters: of }) =>
          of.framework === framework && of.mode === mode && of.users === (maxUsers ?? next!.users),
      );
      const missed = next !== null && hasMissed(cells, { framework, mode, users: next.users });
      // A search takes the outcomes of trials one by one, where a row takes them together.
      const searched = answers.find((answer) => answer.framework === framework && answer.mode === mode);
      const shown = typingRow(cells[index]!, run, replicates?.[index]).figures;
      return {
        ...commonOf(cells[index]!, run),
        ...{ kind: 'carried', also, users: null },
        reasons: next?.limitedBy ?? [],
        notes: [
          ...notesOf(cells[index]!.messages),
          ...(searched === undefined ? [] : [`the search itself, trial by trial: ${searched.text}`]),
        ],
        flags: shellCommand(['--frameworks', framework, '--modes', mode.split('+')[0]!, '--users', ran.join(',')]),
        figures: {
          ...(maxUsers !== null && { carried: { value: maxUsers, text: `${missed ? '' : '≥ '}${maxUsers}` } }),
          ...(next !== null && { next: { value: next.users, text: `${next.users}${missed ? '' : ' ?'}` } }),
          ...Object.fromEntries(
            CARRIED_FIGURES.flatMap((name) => (shown[name] === undefined ? [] : [[name, shown[name]]])),
          ),
        },
      };
    },
  );
}

function hasMissed(cells: readonly TypingCell[], of: TypingCell['parameters']): boolean {
  const cell = cells.find(
    ({ parameters: { framework, mode, users } }) =>
      framework === of.framework && mode === of.mode && users === of.users,
  );
  return cell?.fullyFunctional === false;
}

/** How a run found the most users: blocks are repeats, a search looks for the end. */
function foundBy({ answer, campaign, plan }: KeptRun): string {
  const { rhythm } = plan.experiment.typing ?? {};
  const way = campaign !== undefined ? 'blocks' : answer !== undefined ? 'search' : 'other runs';
  return rhythm === 'human' ? `${way}, human pauses` : way;
}

function documentRow({ scenario, cells }: MeasuredRun, cell: Cell, run: number, replicates?: Replicates): SiteRow {
  const { version, trials, validTrials, verdict, messages } = cell;
  const [first, ...more] = SCENARIOS[scenario].parameters;
  const varying = more.filter(({ name }) => isVarying({ cells }, name));
  const who = String(cell.parameters[first!.name]);
  return {
    ...{ kind: scenario, run, version, trials, validTrials, verdict },
    ...{ reasons: reasonsOf(messages), notes: notesOf(messages) },
    who,
    also: parametersText(varying, cell),
    ...{ tier: 'unknown', mode: '', users: null, functional: null, smooth: null },
    flags: first!.flag === undefined ? '' : shellCommand([first!.flag, who]),
    figures: figuresOf(namesOf(scenario), {
      figure: (name) => cell.figures[name] ?? null,
      ci95: (name) => cell.ci95[name],
      replicates,
    }),
  };
}

function parametersText(parameters: readonly ScenarioParameter[], { parameters: of }: Cell): string {
  return parameters
    .flatMap(({ name, unit }) =>
      of[name] === undefined ? [] : [unit === undefined ? `${of[name]}` : `${of[name]} ${unit}`],
    )
    .join(', ');
}

interface FigureSource {
  figure(name: string): number | null;
  ci95(name: string): { low: number; high: number } | null | undefined;
  replicates: Replicates | undefined;
}

function figuresOf(names: readonly string[], { figure, ci95, replicates }: FigureSource): SiteRow['figures'] {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = figure(name);
      return value === null ? [] : [[name, siteFigure(value, ci95(name), replicates?.[name])]];
    }),
  );
}

function siteFigure(
  value: number,
  ci95?: { low: number; high: number } | null,
  trials?: readonly number[],
): SiteFigure {
  return {
    value: short(value),
    ...(ci95 && { ci95: [short(ci95.low), short(ci95.high)] as const }),
    ...(trials !== undefined && trials.length > 1 && { trials: trials.map(short) }),
  };
}

/** More digits than these nobody reads, and every page would carry them. */
function short(value: number): number {
  return Number(value.toPrecision(4));
}
