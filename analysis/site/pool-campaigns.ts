/** Kept blocks of campaigns as one run each: replicates of one another, where the newest alone would say less. */
import { poolBlocks } from '../campaign/pool-blocks.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { onlyKnown } from '../statistics/quantile.ts';
import type { KeptRun } from './kept-file.ts';

interface Named {
  name: string;
  kept: KeptRun;
  isSubmitted?: boolean;
}

export type Pooled<Source> = Source & {
  /** Names of the runs that it is of, the oldest first; absent: one. */
  blocks?: readonly string[];
};

/**
 * The runs with the blocks of an entry of a campaign as one, with the plan of the newest. It has the name of the oldest, so that
 * the site's addresses hold when blocks come.
 */
export function poolCampaigns<Source extends Named>(sources: readonly Source[]): Pooled<Source>[] {
  // A run of no campaign is one by itself, whatever its name; and so is each of others', as nobody knows that two are of one person.
  const groups = Map.groupBy(sources, (source) =>
    source.kept.campaign === undefined || source.isSubmitted ? source : source.kept.summary.experiment,
  );
  return [...groups.values()].map((group) => (group.length === 1 ? group[0]! : pool(group)));
}

function pool<Source extends Named>(group: readonly Source[]): Pooled<Source> {
  const byTime = group.toSorted((a, b) => byStart(a.kept, b.kept));
  const newest = byTime.at(-1)!;
  const { plan, summary, campaign } = newest.kept;
  // Two machines may have given one number to blocks of theirs.
  const { cells, beware } = poolBlocks(byTime.map(({ kept }, index) => ({ block: index + 1, summary: kept.summary })));
  const kept: KeptRun = {
    plan: { ...plan, experiment: { ...plan.experiment, trials: group.length } },
    summary: {
      ...summary,
      environment: { ...summary.environment, cpu: machinesOf(group) },
      cells: cells.map(({ cell }) => cell),
    },
    written: newest.kept.written,
    replicates: cells.map(({ replicates }) =>
      Object.fromEntries(Object.entries(replicates).map(([name, values]) => [name, onlyKnown(values)])),
    ),
    campaign,
    beware,
  };
  const blocks = byTime.map(({ name }) => name);
  return { ...newest, name: blocks[0]!, kept, blocks };
}

/**
 * Runs of campaigns by the block that measured them. A block's entries come one after another; once its number changes, or an entry comes
 * again, another has begun.
 */
export function blocksOf(sources: readonly Named[]): MeasuredRun[][] {
  const blocks: { name: string; runs: Map<string, MeasuredRun> }[] = [];
  const own = sources.filter(({ isSubmitted }) => isSubmitted !== true).map(({ kept }) => kept);
  for (const { campaign, summary } of own.toSorted(byStart)) {
    if (campaign === undefined) continue;
    const name = `${campaign.campaign} ${campaign.part} ${campaign.block}`;
    const last = blocks.at(-1);
    if (last?.name === name && !last.runs.has(campaign.entry)) last.runs.set(campaign.entry, summary);
    else blocks.push({ name, runs: new Map([[campaign.entry, summary]]) });
  }
  return blocks.map(({ runs }) => [...runs.values()]);
}

function byStart(a: KeptRun, b: KeptRun): number {
  return a.summary.startedAt < b.summary.startedAt ? -1 : 1;
}

function machinesOf(group: readonly Named[]): string {
  return [...new Set(group.map(({ kept }) => String(kept.summary.environment.cpu ?? 'unknown')))].join(', and ');
}
