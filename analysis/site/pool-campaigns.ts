/** Kept blocks of campaigns as one run each: replicates of one another, where the newest alone would say less. */
import type { Rung } from '../../results/formats/run-directory.ts';
import { climbOf, isBlamed } from '../campaign/ladder.ts';
import { type BlockSummary, poolBlocks } from '../campaign/pool-blocks.ts';
import { aboutCell } from '../cell/messages.ts';
import { differingConditions, type WithConditions } from '../cell/run-conditions.ts';
import { byMachine, nameOfMachine, speedInShort } from '../figures/machine-speed.ts';
import { type Cell, GAVE_OUT, type MeasuredRun } from '../scenarios/cell.ts';
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
 * The runs with the blocks of an entry of a campaign as one, with the plan of the newest; of a ladder, all rungs that one machine
 * climbed, known by its name and its speed. It has the name of the oldest, so that the site's addresses hold when blocks come.
 */
export function poolCampaigns<Source extends Named>(sources: readonly Source[]): Pooled<Source>[] {
  // A run of no campaign is one by itself, whatever its name; and so is each of others', as nobody knows that two are of one person.
  const isAlone = ({ kept, isSubmitted }: Source) => kept.campaign === undefined || isSubmitted === true;
  const machines = climbingMachines(sources.filter((source) => !isAlone(source)));
  const groups = Map.groupBy(sources, (source) => {
    return isAlone(source) ? source : [pooledName(source.kept), machines.get(source) ?? []].flat().join(' on ');
  });
  return [...groups.values()].map((group) => {
    const [first] = group as [Source];
    const isWhole = group.length === 1 && (isAlone(first) || first.kept.rungs === undefined);
    return isWhole ? first : pool(group, machines.get(first));
  });
}

/** The name that the blocks of an entry, or of a ladder, have together. */
export function pooledName({ summary, campaign, rungs }: KeptRun): string {
  return rungs === undefined ? summary.experiment : `${campaign!.campaign}-${campaign!.part}`;
}

/**
 * The machine of each run of a ladder, such as `2 cores of Intel …, 490/976 turns/µs`. Several may have one name and differ in speed:
 * blocks that may be of one are of the oldest such. Rungs in which nothing counted say no speed, and are of their block's machine.
 */
function climbingMachines<Source extends Named>(sources: readonly Source[]): Map<Source, string> {
  const rungs = sources.filter(({ kept }) => kept.rungs !== undefined).toSorted((a, b) => byStart(a.kept, b.kept));
  const blocks = Map.groupBy(rungs, (run) => [pooledName(run.kept), cpusOf(run), blockOf(run)].join());
  const machines = byMachine([...blocks.values()], (block) => ({
    name: cpusOf(block[0]!),
    cells: block.flatMap(({ kept }) => kept.summary.cells),
  }));
  return new Map(
    machines.flatMap(({ name, cells, items }) => {
      const machine = [name, speedInShort(cells) ?? []].flat().join(', ');
      return items.flat().map((run) => [run, machine] as const);
    }),
  );
}

function cpusOf({ kept }: Pick<Named, 'kept'>): string {
  return nameOfMachine(kept.summary.environment);
}

/** The block of a rung: its number alone two machines may have given. */
function blockOf({ kept: { campaign } }: Pick<Named, 'kept'>): string {
  return `${campaign!.block} ${campaign!.startedAt}`;
}

/** @param machine that climbed, if it is a ladder */
function pool<Source extends Named>(group: readonly Source[], machine?: string): Pooled<Source> {
  const byTime = group.toSorted((a, b) => byStart(a.kept, b.kept));
  const newest = byTime.at(-1)!;
  const { plan, summary, campaign } = newest.kept;
  const { blocks: found, cells, beware, areSpeedsAlike } = poolBlocks(summariesOf(group));
  const sittings = found.map(({ rungs = [] }) => rungs);
  const isLadder = newest.kept.rungs !== undefined;
  // The newest rung knows those alone that came so far.
  const frameworks: object = Object.assign({}, ...byTime.map(({ kept }) => kept.summary.environment.frameworks));
  const kept: KeptRun = {
    plan: { ...plan, experiment: { ...plan.experiment, trials: found.length, durations: durationsOf(group) } },
    summary: {
      ...summary,
      experiment: pooledName(newest.kept),
      environment: { ...summary.environment, ...differingIn(byTime), frameworks },
      cells: cells.map(({ cell }) => (isLadder ? climbed(cell, sittings) : cell)),
    },
    written: newest.kept.written,
    replicates: cells.map(({ replicates }) =>
      Object.fromEntries(Object.entries(replicates).map(([name, values]) => [name, onlyKnown(values)])),
    ),
    campaign,
    rungs: isLadder ? sittings.flat() : undefined,
    beware: [...beware, ...warnOfConditions(byTime, isLadder)],
    ...{ areSpeedsAlike, machine, began: byTime.map(({ kept }) => kept.summary.startedAt) },
  };
  const blocks = byTime.map(({ name }) => name);
  return { ...newest, name: blocks[0]!, kept, blocks };
}

