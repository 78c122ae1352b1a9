/** Runs a campaign block by block: each turn of a block is a run of the loop of all runs. */
import { existsSync } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { highestBlock, REPORT_MARKDOWN, writeCampaignReport } from '../../analysis/campaign/campaign-report.ts';
import type { Card } from '../../analysis/campaign/cards.ts';
import { nameOfCode } from '../../analysis/campaign/measured-code.ts';
import { codeNow, codeOf } from '../../infra/code.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { resultsFolder, shortPath } from '../../infra/project.ts';
import {
  BLOCK_FILE,
  type BlockRecord,
  PLAN_FILE,
  SUMMARY_FILE,
  VERDICT_FILE,
} from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { asReason, readEnvironment, readJson } from '../../results/run-folder/run-files.ts';
import { environmentDifferences } from '../../results/run-folder/run-folder.ts';
import { ownRunFolder } from '../../results/run-folder/run-owner.ts';
import { measuredTrials } from '../../results/run-folder/trial-stage.ts';
import { UserError } from '../../results/user-error.ts';
import { reportRun } from '../analysis.ts';
import { cheapestMachine } from '../capacity/machine.ts';
import { formatAbout } from '../experiment/units.ts';
import { describeMachine } from '../machine/environment.ts';
import { awaitQuietMachine, type SeenMachine } from '../machine/quiet-machine.ts';
import {
  type Block,
  describeBlocks,
  drawBlock,
  type ExperimentWork,
  earliestMs,
  foldersOf,
  lookInto,
  planBlocks,
  reported,
  rungsOf,
  sittingsOf,
  timeLeft,
  trialsLeft,
  trialsOf,
  type WorkOf,
} from './blocks.ts';
import { type CampaignPart, loadCampaign } from './campaign.ts';
import { climb } from './ladder.ts';

/** As the command's flags of these names. */
export interface CampaignOptions {
  out?: string;
  blocks?: number;
  from?: number;
  parts?: string;
  /** Ms. */
  for?: number;
  plan?: boolean;
  report?: boolean;
  otherCode?: boolean;
  /** Replaces those of every entry. */
  frameworks?: readonly string[];
}

