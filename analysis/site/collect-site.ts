/** From kept runs to the data of the site's page. */
import { shellCommand } from '../../results/foreign-text.ts';
import { type Card, cardsOf } from '../campaign/cards.ts';
import type { MachineFor } from '../campaign/unit-costs.ts';
import { countOf } from '../figures/figure-text.ts';
import type { PageData, PageFramework, PageRun, Question, Row } from '../page/page-data.ts';
import { pageRun } from '../page/page-run.ts';
import { MARKING, QUESTIONS } from '../page/questions.ts';
import { rowsOf } from '../page/rows.ts';
import { fourDigits } from '../statistics/quantile.ts';
import { costQuestions, costRows } from './cost-rows.ts';
import type { KeptRun } from './kept-file.ts';
import { blocksOf, type Pooled, poolCampaigns } from './pool-campaigns.ts';

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
  machineFor: MachineFor;
  code: string;
}

/** @param sources in any order; the newest is offered first */
export function collectSite(sources: readonly SiteSource[], surroundings: Surroundings): PageData {
  const newest = poolCampaigns(sources).toSorted((a, b) =>
    a.kept.summary.startedAt < b.kept.summary.startedAt ? 1 : -1,
  );
  const cards = cardsOf(blocksOf(sources), surroundings.machineFor);
  const runOf = (experiment: string) =>
    newest.findIndex(({ kept, isSubmitted }) => !isSubmitted && kept.summary.experiment === experiment);
  const questions = [...QUESTIONS, ...costQuestions(cards)];
  const asked = columnsAskedBy(questions);
  const rows = [
    ...newest.flatMap(({ kept, isSubmitted }, run) => rowsOf({ ...kept, foundBy: foundBy(kept, isSubmitted) }, run)),
    ...costRows(cards, runOf),
  ];
  return {
    isReport: false,
    runs: newest.map((source) => describeRun(source, cards, surroundings)),
    questions,
    rows: rows.map((row) => thinned(row, asked.get(row.kind) ?? [])),
    frameworks: surroundings.frameworks,
    code: surroundings.code,
  };
}

function describeRun(
  { name, kept, isSubmitted, blocks = [name] }: Pooled<SiteSource>,
  cards: readonly Card[],
  { experiments, campaigns }: Surroundings,
): PageRun {
  const { summary, plan, beware = [] } = kept;
  const { experiment } = summary;
  const { campaign, part, entry } = kept.campaign ?? {};
  const told = cards.filter(({ measured }) => measured.some((run) => run.experiment === experiment));
  // A file for each rung; of others' ladders each rung stands alone.
  const isLadder = kept.rungs !== undefined && !isSubmitted;
  return {
    ...pageRun({
      name,
      summary,
      experiment: plan.experiment,
      asked: [
        campaign === undefined ? experiment : `${campaign} ${part}${kept.rungs === undefined ? `, ${entry}` : ''}`,
        ...(blocks.length > 1 || isLadder ? [countOf(plan.experiment.trials ?? 0, 'block')] : []),
      ],
      isSubmitted,
    }),
    files: blocks,
    file: experiments.includes(experiment) ? `harness/experiments/${experiment}.yaml` : null,
    campaign:
      campaign !== undefined && part !== undefined && campaigns.includes(campaign)
        ? shellCommand([campaign, '--parts', part])
        : null,
    // The campaign's own file names one framework, and the command of the cards any.
    repeat: told.length === 0 ? undefined : shellCommand(['capacity', ...told.map(({ framework }) => framework)]),
    beware,
  };
}

/** How a run found the most users: blocks are repeats, a search and a ladder look for the end. */
function foundBy({ answer, campaign, plan, rungs }: KeptRun, isSubmitted: boolean): string {
  const { rhythm } = plan.experiment.typing ?? {};
  // Of others' ladders each rung stands alone.
  const ladder = isSubmitted ? 'rung' : 'ladder';
  const ofCampaign = rungs === undefined ? 'blocks' : `${ladder}, ${campaign?.part}`;
  const way = campaign !== undefined ? ofCampaign : answer !== undefined ? 'search' : 'other runs';
  return rhythm === 'human' ? `${way}, human pauses` : way;
}

/** Without figures that no question asks for: every page carries all rows. */
function thinned(row: Row, asked: readonly string[]): Row {
  const pick = <Value>(named: Readonly<Record<string, Value | null>>, shorten: (value: Value) => Value | null) =>
    Object.fromEntries(
      asked.flatMap((name): [string, Value][] => {
        const value = named[name] ?? null;
        const short = value === null ? null : shorten(value);
        return short === null ? [] : [[name, short]];
      }),
    );
  return {
    ...row,
    figures: pick(row.figures, fourDigits),
    ci95: pick(row.ci95, ({ low, high }) => ({ low: fourDigits(low), high: fourDigits(high) })),
    replicates: pick(row.replicates, (values) => (values.length > 1 ? values.map(fourDigits) : null)),
    faults: [],
    curves: {},
  };
}

/** By kind, the names of the figures. */
function columnsAskedBy(all: readonly Question[]): ReadonlyMap<Row['kind'], readonly string[]> {
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return new Map(
    kinds.map(([kind, questions]) => [
      kind,
      [...questions.flatMap(({ columns }) => columns.map(({ name }) => name)), MARKING],
    ]),
  );
}
