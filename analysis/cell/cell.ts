/**
 * A cell whose trials have run: of typing or of documents, with the same properties; and the tiers of servers. A relay and a
 * library's own server do unlike jobs: figures of both stand in no chart together, and in no table without a heading between
 * them. Browser-safe.
 */
import type { DocumentCell, Parameters } from '../../results/formats/documents.ts';
import type { CellSummary, SeriesPoint } from '../../results/formats/summary.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { TrialMessage } from './messages.ts';

/** Figures by their names in `summary.json`, such as `localLatencyMs.p50` or `applyMs`; null: not measured. */
export type Figures = Readonly<Record<string, number | null>>;

/** A cell's verdict and 95 % intervals, as every `summary.json` has them. Its figures are read with `figureOf`. */
export type AnySummary = Pick<
  DocumentCell,
  'version' | 'trials' | 'validTrials' | 'failedTrials' | 'verdict' | 'reasons' | 'notes' | 'messages' | 'ci95'
>;

export interface Cell<Summary extends AnySummary = AnySummary> {
  /** `yjs-noquill-8`, as in the plan; unique in its run. */
  name: string;
  /** Parameters that distinguish the run's cells, in the order of columns: `{framework, mode, users}`, `{engine, edits}`. */
  parameters: Parameters;
  summary: Summary;
  /** Those that have run, in order. */
  trials: CellTrial[];
}

/** A cell in which people type. */
export interface AnalysedCell extends Cell<CellSummary> {
  /** Over time, pooled over the valid trials; empty if there is none. */
  series: SeriesPoint[];
}

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
export function groupByTier<Item>(items: readonly Item[], tierOf: (item: Item) => Tier): TierGroup<Item>[] {
  const groups = Map.groupBy(items, tierOf);
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