interface CampaignContext {
  workOf: WorkOf;
  say: (text: string) => void;
  /** The same of what went wrong or is left undone, which is said to everybody. */
  warn: (text: string) => void;
  /** Runs what a person may interrupt. */
  interruptibly: (directory: string, run: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  awaitQuiet?: typeof awaitQuietMachine;
}

/**
 * Runs the blocks that are missing, round by round, and writes the report after each.
 *
 * @returns the text for the terminal, how many blocks are left, and the capacity cards of those that are done
 * @throws UserError (2) if the file is wrong or the folder holds another campaign, (5) if the machine is busy; Interrupted
 */
export async function runCampaign(
  file: string,
  options: CampaignOptions,
  context: CampaignContext,
): Promise<{ text: string; left: number; cards: readonly Card[] }> {
  const deadlineMs = Date.now() + (options.for ?? Number.POSITIVE_INFINITY);
  const { workOf, say, warn, interruptibly, awaitQuiet = awaitQuietMachine } = context;
  const { name, parts: all } = await loadCampaign(file, {
    isDry: options.plan === true || options.report === true,
    frameworks: options.frameworks,
  });
  const parts = chosenParts(all, options);
  const directory = resolve(options.out ?? join(resultsFolder(), name));
  // Before it looks into the blocks, which another campaign may be writing; a plan is only printed.
  await using _owner = options.plan ? null : await ownRunFolder(directory);
  const blocks = await planBlocks(parts, { directory, from: options.from, workOf });
  const missing = () => blocks.filter((block) => trialsLeft(block) > 0);
  if (options.plan) return { text: await describeBlocks(parts, blocks), left: missing().length, cards: [] };
  // Also of what is not asked for now, so that the file is always the whole campaign's.
  const whole = await Promise.all(
    all.map(async (part) => {
      const blocks = Math.max(part.blocks, options.blocks ?? 0, highestBlock(directory, part.name));
      return reported({ ...part, blocks }, await drawBlock(part, 1, workOf));
    }),
  );
  const asked = new Set(parts.map((part) => part.name));
  const report = () => writeCampaignReport(directory, { name, parts: whole, asked }, cheapestMachine);
  await interruptibly(directory, async (signal) => {
    for (const block of blocks) await catchUp(block, warn);
    let isOwnLoad = false;
    for (const block of options.report ? [] : missing()) {
      const waitMs = earliestMs(block, await sittingsOf(block.part, directory)) - Date.now();
      if (waitMs > 0) {
        warn(`${titleOf(block)} is not begun: in ${formatAbout(waitMs)} it is far enough from the last sitting`);
        continue;
      }
      const takesMs = await timeLeft(block, blocks);
      // A ladder stops at any trial.
      if (!block.part.ladder && Date.now() + takesMs > deadlineMs) {
        const about = `it takes about ${formatAbout(takesMs)}, more than --for leaves`;
        warn(`${titleOf(block)} is not begun: ${about}`);
        // One of another part may be shorter.
        continue;
      }
      await refuseOtherMachine(block);
      await refuseOtherCode(block, { directory, say, otherCode: options.otherCode });
      const machine = await awaitQuiet({ isOwnLoad, say, signal });
      isOwnLoad = true;
      refuseOtherSpeed(block, machine);
      const trials = `${trialsLeft(block)} of ${trialsOf(block)} trials`;
      say(`${titleOf(block)}: ${trials}, about ${formatAbout(takesMs)}`);
      const isOver = await runBlock(block, { campaign: name, machine, signal, deadlineMs, say, warn });
      await lookInto(block);
      await report();
      if (!isOver) return;
    }
  });
  const { markdown, cards } = await report();
  const text = `${markdown}\n${await describeBlocks(parts, blocks)}\n\nReport: ${shortPath(join(directory, REPORT_MARKDOWN))}`;
  return { text, left: missing().length, cards };
}

/** The command may have ended between a trial and the summary that tells of it: of a finished run, no turn would write that any more. */
async function catchUp({ directory, runs }: Block, warn: (text: string) => void): Promise<void> {
  const writtenMs = (path: string) =>
    stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
  for (const { entry } of runs) {
    const folder = join(directory, entry);
    const verdicts = await Array.fromAsync(glob(`*/*/${VERDICT_FILE}`, { cwd: folder }));
    const lastMs = Math.max(...(await Promise.all(verdicts.map((path) => writtenMs(join(folder, path))))));
    const summary = join(folder, SUMMARY_FILE);
    const isRead = typeof (await asReason(() => readJson(summary, z.looseObject({})))) !== 'string';
    if (verdicts.length === 0 || (isRead && lastMs <= (await writtenMs(summary)))) continue;
    await reportRun(folder).catch((error: Error) => {
      warn(`The report of ${shortPath(folder)} could not be brought up to date: ${error.message}`);
    });
  }
}

function titleOf({ part, number }: Block): string {
  return `${part.name}, block ${number} of ${part.blocks}`;
}

/** @throws UserError (2) if there is no such part */
function chosenParts(
  parts: readonly CampaignPart[],
  { parts: names, blocks, from = 1 }: CampaignOptions,
): CampaignPart[] {
  const asked = names?.split(',').map((name) => name.trim());
  const unknown = asked?.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) {
    const known = parts.map(({ name }) => name).join(', ');
    throw new UserError(`--parts: there is no part "${unknown}"; write some of: ${known}`);
  }
  const chosen = parts
    .filter(({ name }) => asked?.includes(name) ?? true)
    .map((part) => ({ ...part, blocks: blocks ?? part.blocks }));
  const short = chosen.find((part) => part.blocks < from);
  if (short === undefined) return chosen;
  throw new UserError(
    `--from ${from}: part ${short.name} has ${short.blocks} blocks; write a number up to that, or more --blocks`,
  );
}

/**
 * Environments of a block's runs that measured something. Of the others the run writes it again, as of one that a power cut left
 * empty.
 */
async function environmentsOf({ runs, directory }: Pick<Block, 'runs' | 'directory'>) {
  const read = runs.map(async ({ entry, loaded }) => {
    const folder = join(directory, entry);
    if ((await measuredTrials(folder)) === 0) return [];
    const environment = await asReason(() => readEnvironment(folder));
    const isKnown = typeof environment !== 'string' && Object.keys(environment).length > 0;
    return isKnown ? [{ loaded, environment }] : [];
  });
  return (await Promise.all(read)).flat();
}

function isMeasuredHere(loaded: Block['runs'][number]['loaded']): boolean {
  return loaded.scenario !== 'typing' || FLEETS[loaded.experiment.fleet.on].sameMachine;
}

/** @throws UserError (2) if the block was begun on another machine: all of its cells are to be of one */
async function refuseOtherMachine(block: Block): Promise<void> {
  const now = { ...(await describeMachine()) };
  for (const { loaded, environment } of await environmentsOf(block)) {
    const { machine } = environmentDifferences(environment, now);
    if (!isMeasuredHere(loaded) || machine.length === 0) continue;
    const advice = `finish it there, or remove ${shortPath(block.directory)} to measure it here`;
    throw new UserError(`${titleOf(block)} was begun on another machine (${machine.join('; ')}); ${advice}`);
  }
}

