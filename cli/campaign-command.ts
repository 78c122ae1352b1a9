/** `campaign`: an experiment's cells are measured in blocks, on several days and machines, until intervals are narrow. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { REPORT_MARKDOWN, writeCampaignReport } from '../analysis/campaign/campaign-report.ts';
import { nameOfCode } from '../analysis/campaign/measured-code.ts';
import { type CampaignPart, loadCampaign, type Turn } from '../harness/campaign/campaign.ts';
import { formatAbout } from '../harness/experiment/units.ts';
import { describeMachine } from '../harness/machine/environment.ts';
import { awaitQuietMachine, type SeenMachine } from '../harness/machine/quiet-machine.ts';
import { codeOf } from '../infra/code.ts';
import { FLEETS } from '../infra/fleets.ts';
import { resultsFolder, shortPath } from '../infra/project.ts';
import {
  BLOCK_FILE,
  type BlockRecord,
  type DocumentTrial,
  type PlannedTrial,
} from '../results/formats/run-directory.ts';
import { writeJson } from '../results/formats/write-file.ts';
import { asReason, readEnvironment } from '../results/run-folder/run-files.ts';
import { environmentDifferences } from '../results/run-folder/run-folder.ts';
import { ownRunFolder } from '../results/run-folder/run-owner.ts';
import { stageOf } from '../results/run-folder/trial-stage.ts';
import { UserError } from '../results/user-error.ts';
import {
  describeBlocks,
  lookInto,
  type PlannedBlock,
  planBlocks,
  reported,
  timeLeft,
  trialsBegun,
} from './campaign-plan.ts';
import { coloured } from './colour.ts';
import { runInterruptibly } from './interrupt.ts';
import { parseCount, parseTime } from './parse-number.ts';
import { runAndWatch, runDocumentsHere } from './run-command.ts';

export interface CampaignFlags {
  out?: string;
  blocks?: number;
  from?: number;
  parts?: string;
  /** Ms. */
  for?: number;
  plan?: boolean;
  report?: boolean;
  otherCode?: boolean;
  quiet?: boolean;
}

export function addCampaignCommand(program: Command): void {
  program
    .command('campaign')
    .description('measure in blocks: every cell once in random order, again on other days, until intervals are narrow')
    .argument('<file>', 'the campaign: a YAML file, or the name of one in harness/campaigns/')
    .option('-o, --out <folder>', 'folder of the campaign, in which it goes on (default: results/<campaign>)')
    .option('--blocks <count>', 'blocks of each part, instead of the file’s', parseCount)
    .option('--from <block>', 'number of the first block, such as 3 if two are kept from other machines', parseCount)
    .option('--parts <names>', 'only these parts')
    .option('--for <time>', 'time limit, such as 40m: no block begins that may end later', parseTime)
    .option('--plan', 'print what is done, what is left and how long it takes; run nothing')
    .option('--report', 'write and print the report of what is done; run nothing')
    .option('--other-code', 'go on although blocks of the part were measured by another commit; the report says which')
    .option('-q, --quiet', 'no progress on stderr, but for what goes wrong')
    .action(async (file: string, flags: CampaignFlags) => {
      const { text, left } = await runCampaign(file, flags);
      console.log(coloured(text));
      if (left > 0 && flags.plan !== true && flags.report !== true) process.exitCode = 1;
    });
}

/**
 * Runs the blocks that are missing, round by round, and writes the report after each.
 *
 * @param settings.awaitQuiet replaced by tests
 * @returns the text for the terminal, and how many blocks are left
 * @throws UserError (2) if the file is wrong or the folder holds another campaign, (5) if the machine is busy; Interrupted
 */
export async function runCampaign(
  file: string,
  flags: CampaignFlags,
  { awaitQuiet = awaitQuietMachine }: { awaitQuiet?: typeof awaitQuietMachine } = {},
): Promise<{ text: string; left: number }> {
  const startedMs = Date.now();
  const say = (text: string) => void (flags.quiet || process.stderr.write(`${text}\n`));
  const campaign = await loadCampaign(file, { isDry: flags.plan === true || flags.report === true });
  const parts = chosenParts(campaign.parts, flags);
  const directory = resolve(flags.out ?? join(resultsFolder(), campaign.name));
  // Before it looks into the blocks, which another campaign may be writing; a plan is only printed.
  await using _owner = flags.plan ? null : await ownRunFolder(directory);
  const blocks = await planBlocks(parts, { directory, from: flags.from, say });
  const leftIn = () => blocks.filter(({ left }) => left > 0);
  if (flags.plan) return { text: await describeBlocks(parts, blocks), left: leftIn().length };
  const report = () =>
    writeCampaignReport(directory, { name: campaign.name, parts: parts.map((part) => reported(part, blocks)) });
  const left = flags.report ? [] : leftIn();
  const goesOn = { message: `Interrupted. The same command goes on in ${shortPath(directory)}.`, confirm() {} };
  await runInterruptibly(goesOn, async (signal) => {
    for (const block of left) {
      const name = `${block.part.name}, block ${block.number} of ${block.part.blocks}`;
      const takesMs = await timeLeft(block, blocks);
      if (Date.now() + takesMs > startedMs + (flags.for ?? Number.POSITIVE_INFINITY)) {
        return say(`${name} is not begun: it takes about ${formatAbout(takesMs)}, more than --for leaves`);
      }
      await refuseOtherMachine(block, name);
      await refuseOtherCode(block, { blocks, say, otherCode: flags.otherCode });
      const machine = await awaitQuiet({ isOwnLoad: block !== left[0], say, signal });
      say(`${name}: ${block.left} of ${block.trials} trials, about ${formatAbout(takesMs)}`);
      await runBlock(block, { campaign: campaign.name, machine, signal, quiet: flags.quiet });
      await lookInto(block);
      await report();
    }
  });
  const text = `${await report()}\n${await describeBlocks(parts, blocks)}\n\nReport: ${shortPath(join(directory, REPORT_MARKDOWN))}`;
  return { text, left: leftIn().length };
}

