/** From kept runs to the data of the site's page. */
import { shellCommand } from '../../results/foreign-text.ts';
import type { PageData, PageFramework, PageRun, Replicates, Row } from '../page/page-data.ts';
import { pageRun } from '../page/page-run.ts';
import { MARKING, QUESTIONS } from '../page/questions.ts';
import { rowsOf } from '../page/rows.ts';
import type { KeptRun } from './kept-file.ts';
import { type Pooled, poolCampaigns } from './pool-campaigns.ts';

export interface SiteSource {
  name: string;
  kept: KeptRun;
  isSubmitted: boolean;
}

export interface Surroundings {
  frameworks: Record<string, PageFramework>;
  /** Names of the ready-made experiments. */
  experiments: readonly string[];
  /** Names of the ready-made campaigns. */
  campaigns: readonly string[];
  code: string;
}

/** @param sources in any order; the newest is offered first */
export function collectSite(sources: readonly SiteSource[], surroundings: Surroundings): PageData {
  const newest = poolCampaigns(sources).toSorted((a, b) =>
    a.kept.summary.startedAt < b.kept.summary.startedAt ? 1 : -1,
  );
  const rows = newest.flatMap(({ kept }, run) => rowsOf({ ...kept, foundBy: foundBy(kept) }, run));
  return {
    isReport: false,
    runs: newest.map((source) => describeRun(source, surroundings)),
    questions: [...QUESTIONS],
    rows: rows.map(thinned),
    frameworks: surroundings.frameworks,
    code: surroundings.code,
  };
}

function describeRun(
  { name, kept, isSubmitted, blocks = [name] }: Pooled<SiteSource>,
  { experiments, campaigns }: Surroundings,
): PageRun {
  const { summary, plan, beware = [] } = kept;
  const { experiment } = summary;
  const { campaign, part, entry } = kept.campaign ?? {};
  return {
    ...pageRun({
      name,
      summary,
      experiment: plan.experiment,
      asked: [
        campaign === undefined ? experiment : `${campaign} ${part}, ${entry}`,
        ...(blocks.length > 1 ? [`${blocks.length} blocks`] : []),
      ],
      isSubmitted,
    }),
    files: blocks,
    file: experiments.includes(experiment) ? `harness/experiments/${experiment}.yaml` : null,
    campaign:
      campaign !== undefined && part !== undefined && campaigns.includes(campaign)
        ? shellCommand([campaign, '--parts', part])
        : null,
    beware,
  };
}

/** How a run found the most users: blocks are repeats, a search looks for the end. */
function foundBy({ answer, campaign, plan }: KeptRun): string {
  const { rhythm } = plan.experiment.typing ?? {};
  const way = campaign !== undefined ? 'blocks' : answer !== undefined ? 'search' : 'other runs';
  return rhythm === 'human' ? `${way}, human pauses` : way;
}

/** Without figures that no question asks for: every page carries all rows. */
function thinned(row: Row): Row {
  const asked = ASKED.get(row.kind) ?? [];
  const pick = <Value>(named: Readonly<Record<string, Value | null>>) =>
    asked.flatMap((name): [string, Value][] => {
      const value = named[name] ?? null;
      return value === null ? [] : [[name, value]];
    });
  return {
    ...row,
    figures: Object.fromEntries(pick(row.figures).map(([name, value]) => [name, short(value)])),
    ci95: Object.fromEntries(
      pick(row.ci95).map(([name, { low, high }]) => [name, { low: short(low), high: short(high) }]),
    ),
    replicates: Object.fromEntries(
      pick<Replicates[string]>(row.replicates)
        .filter(([, values]) => values.length > 1)
        .map(([name, values]) => [name, values.map(short)]),
    ),
    faults: [],
    curves: {},
  };
}

/** The names of a kind's figures. */
const ASKED = new Map(
  [...Map.groupBy(QUESTIONS, ({ kind }) => kind)].map(([kind, questions]) => [
    kind,
    [...questions.flatMap(({ columns }) => columns.map(({ name }) => name)), MARKING],
  ]),
);

/** More digits than these nobody reads, and every page would carry them. */
function short(value: number): number {
  return Number(value.toPrecision(4));
}