/** Single readings on one machine are apart by a fifth, that of all cores by more; of two machines of one name both may be by half. */
const OTHER_SPEED = 1.25;

/** @throws UserError (2) as `refuseOtherMachine` does */
function refuseOtherSpeed(block: Block, { speed: now }: SeenMachine): void {
  const before = block.sittings.find(({ machine }) => machine.speed !== null)?.machine.speed ?? null;
  if (before === null || now === null || !block.runs.some(({ loaded }) => isMeasuredHere(loaded))) return;
  const ratios = (['oneCore', 'allCores'] as const).map((part) => before[part] / now[part]);
  if (ratios.some((ratio) => Math.max(ratio, 1 / ratio) <= OTHER_SPEED)) return;
  const speeds = `${before.oneCore.toFixed(0)} turns/µs on one core then, and ${now.oneCore.toFixed(0)} now`;
  const advice = `go on when it is as fast, or remove ${shortPath(block.directory)} to measure it here`;
  throw new UserError(`${titleOf(block)} was begun on a machine of another speed (${speeds}); ${advice}`);
}

/**
 * Blocks are repeats only if one code measured them.
 *
 * @throws UserError (2) if one of the part is of other code, unless that is asked for; or if this one was begun by other code
 */
async function refuseOtherCode(
  { part, number, runs }: Block,
  { directory, say, otherCode = false }: { directory: string; say: (text: string) => void; otherCode?: boolean },
): Promise<void> {
  const now = { ...(await codeOf()) };
  for (const [index, folder] of foldersOf(part, directory).entries()) {
    const isOwn = index + 1 === number;
    const environments = await environmentsOf({ runs, directory: folder });
    const measured = environments.find(({ environment }) => environment.sources !== now.sources);
    if (measured === undefined) continue;
    const differs = `block ${index + 1} of ${part.name} was measured by ${nameOfCode(measured.environment)}, and this is ${nameOfCode(now)}`;
    if (otherCode && !isOwn) {
      say(`note: ${differs}; the report names the code of each block`);
      continue;
    }
    const advice = isOwn
      ? `remove ${shortPath(folder)} to measure it by this`
      : 'take another --out, or measure with --other-code, and the report tells them apart';
    throw new UserError(`${differs}: go on with the code of then, or ${advice}`);
  }
}

/** @throws UserError (2) if what a turn would start is not of the code that began the block */
async function refuseChangedCode(): Promise<void> {
  if ((await codeNow()).isFirst) return;
  const advice =
    'bring them back as they were, and give the same command again, or remove the block to measure it anew';
  throw new UserError(`sources of the project changed under this campaign, and a block is of one code: ${advice}`);
}

/** Runs what is missing of a block, and keeps when, and on which machine. @returns false if time was up before it was over */
async function runBlock(
  block: Block,
  { campaign, machine, ...options }: { campaign: string; machine: SeenMachine } & Parameters<typeof climb>[1],
): Promise<boolean> {
  const { directory, part, number, seed, sittings, turns } = block;
  const startedAt = new Date().toISOString();
  const measuredBefore = await measuredTrials(directory);
  const write = (all: BlockRecord['sittings']) => {
    const { name, question, deposit } = part;
    const of = { schemaVersion: 1, campaign, part: name, question, block: number, seed, deposit } as const;
    return writeJson(join(directory, BLOCK_FILE), { ...of, sittings: all } satisfies BlockRecord);
  };
  // After each turn: of a command that is killed, the sitting is not lost.
  const keep = () => write([...sittings, { startedAt, endedAt: new Date().toISOString(), machine }]);
  const kept = (work: ExperimentWork): ExperimentWork => ({
    ...work,
    run: (turn) =>
      refuseChangedCode()
        .then(() => work.run(turn))
        .finally(keep),
  });
  await keep();
  try {
    if (part.ladder) {
      const runs = block.runs.map((run) => ({ ...run, work: kept(run.work) }));
      return await climb(rungsOf({ ...block, runs }), options);
    }
    for (const { run, trials } of turns) {
      const only = trials.filter((trial) => run.left.includes(trial));
      if (only.length === 0) continue;
      const folder = join(directory, run.entry);
      const resume = existsSync(join(folder, PLAN_FILE));
      // A run whose last trial had ended does not tell of the interruption.
      await kept(run.work)
        .run({ directory: folder, plan: run.plan, only, resume })
        .finally(() => options.signal.throwIfAborted());
    }
    return true;
  } finally {
    // One in which no trial came to its end was none.
    await ((await measuredTrials(directory)) > measuredBefore ? keep() : write(sittings));
  }
}
