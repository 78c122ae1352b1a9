/** The blocks of a campaign: what is done, what is left, and how long it takes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { blockFolder, highestBlock, type ReportedPart, readBlock } from '../../analysis/campaign/campaign-report.ts';
import { meanOfKnown } from '../../analysis/statistics/quantile.ts';
import { renderText } from '../../analysis/tables/render.ts';
import { left, right } from '../../analysis/tables/table.ts';
import {
  type AnyPlannedTrial,
  type BlockRecord,
  type DocumentTrial,
  PLAN_FILE,
  type PlannedTrial,
  parametersOf,
} from '../../results/formats/run-directory.ts';
import { openRunFolder } from '../../results/run-folder/run-folder.ts';
import { measuredTrials } from '../../results/run-folder/trial-stage.ts';
import type { LoadedExperiment } from '../experiment/experiment-file.ts';
import { derivedSeed, shuffled } from '../experiment/plan.ts';
import { formatAbout } from '../experiment/units.ts';
import type { CampaignPart } from './campaign.ts';
import { openTrials, plannedBefore, plannedIn, type RungFolder, type TrialsWork } from './ladder.ts';

/** How an experiment is planned and run, whatever its scenario: those of documents stand above the harness. */
export interface ExperimentWork<Planned extends AnyPlannedTrial = AnyPlannedTrial> extends TrialsWork<Planned> {
  plan(): Promise<Planned[]>;
}

export type WorkOf = (loaded: LoadedExperiment) => ExperimentWork;

/** One entry's share of a block: a run, whose trials are in the order in which they come in the block. */
interface BlockRun {
  entry: string;
  loaded: LoadedExperiment;
  work: ExperimentWork;
  plan: readonly AnyPlannedTrial[];
  /** Those without a verdict. */
  left: readonly AnyPlannedTrial[];
}

/** Trials of one run that follow one another in a block. */
interface Turn {
  run: BlockRun;
  trials: AnyPlannedTrial[];
}

export type Sitting = BlockRecord['sittings'][number];

/** A block, and what there is of it. */
export interface Block {
  part: CampaignPart;
  /** From 1. */
  number: number;
  directory: string;
  /** All of its cells share it. */
  seed: number;
  runs: readonly BlockRun[];
  turns: readonly Turn[];
  sittings: Sitting[];
}

export function trialsOf({ runs }: Block): number {
  return runs.reduce((sum, { plan }) => sum + plan.length, 0);
}

export function trialsLeft({ runs }: Block): number {
  return runs.reduce((sum, run) => sum + run.left.length, 0);
}

/**
 * Block 1 of all parts, then block 2.
 *
 * @param options.directory that of the campaign
 * @param options.from      first block; those before it are kept elsewhere
 * @throws UserError (2) if a folder holds a run of another experiment
 */
export async function planBlocks(
  parts: readonly CampaignPart[],
  { directory, from = 1, workOf }: { directory: string; from?: number; workOf: WorkOf },
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (let number = from; number <= Math.max(...parts.map(({ blocks }) => blocks)); number++) {
    for (const part of parts.filter(({ blocks }) => number <= blocks)) {
      const folder = blockFolder(directory, part.name, number);
      const block = { part, number, directory: folder, sittings: [], ...(await drawBlock(part, number, workOf)) };
      await lookInto(block);
      blocks.push(block);
    }
  }
  return blocks;
}

/**
 * Draws a block: its seed, and the order of its trials over all entries.
 *
 * @param number from 1
 */
export async function drawBlock(
  { entries }: CampaignPart,
  number: number,
  workOf: WorkOf,
): Promise<Pick<Block, 'seed' | 'runs' | 'turns'>> {
  const runs: BlockRun[] = [];
  for (const { name, loaded } of entries) {
    const seed = derivedSeed(loaded.experiment.seed, number);
    const seeded = { ...loaded, experiment: { ...loaded.experiment, seed } } as LoadedExperiment;
    const work = workOf(seeded);
    runs.push({ entry: name, loaded: seeded, work, plan: await work.plan(), left: [] });
  }
  const { seed } = runs[0]!.loaded.experiment;
  const planned = runs.flatMap((run) => {
    const trials = run.plan.map((trial) => ({ run, trial }));
    return isInTurns(run.loaded) ? [trials] : trials.map((each) => [each]);
  });
  const turns: Turn[] = [];
  for (const { run, trial } of shuffled(planned, seed).flat()) {
    if (turns.at(-1)?.run !== run) turns.push({ run, trials: [] });
    turns.at(-1)!.trials.push(trial);
  }
  for (const run of runs) run.plan = turns.flatMap((turn) => (turn.run === run ? turn.trials : []));
  return { seed, runs, turns };
}

/** Its subjects share a process, which ends with the turn. */
function isInTurns({ experiment }: LoadedExperiment): boolean {
  return 'inTurns' in experiment && experiment.inTurns;
}

/** The rungs of a block of a ladder. */
export function rungsOf({ directory, runs }: Block): (RungFolder & BlockRun)[] {
  return runs.map((run) => ({ ...run, directory: join(directory, run.entry) })) as (RungFolder & BlockRun)[];
}

