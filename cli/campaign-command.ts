/** `campaign`: an experiment's cells are measured in blocks, on several days and machines, until intervals are narrow. */
import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { estimateDocumentsMs, planDocuments } from '../documents/plan.ts';
import { Refusals } from '../harness/attached/attach.ts';
import type { ExperimentWork } from '../harness/campaign/blocks.ts';
import { type CampaignOptions, runCampaign } from '../harness/campaign/run-campaign.ts';
import { estimateTypingMs } from '../harness/crowd/needed-recordings.ts';
import type { LoadedDocuments, LoadedExperiment, TypingExperiment } from '../harness/experiment/experiment-file.ts';
import { makePlan } from '../harness/experiment/plan.ts';
import { refuseManyAttached } from '../harness/experiment/servers.ts';
import type { awaitQuietMachine } from '../harness/machine/quiet-machine.ts';
import type { RunOptions } from '../harness/run/run.ts';
import { shortPath } from '../infra/project.ts';
import type { DocumentTrial, PlannedTrial } from '../results/formats/run-directory.ts';
import { UserError } from '../results/user-error.ts';
import { runInterruptibly } from './interrupt.ts';
import { parseCount, parseTime } from './parse-number.ts';
import { runAndWatch, runDocumentsHere } from './run-command.ts';
import { YES_OPTION } from './server-options.ts';
import { coloured, sayUnless, say as warn } from './terminal.ts';

export interface CampaignFlags extends CampaignOptions {
  quiet?: boolean;
  yes?: boolean;
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
    .option('--for <time>', 'time limit, such as 2h: no block begins that may end later', parseTime)
    .addOption(
      new Option('--plan', 'print what is done, what is left and how long it takes; run nothing').conflicts('for'),
    )
    .addOption(
      new Option('--report', 'write and print the report of what is done; run nothing').conflicts(['plan', 'for']),
    )
    .option('--other-code', 'go on although blocks of the part were measured by another commit; the report says which')
    .option(...YES_OPTION)
    .option('-q, --quiet', 'no progress on stderr, but for what goes wrong')
    .action(async (file: string, flags: CampaignFlags) => {
      const { text, left } = await runCampaignHere(file, flags);
      console.log(coloured(text));
      if (left > 0 && flags.plan !== true && flags.report !== true) process.exitCode = 1;
    });
}

/** @param settings parts that tests replace */
export function runCampaignHere(
  file: string,
  { quiet, yes = false, ...options }: CampaignFlags,
  settings: { awaitQuiet?: typeof awaitQuietMachine } = {},
): ReturnType<typeof runCampaign> {
  if (options.out !== undefined) refuseNoCampaign(options.out, options);
  const say = sayUnless(quiet);
  const said = new Set<string>();
  // Each block plans the same documents.
  const sayOnce = (text: string) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
  // Of all blocks, and of all their turns.
  const refusals = new Refusals();
  // A plan and a report load no server.
  const isAgreed = yes || options.plan === true || options.report === true;
  return runCampaign(file, options, {
    workOf: (loaded) => workOf(loaded, { say: sayOnce, quiet, isAgreed, refusals }),
    say,
    warn,
    interruptibly(directory, run) {
      const message = `Interrupted. The same command goes on in ${shortPath(directory)}.`;
      return runInterruptibly({ message, confirm() {} }, run);
    },
    ...settings,
  });
}

/** @throws UserError (2) if a plan or a report is of a folder that can hold none: neither makes one */
function refuseNoCampaign(out: string, { plan = false, report = false }: CampaignOptions): void {
  const state = statSync(out, { throwIfNoEntry: false });
  if (report && state === undefined) {
    throw new UserError(
      `${out} holds no campaign: there is no such folder; give the one that its blocks were measured into`,
    );
  }
  if ((plan || report) && state?.isDirectory() === false)
    throw new UserError(`${out} is no folder; give one with --out`);
}

interface WorkContext extends Required<Pick<RunOptions, 'isAgreed' | 'refusals'>> {
  say(text: string): void;
  quiet?: boolean;
}

function workOf(loaded: LoadedExperiment, { say, quiet, isAgreed, refusals }: WorkContext): ExperimentWork {
  const typing = (typed: TypingExperiment): ExperimentWork<PlannedTrial> => ({
    async plan() {
      const trials = makePlan(typed.experiment, typed.frameworks);
      // Its turn may come days later.
      refuseManyAttached(typed.experiment, { trials, isAgreed });
      return trials;
    },
    estimateMs: (plan) => estimateTypingMs(typed, plan),
    run: ({ directory, resume, ...trials }) =>
      runAndWatch(typed, directory, { resume, quiet, yes: isAgreed }, { ...trials, refusals }),
  });
  const documents = ({ experiment, frameworks, ...of }: LoadedDocuments): ExperimentWork<DocumentTrial> => ({
    plan: () => planDocuments({ experiment, frameworks, ...of }, say),
    estimateMs: (plan) => estimateDocumentsMs(experiment, plan),
    run: (turn) => runDocumentsHere({ experiment, frameworks, ...turn }, { quiet, canResume: false }),
  });
  return loaded.scenario === 'typing' ? typing(loaded) : documents(loaded);
}
