/** The blocks of a campaign before they run: what is done, what is left, and how long it takes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { blockFolder, type ReportedPart } from '../analysis/campaign/campaign-report.ts';
import { meanOfKnown } from '../analysis/statistics/quantile.ts';
import { estimateDocumentsMs, planDocuments } from '../documents/plan.ts';
import { type Block, type BlockRun, type CampaignPart, drawBlock } from '../harness/campaign/campaign.ts';
import { recordingsOf } from '../harness/crowd/recordings.ts';
import type { LoadedExperiment } from '../harness/experiment/experiment-file.ts';
import { estimatePlanMs, makePlan } from '../harness/experiment/plan.ts';
import { formatAbout } from '../harness/experiment/units.ts';
import {
  type AnyPlannedTrial,
  BLOCK_FILE,
  type BlockRecord,
  blockSchema,
  type DocumentTrial,
  modeWithPresence,
  PLAN_FILE,
  type PlannedTrial,
} from '../results/formats/run-directory.ts';
import { readDocumentPlan, readJson, readPlan } from '../results/run-folder/run-files.ts';
import { openRunFolder } from '../results/run-folder/run-folder.ts';
import { alignTable } from '../results/text-table.ts';

/** A block, and what there is of it. */
export interface PlannedBlock extends Block {
  part: CampaignPart;
  /** From 1. */
  number: number;
  directory: string;
  trials: number;
  /** Trials without a verdict. */
  left: number;
  /** Of a finished block. */
  tookMs: number | null;
}

/** Block 1 of all parts, then block 2. */
export async function planBlocks(
  parts: readonly CampaignPart[],
  directory: string,
  say: (text: string) => void,
): Promise<PlannedBlock[]> {
  const said = new Set<string>();
  const sayOnce = (text: string) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
  const planned: PlannedBlock[] = [];
  for (let number = 1; number <= Math.max(...parts.map(({ blocks }) => blocks)); number++) {
    for (const part of parts.filter(({ blocks }) => number <= blocks)) {
      const block = await drawBlock(part, number, (loaded) => planOf(loaded, sayOnce));
      const trials = block.runs.reduce((sum, { plan }) => sum + plan.length, 0);
      const folder = blockFolder(directory, part.name, number);
      const found = { ...block, part, number, trials, directory: folder };
      planned.push({ ...found, ...(await stateOf(found)) });
    }
  }
  return planned;
}

async function planOf(
  { scenario, experiment }: LoadedExperiment,
  say: (text: string) => void,
): Promise<AnyPlannedTrial[]> {
  return scenario === 'typing' ? makePlan(experiment) : await planDocuments(experiment, say);
}

/** @throws UserError (2) if a folder holds a run of another experiment */
export async function stateOf({ runs, directory }: Pick<PlannedBlock, 'runs' | 'directory'>) {
  let left = 0;
  for (const run of runs) left += await trialsLeft(run, join(directory, run.entry));
  const record = await readBlock(directory);
  const tookMs = record?.sittings.reduce(
    (sum, sitting) => sum + Date.parse(sitting.endedAt) - Date.parse(sitting.startedAt),
    0,
  );
  return { left, tookMs: left === 0 ? (tookMs ?? null) : null };
}

async function trialsLeft({ loaded, plan }: BlockRun, directory: string): Promise<number> {
  if (!existsSync(join(directory, PLAN_FILE))) return plan.length;
  const read = loaded.scenario === 'typing' ? readPlan : readDocumentPlan;
  const { toRun } = await openRunFolder({
    ...{ directory, plan, experiment: loaded.experiment, readPlan: read },
    ...{ sameMachine: true, resume: true, grows: true },
  });
  return toRun.length;
}

export async function readBlock(directory: string): Promise<BlockRecord | null> {
  const path = join(directory, BLOCK_FILE);
  return existsSync(path) ? await readJson(path, blockSchema) : null;
}

/** A recording takes a minute to an hour; those of 110 users of Yjs and Collabs, two to three minutes each. */
const RECORDING_MS = 5 * 60_000;

/** From the times of finished blocks of the part, or from the plan. */
export async function timeLeft(block: PlannedBlock, blocks: readonly PlannedBlock[]): Promise<number> {
  const took = blocks.flatMap(({ part, tookMs }) => (part === block.part && tookMs !== null ? [tookMs] : []));
  return (block.left / block.trials) * (meanOfKnown(took) ?? (await estimateMs(block)));
}

async function estimateMs({ runs }: Block): Promise<number> {
  let totalMs = 0;
  for (const { loaded, plan } of runs) {
    if (loaded.scenario === 'typing') {
      const recordings = await recordingsOf(loaded.experiment);
      totalMs += estimatePlanMs(loaded.experiment, plan as PlannedTrial[]) + (recordings?.missing ?? 0) * RECORDING_MS;
    } else totalMs += await estimateDocumentsMs(loaded.experiment, plan as DocumentTrial[]);
  }
  return totalMs;
}

/** The table of done and missing blocks, with the time that they take. */
export async function describeBlocks(parts: readonly CampaignPart[], blocks: readonly PlannedBlock[]): Promise<string> {
  const rows: string[][] = [];
  let totalMs = 0;
  for (const part of parts) {
    const own = blocks.filter((block) => block.part === part);
    const left = own.filter((block) => block.left > 0);
    const [first] = left;
    // All blocks of a part take alike.
    const wholeMs = first === undefined ? 0 : ((await timeLeft(first, blocks)) * first.trials) / first.left;
    const leftMs = left.reduce((sum, block) => sum + (wholeMs * block.left) / block.trials, 0);
    totalMs += leftMs;
    const isMeasured = own.some(({ tookMs }) => tookMs !== null);
    rows.push([
      ...[part.name, `${own.length - left.length} of ${own.length}`, String(own[0]!.trials)],
      first === undefined ? '–' : `${isMeasured ? 'about' : 'at most'} ${formatAbout(wholeMs)}`,
      first === undefined ? '–' : formatAbout(leftMs),
    ]);
  }
  const table = alignTable([['part', 'blocks done', 'trials each', 'a block takes', 'left'], ...rows]);
  const assumed = `a recording of a crowd that is to be made counts ${formatAbout(RECORDING_MS)}`;
  return totalMs === 0
    ? `${table}\n\nAll blocks are done.`
    : `${table}\n\nleft in all: ${formatAbout(totalMs)}; ${assumed}`;
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
