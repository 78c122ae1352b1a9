/**
 * The tiers of servers. A relay and a library's own server do unlike jobs, so figures of both stand in no chart together,
 * and in no table without a heading between them. Browser-safe.
 */
import type { CellSummary } from '../../results/formats/summary.ts';

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

/** The tier that a run wrote into its environment; runs before 21 November 2026 wrote none. */
export function tierIn(environment: Record<string, unknown>, framework: string): Tier {
  const { frameworks } = environment as { frameworks?: Record<string, { tier?: unknown } | null> };
  const told = frameworks?.[framework]?.tier;
  return told === 'library' || told === 'deployed' ? told : 'unknown';
}
