/** The blocks of a campaign: what is done, what is left, and how long it takes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { blockFolder, type ReportedPart, readBlock } from '../analysis/campaign/campaign-report.ts';
import { meanOfKnown } from '../analysis/statistics/quantile.ts';
import { renderText } from '../analysis/tables/render.ts';
import { left, right } from '../analysis/tables/table.ts';
import { estimateDocumentsMs, planDocuments } from '../documents/plan.ts';
import { type Block, type BlockRun, type CampaignPart, drawBlock } from '../harness/campaign/campaign.ts';
import { recordingsOf } from '../harness/crowd/recordings.ts';
import { estimatePlanMs, makePlan } from '../harness/experiment/plan.ts';
import { formatAbout } from '../harness/experiment/units.ts';
import {
  type AnyPlannedTrial,
  type BlockRecord,
  type DocumentTrial,
  modeWithPresence,
  PLAN_FILE,
  type PlannedTrial,
} from '../results/formats/run-directory.ts';
import { asReason, readDocumentPlan, readPlan } from '../results/run-folder/run-files.ts';
import { openRunFolder } from '../results/run-folder/run-folder.ts';

/** A block, and what there is of it. */
export interface PlannedBlock extends Block {
  part: CampaignPart;
  /** From 1. */
  number: number;
  directory: string;
  trials: number;
  /** Trials without a verdict. */
  left: number;
  sittings: BlockRecord['sittings'];
}

/**
 * Block 1 of all parts, then block 2.
 *
 * @param options.from first block; those before it are kept elsewhere
 */
export async function planBlocks(
  parts: readonly CampaignPart[],
  { directory, from = 1, say }: { directory: string; from?: number; say: (text: string) => void },
): Promise<PlannedBlock[]> {
  const said = new Set<string>();
  const sayOnce = (text: string) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
  const planned: PlannedBlock[] = [];
  for (let number = from; number <= Math.max(...parts.map(({ blocks }) => blocks)); number++) {
    for (const part of parts.filter(({ blocks }) => number <= blocks)) {
      const drawn = await drawBlock(part, number, async ({ scenario, experiment }) =>
        scenario === 'typing' ? makePlan(experiment) : await planDocuments(experiment, sayOnce),
      );
      const trials = drawn.runs.reduce((sum, { plan }) => sum + plan.length, 0);
      const folder = blockFolder(directory, part.name, number);
      const block = { ...drawn, part, number, trials, directory: folder, left: trials, sittings: [] };
      planned.push(block);
      await lookInto(block);
    }
  }
  return planned;
}

/** @throws UserError (2) if a folder holds a run of another experiment */
export async function lookInto(block: PlannedBlock): Promise<void> {
  const left = await Promise.all(block.runs.map((run) => trialsLeft(run, join(block.directory, run.entry))));
  block.left = left.reduce((sum, count) => sum + count, 0);
  block.sittings = (await readBlock(block.directory))?.sittings ?? [];
}

async function trialsLeft({ loaded, plan }: BlockRun, directory: string): Promise<number> {
  if (!existsSync(join(directory, PLAN_FILE))) return plan.length;
  const { toRun } = await openRunFolder({
    ...{ directory, plan, experiment: loaded.experiment, readPlan: planReader(loaded) },
    ...{ sameMachine: true, resume: true, grows: true },
  });
  return toRun.length;
}

/** @returns how many trials of a run its folder's plan has: more come with later turns */
export async function trialsBegun({ loaded, plan }: BlockRun, directory: string): Promise<number> {
  if (!existsSync(join(directory, PLAN_FILE))) return 0;
  const older = await asReason<{ trials: readonly object[] }>(() => planReader(loaded)(directory));
  if (typeof older !== 'string') return older.trials.length;
  // A power cut left it empty: the folders of its trials are left.
  return plan.findLastIndex((trial) => existsSync(join(directory, trial.directory))) + 1;
}

