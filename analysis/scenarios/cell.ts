/**
 * A cell whose trials have run, of whichever scenario, with all its figures side by side; and the tiers of servers. A relay and a
 * library's own server do unlike jobs: figures of both stand in no chart together, and in no table without a heading between
 * them. Browser-safe.
 */
import type { Parameters, ScenarioName } from '../../results/formats/documents.ts';
import type { CellSummary, FaultSummary, SeriesPoint } from '../../results/formats/summary.ts';
import type { Message, Verdict } from '../../results/formats/verdict.ts';
import type { FiguredCell, Figures } from '../figures/figure.ts';

/** A figure over something that grows; null where no trial has it. */
export interface Curve {
  x: readonly number[];
  y: readonly (number | null)[];
}

/** `analysis/cell/cell-json.ts` has its form in `summary.json`. */
export interface Cell extends FiguredCell {
  /** `yjs-noquill-8`, as in the plan; unique in its run. Of a cell that only a summary tells: its parameters. */
  name: string;
  /** Parameters that distinguish the run's cells, in the order of columns: `{framework, mode, users}`, `{engine, edits}`. */
  parameters: Parameters;
  /** `unknown` of documents by themselves. */
  tier: Tier;
  /** Of the framework, engine or store. */
  version: string;
  trials: number;
  /** Trials that the framework failed. */
  failedTrials: number;
  verdict: CellSummary['verdict'];
  /** Reasons first. */
  messages: readonly Message[];
  /** Answers; null if it is not known, and of documents by themselves. */
  converged: boolean | null;
  fullyFunctional: boolean | null;
  smooth: boolean | null;
  /** Those that were asked for, in the order of the experiment's list. */
  faults: readonly FaultSummary[];
  /** By the curve's name: at each `x` the centre over the valid trials. */
  curves: Readonly<Record<string, Curve>>;
  /** Over time, pooled over the valid trials; empty of documents, and of a cell that only a summary tells. */
  series: readonly SeriesPoint[];
  /** The trials, in order; empty of a cell that only a summary tells. */
  ran: readonly CellTrial[];
}

/** A cell in which people type. */
export interface TypingCell extends Cell {
  parameters: Parameters & { framework: string; mode: string; users: number };
}

/** A run as its summary tells it. */
export interface MeasuredRun {
  scenario: ScenarioName;
  experiment: string;
  startedAt: string;
  environment: Record<string, unknown>;
  cells: readonly Cell[];
}

/** The cells in which people type; none of a run of documents. */
export function typingCells({ scenario, cells }: Pick<MeasuredRun, 'scenario' | 'cells'>): TypingCell[] {
  return scenario === 'typing' ? (cells as TypingCell[]) : [];
}

/** The properties of a cell of which nothing more is known. */
export const BARE_CELL = {
  ...{ missedBounds: [], converged: null, fullyFunctional: null, smooth: null },
  ...{ faults: [], curves: {}, series: [], ran: [] },
} satisfies Partial<Cell>;

/** The version of a cell whose trials tell of none. */
export const UNKNOWN_VERSION = 'unknown';

/** Code of the message on a ladder's largest count that held: what gave out with the next one. */
export const GAVE_OUT = 'gave-out';

/** A message before it is known which trials it is about. */
export type TrialMessage = Omit<Message, 'trials'>;

/** A trial that has run, without its figures. */
export interface TrialJudgement {
  trial: number;
  verdict: Verdict['verdict'];
  messages: TrialMessage[];
  converged: boolean | null;
  /** Of the framework, engine or store, as the records say; null if they cannot be read. */
  version: string | null;
  /** True if the machine was short of cores: a missed bound may then be the machine's fault. */
  isShortOfCores: boolean;
}

export interface CellTrial extends TrialJudgement {
  /** Relative to the run's folder. */
  directory: string;
  /** The trial's own figures that intervals, comparisons and scaling laws are made of; null for a trial that is not valid. */
  figures: Figures | null;
}

export type Tier = CellSummary['tier'];

/** The common trait of a tier's frameworks, to be read after a title; in the order in which tiers are shown. */
export const TIER_TITLES: Readonly<Record<Tier, string>> = {
  library: 'over the same relay',
  deployed: 'with their own servers',
  unknown: 'tier not recorded',
};

export const TIERS = Object.keys(TIER_TITLES) as Tier[];

export interface TierGroup<Item> {
  tier: Tier;
  /** Null where there is no other tier to tell it from. */
  title: string | null;
  items: Item[];
}

/** One group for each tier that there is. */
export function groupByTier<Item extends { tier: Tier }>(items: readonly Item[]): TierGroup<Item>[] {
  const groups = Map.groupBy(items, ({ tier }) => tier);
  return TIERS.flatMap((tier) => {
    const own = groups.get(tier);
    return own === undefined ? [] : [{ tier, title: groups.size > 1 ? TIER_TITLES[tier] : null, items: own }];
  });
}

/** The order of parameters' values: `yjs@9` before `yjs@13`. */
export const naturally = new Intl.Collator('en', { numeric: true }).compare;

/** The tier that a run wrote into its environment; runs before 21 November 2026 wrote none. */
export function tierIn(environment: Record<string, unknown>, framework: string): Tier {
  const told = describedIn(environment, framework)?.tier;
  return told === 'library' || told === 'deployed' ? told : 'unknown';
}

/** True for a framework that others' cost is told over; runs before 27 November 2026 do not say which it is. */
export function isBaselineIn(environment: Record<string, unknown>, framework: string): boolean {
  return describedIn(environment, framework)?.baseline === true;
}

function describedIn(environment: Record<string, unknown>, framework: string): Record<string, unknown> | undefined {
  const { frameworks } = environment as { frameworks?: Record<string, Record<string, unknown> | undefined> };
  return frameworks?.[framework];
}

/** True if a cell rests on a recorded crowd: only such a one is late. */
export function isOfPlayedCrowd({ figures: { crowdLateMs = null } }: Pick<FiguredCell, 'figures'>): boolean {
  return crowdLateMs !== null;
}

type WithTrials = Pick<Cell, 'ran'>;

/** A figure of each trial that has it, beside its cell's place. */
export function pointsOfTrials<Of extends WithTrials>(
  cells: readonly Of[],
  figure: string,
  placeOf: (cell: Of) => number,
): { x: number; y: number }[] {
  return cells.flatMap((cell) =>
    cell.ran.flatMap(({ figures }) => {
      const y = figures?.[figure] ?? null;
      return y === null ? [] : [{ x: placeOf(cell), y }];
    }),
  );
}

/** A figure of trials of one number, which have the same typing: of those that have it in both cells. */
export function pairsOfTrials(
  first: WithTrials,
  second: WithTrials,
  figure: string,
): [first: number, second: number][] {
  return first.ran.flatMap(({ trial, figures }): [number, number][] => {
    const value = figures?.[figure] ?? null;
    const other = second.ran.find((each) => each.trial === trial)?.figures?.[figure] ?? null;
    return value === null || other === null ? [] : [[value, other]];
  });
}