/** @throws UserError (2) if a folder holds a run of another experiment */
export async function lookInto(block: Block): Promise<void> {
  const open = block.part.ladder ? await openTrials(rungsOf(block)) : null;
  for (const run of block.runs) {
    const { entry, loaded } = run;
    const directory = join(block.directory, entry);
    // A rung's plan is of the trials that were needed so far.
    const plan = open === null ? run.plan : await plannedIn(directory);
    const options = { directory, plan, experiment: loaded.experiment, sameMachine: true, resume: true };
    const isBegun = existsSync(join(directory, PLAN_FILE));
    // One that was begun by an earlier version has a plan as far as its turns had come.
    const folder = isBegun ? await openRunFolder({ ...options, grows: true }) : null;
    const left = folder?.toRun ?? plan;
    const next = open?.flatMap(({ rung, planned }) => (rung.entry === entry ? planned : []));
    const all = next === undefined ? left : [...next, ...(await plannedBefore(directory, left as PlannedTrial[]))];
    run.left = [...new Map(all.map((trial) => [trial.directory, trial])).values()];
  }
  block.sittings = await sittingsIn(block.directory);
}

/** Of a whole block: from finished blocks of the part, or from the plan. */
async function wholeMs({ part, runs }: Block, blocks: readonly Block[]): Promise<number> {
  const took = finishedOf(part, blocks).map(({ sittings }) =>
    sittings.reduce((sum, { startedAt, endedAt }) => sum + Date.parse(endedAt) - Date.parse(startedAt), 0),
  );
  if (took.length > 0) return meanOfKnown(took)!;
  const estimates = await Promise.all(runs.map(({ work, plan }) => work.estimateMs(plan)));
  return estimates.reduce((sum, ms) => sum + ms, 0);
}

/** Those whose time is known. */
function finishedOf(part: CampaignPart, blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => block.part === part && trialsLeft(block) === 0 && block.sittings.length > 0);
}

/** The folders of all blocks of a part, also of those that are not asked for. */
export function foldersOf(part: CampaignPart, directory: string): string[] {
  const length = Math.max(part.blocks, highestBlock(directory, part.name));
  return Array.from({ length }, (_, index) => blockFolder(directory, part.name, index + 1));
}

/** The sittings of all of them. */
export async function sittingsOf(part: CampaignPart, directory: string): Promise<Sitting[]> {
  return (await Promise.all(foldersOf(part, directory).map(sittingsIn))).flat();
}

/** Those of a block; none if it measured nothing: a command that is killed leaves one all the same. */
async function sittingsIn(directory: string): Promise<Sitting[]> {
  const record = await readBlock(directory);
  return record !== null && (await measuredTrials(directory)) > 0 ? record.sittings : [];
}

/** When a block that has not begun may begin, ms since 1970: as long after the last sitting of its part as that asks. */
export function earliestMs({ part, sittings: own }: Block, sittings: readonly Sitting[]): number {
  if (own.length > 0 || sittings.length === 0) return 0;
  return Math.max(...sittings.map(({ endedAt }) => Date.parse(endedAt))) + part.apartMs;
}

/** About how long it takes to finish a block, ms. */
export async function timeLeft(block: Block, blocks: readonly Block[]): Promise<number> {
  return ((await wholeMs(block, blocks)) * trialsLeft(block)) / trialsOf(block);
}

/** The table of done and missing blocks, with the time that they take. */
export async function describeBlocks(parts: readonly CampaignPart[], blocks: readonly Block[]): Promise<string> {
  const columns = ['blocks done', 'trials each', 'a block takes', 'left', 'seed of the next'].map((heading) =>
    right(heading),
  );
  const rows: string[][] = [];
  let totalMs = 0;
  for (const part of parts) {
    const own = blocks.filter((block) => block.part === part);
    const missing = own.filter((block) => trialsLeft(block) > 0);
    // All blocks of a part take alike.
    const blockMs = missing.length === 0 ? 0 : await wholeMs(missing[0]!, blocks);
    const leftMs = missing.reduce((sum, block) => sum + (blockMs * trialsLeft(block)) / trialsOf(block), 0);
    // The time of documents is an estimate, and so is that of earlier blocks; a count of a ladder may take more trials than one.
    const isBound =
      !part.ladder &&
      finishedOf(part, blocks).length === 0 &&
      own[0]!.runs.every(({ loaded }) => loaded.scenario === 'typing');
    const sign = isBound ? 'at most' : 'about';
    const times = missing.length === 0 ? ['–', '–'] : [`${sign} ${formatAbout(blockMs)}`, formatAbout(leftMs)];
    const done = `${own.length - missing.length} of ${own.length}`;
    // By it crowds can be recorded before.
    rows.push([part.name, done, String(trialsOf(own[0]!)), ...times, String(missing[0]?.seed ?? '–')]);
    totalMs += leftMs;
  }
  const assumed = 'with the crowds that are to be recorded, one after the other';
  const remaining = totalMs === 0 ? 'All blocks are done.' : `left in all: ${formatAbout(totalMs)}, ${assumed}`;
  return `${renderText({ columns: [left('part'), ...columns], rows })}\n\n${remaining}`;
}

/** The part as its report needs it: the cells are those of any block. */
export function reported(
  { name, question, blocks, ladder }: CampaignPart,
  { runs }: Pick<Block, 'runs'>,
): ReportedPart {
  const entries = runs.map(({ entry, plan }) => ({
    name: entry,
    cells: (plan as (PlannedTrial | DocumentTrial)[]).map(parametersOf),
  }));
  return { name, question, blocks, ladder, entries };
}