function planReader({ scenario }: BlockRun['loaded']): typeof readPlan | typeof readDocumentPlan {
  return scenario === 'typing' ? readPlan : readDocumentPlan;
}

/** A recording takes seconds to an hour. The twelve of a block of `hundred` take 1.7 minutes each, on two cores of 2026. */
const RECORDING_MS = 2 * 60_000;

/** Of a whole block: from finished blocks of the part, or from the plan. */
async function estimateMs({ part, runs }: PlannedBlock, blocks: readonly PlannedBlock[]): Promise<number> {
  const took = finishedOf(part, blocks).map(({ sittings }) =>
    sittings.reduce((sum, { startedAt, endedAt }) => sum + Date.parse(endedAt) - Date.parse(startedAt), 0),
  );
  if (took.length > 0) return meanOfKnown(took)!;
  let totalMs = 0;
  for (const { loaded, plan } of runs) {
    if (loaded.scenario === 'typing') {
      const recordings = await recordingsOf(loaded.experiment);
      totalMs += estimatePlanMs(loaded.experiment, plan as PlannedTrial[]) + (recordings?.missing ?? 0) * RECORDING_MS;
    } else totalMs += await estimateDocumentsMs(loaded.experiment, plan as DocumentTrial[]);
  }
  return totalMs;
}

/** Those whose time is known. */
function finishedOf(part: CampaignPart, blocks: readonly PlannedBlock[]): PlannedBlock[] {
  return blocks.filter((block) => block.part === part && block.left === 0 && block.sittings.length > 0);
}

export async function timeLeft(block: PlannedBlock, blocks: readonly PlannedBlock[]): Promise<number> {
  return ((await estimateMs(block, blocks)) * block.left) / block.trials;
}

/** The table of done and missing blocks, with the time that they take. */
export async function describeBlocks(parts: readonly CampaignPart[], blocks: readonly PlannedBlock[]): Promise<string> {
  const columns = ['blocks done', 'trials each', 'a block takes', 'left'].map((heading) => right(heading));
  const rows: string[][] = [];
  let totalMs = 0;
  for (const part of parts) {
    const own = blocks.filter((block) => block.part === part);
    const missing = own.filter((block) => block.left > 0);
    // All blocks of a part take alike.
    const wholeMs = missing.length === 0 ? 0 : await estimateMs(missing[0]!, blocks);
    const leftMs = missing.reduce((sum, block) => sum + (wholeMs * block.left) / block.trials, 0);
    const sign = finishedOf(part, blocks).length > 0 ? 'about' : 'at most';
    const times = missing.length === 0 ? ['–', '–'] : [`${sign} ${formatAbout(wholeMs)}`, formatAbout(leftMs)];
    rows.push([part.name, `${own.length - missing.length} of ${own.length}`, String(own[0]!.trials), ...times]);
    totalMs += leftMs;
  }
  const assumed = `a recording of a crowd that is to be made counts ${formatAbout(RECORDING_MS)}`;
  const remaining = totalMs === 0 ? 'All blocks are done.' : `left in all: ${formatAbout(totalMs)}; ${assumed}`;
  return `${renderText({ columns: [left('part'), ...columns], rows })}\n\n${remaining}`;
}

/** The part as its report needs it: the cells are those of any block. */
export function reported(
  { name, question, blocks: count }: CampaignPart,
  blocks: readonly PlannedBlock[],
): ReportedPart {
  const { runs } = blocks.find(({ part }) => part.name === name)!;
  const entries = runs.map(({ entry, plan }) => ({ name: entry, cells: plan.map(parametersOf) }));
  return { name, question, blocks: count, entries };
}

function parametersOf(trial: AnyPlannedTrial): Record<string, unknown> {
  if ('of' in trial) return (trial as DocumentTrial).of;
  const { framework, users, ...rest } = trial as PlannedTrial;
  return { framework, mode: modeWithPresence(rest), users };
}