/** @throws UserError (2) if there is no such part */
function chosenParts(
  parts: readonly CampaignPart[],
  { parts: names, blocks, from = 1 }: CampaignFlags,
): CampaignPart[] {
  const asked = names?.split(',').map((name) => name.trim());
  const unknown = asked?.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) {
    const known = parts.map(({ name }) => name).join(', ');
    throw new UserError(`--parts: there is no part "${unknown}"; write some of: ${known}`, { exitCode: 2 });
  }
  const chosen = parts
    .filter(({ name }) => asked?.includes(name) ?? true)
    .map((part) => ({ ...part, blocks: blocks ?? part.blocks }));
  const short = chosen.find((part) => part.blocks < from);
  if (short === undefined) return chosen;
  throw new UserError(
    `--from ${from}: part ${short.name} has ${short.blocks} blocks; write a number up to that, or more --blocks`,
    { exitCode: 2 },
  );
}

/** @throws UserError (2) if the block was begun on another machine: all of its cells are to be of one */
async function refuseOtherMachine({ runs, directory }: PlannedBlock, name: string): Promise<void> {
  const now = { ...(await describeMachine()) };
  for (const { entry, loaded } of runs) {
    const environment = await asReason(() => readEnvironment(join(directory, entry)));
    // One that a power cut left empty tells nothing; the run writes it again.
    if (typeof environment === 'string') continue;
    const isHere = loaded.scenario !== 'typing' || FLEETS[loaded.experiment.fleet.on].sameMachine;
    const { machine } = environmentDifferences(environment, now);
    if (!isHere || Object.keys(environment).length === 0 || machine.length === 0) continue;
    throw new UserError(
      `${name} was begun on another machine (${machine.join('; ')}); finish it there, or remove ${shortPath(directory)} to measure it here`,
      { exitCode: 2 },
    );
  }
}

/**
 * Blocks are repeats only if one code measured them.
 *
 * @throws UserError (2) if one of the part is of other code, unless that is asked for; or if this one was begun by other code
 */
async function refuseOtherCode(
  { part, number: own }: PlannedBlock,
  options: { blocks: readonly PlannedBlock[]; say: (text: string) => void; otherCode?: boolean },
): Promise<void> {
  const { blocks, say, otherCode = false } = options;
  const now = { ...(await codeOf()) };
  for (const { runs, directory, number } of blocks.filter((other) => other.part === part)) {
    const environments = await Promise.all(runs.map(({ entry }) => readEnvironment(join(directory, entry))));
    const other = environments.find((each) => Object.keys(each).length > 0 && each.sources !== now.sources);
    if (other === undefined) continue;
    const differs = `block ${number} of ${part.name} was measured by ${nameOfCode(other)}, and this is ${nameOfCode(now)}`;
    if (otherCode && number !== own) {
      say(`note: ${differs}; the report names the code of each block`);
      continue;
    }
    const advice =
      number === own
        ? `remove ${shortPath(directory)} to measure it by this`
        : 'take another --out, or measure with --other-code, and the report tells them apart';
    throw new UserError(`${differs}: go on with the code of then, or ${advice}`, { exitCode: 2 });
  }
}

/** Runs what is missing of a block, and keeps when, and on which machine. */
async function runBlock(
  { directory, part, number, seed, sittings, turns }: PlannedBlock,
  {
    campaign,
    machine,
    signal,
    quiet,
  }: { campaign: string; machine: SeenMachine; signal: AbortSignal; quiet?: boolean },
): Promise<void> {
  const startedAt = new Date().toISOString();
  const keep = (endedAt: string) => {
    const { name, question, deposit } = part;
    const record: BlockRecord = {
      ...{ schemaVersion: 1, campaign, part: name, question, block: number, seed, deposit },
      sittings: [...sittings, { startedAt, endedAt, machine }],
    };
    return writeJson(join(directory, BLOCK_FILE), record);
  };
  await keep(startedAt);
  try {
    // A run whose last trial had ended does not tell of the interruption.
    for (const turn of turns) {
      await runTurn(turn, join(directory, turn.run.entry), quiet).finally(() => signal.throwIfAborted());
    }
  } finally {
    await keep(new Date().toISOString());
  }
}

async function runTurn({ run, upTo }: Turn, directory: string, quiet?: boolean): Promise<void> {
  const begun = await trialsBegun(run, directory);
  // A trial whose folder was removed runs again, also if later ones are there.
  const plan = run.plan.slice(0, Math.max(upTo, begun));
  if (await areFinished(plan, directory)) return;
  const resume = begun > 0;
  const { scenario, experiment } = run.loaded;
  if (scenario === 'typing') await runAndWatch(experiment, directory, { resume, quiet }, plan as PlannedTrial[]);
  else {
    const documents = { experiment, directory, resume, grows: true, plan: plan as DocumentTrial[] };
    await runDocumentsHere(documents, { quiet, canResume: false });
  }
}

/** One trial after the other is looked at: each has many files. */
async function areFinished(plan: Turn['run']['plan'], directory: string): Promise<boolean> {
  for (const trial of plan) if ((await stageOf(join(directory, trial.directory))) !== 'finished') return false;
  return true;
}