/** Runs of campaigns by the block that measured them, which may have taken several sittings. Old ones, which do not say when it began, are left out. */
export function blocksOf(sources: readonly Named[]): MeasuredRun[][] {
  const own = sources.flatMap(({ kept, isSubmitted }) =>
    kept.campaign?.startedAt === undefined || isSubmitted === true ? [] : [kept],
  );
  const blocks = Map.groupBy(own.toSorted(byStart), ({ campaign }) => {
    const { campaign: name, part, block, startedAt } = campaign!;
    return [name, part, block, startedAt].join(' ');
  });
  return [...blocks.values()].map((runs) => runs.map(({ summary }) => summary));
}

function byStart(a: KeptRun, b: KeptRun): number {
  return a.summary.startedAt < b.summary.startedAt ? -1 : 1;
}

/**
 * In the order of time: two machines may have given one number to blocks of theirs. A ladder's block has all of its rungs; when it
 * began tells it from another of its number.
 */
export function summariesOf(group: readonly Pick<Named, 'kept'>[]): BlockSummary[] {
  const blocks = Map.groupBy(
    group.toSorted((a, b) => byStart(a.kept, b.kept)),
    (run) => (run.kept.rungs === undefined ? run : blockOf(run)),
  );
  return [...blocks.values()].map((runs, index) => {
    const { summary } = runs[0]!.kept;
    return {
      block: index + 1,
      summary: { ...summary, cells: runs.flatMap(({ kept }) => kept.summary.cells) },
      rungs: runs.flatMap(({ kept }) => kept.rungs ?? []),
    };
  });
}

/**
 * A ladder's cell. It is fully functional if its count held in most sittings; not known if the machine or a recorder ended it, which
 * says nothing of the framework. The largest that held tells what gave out next.
 */
function climbed(cell: Cell, sittings: readonly (readonly Rung[])[]): Cell {
  const users = Number(cell.parameters.users);
  const climb = climbOf(String(cell.parameters.framework), sittings, []);
  const { most, end } = climb;
  const isHeld = most !== null && users <= most;
  const isMissed = end !== null && users >= end.users && isBlamed(climb);
  const next = most === users && end !== null ? [aboutCell(GAVE_OUT, 'record', end.gaveOut.join(', '))] : [];
  return { ...cell, fullyFunctional: isHeld ? true : isMissed ? false : null, messages: [...cell.messages, ...next] };
}

/** The experiment of a campaign may have changed between its blocks. A ladder measures few users longer, for as many markers. */
function warnOfConditions(byTime: readonly Named[], isLadder: boolean): string[] {
  const [first, ...others] = byTime.map(({ kept }) => kept.plan as unknown as WithConditions);
  const isTold = (condition: string) => !(isLadder && condition.startsWith('durations.'));
  const found = new Set(others.flatMap((each) => differingConditions(first!, each).filter(isTold)));
  if (found.size === 0) return [];
  return [`the blocks’ experiments differ, so figures may differ by it: ${[...found].join(', ')}`];
}

/** Properties of the machines that differ, each with all that they are. */
function differingIn(group: readonly Named[]): Record<string, string> {
  return Object.fromEntries(
    ['cpu', 'os', 'node', 'chrome'].flatMap((name) => {
      const found = new Set(group.map(({ kept }) => String(kept.summary.environment[name] ?? 'unknown')));
      return found.size < 2 ? [] : [[name, [...found].join(', and ')]];
    }),
  );
}

/** Undefined if they differ, as those of a ladder's rungs: what is measured longer with few users has as many markers. */
function durationsOf(group: readonly Named[]) {
  const all = group.map(({ kept }) => kept.plan.experiment.durations);
  const areAlike = new Set(all.map((durations) => JSON.stringify(durations))).size === 1;
  return areAlike ? all[0] : undefined;
}
