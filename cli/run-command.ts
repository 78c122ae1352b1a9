/** `run` and `calibrate`: an experiment is run, and its table and answer printed. */
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readSummary } from '../analysis/cell/cell-json.ts';
import { compareHalves } from '../analysis/compare/compare.ts';
import { comparisonJson, formatComparison } from '../analysis/compare/format.ts';
import { answerOf } from '../analysis/report/answer.ts';
import { formatTable } from '../analysis/report/summary-table.ts';
import { typingCells } from '../analysis/scenarios/cell.ts';
import { renderCaptioned } from '../analysis/tables/render.ts';
import type { CaptionedTable } from '../analysis/tables/table.ts';
import { planDocuments } from '../documents/plan.ts';
import { runDocuments } from '../documents/run.ts';
import { calibrate, keepCalibration } from '../harness/calibration/calibrate.ts';
import { formatRows } from '../harness/calibration/rows.ts';
import {
  type LoadedDocuments,
  loadAnyExperiment,
  loadPlan,
  type TypingExperiment,
} from '../harness/experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../harness/experiment/experiment-options.ts';
import { loadFleet } from '../harness/fleets/fleet-kind.ts';
import { type RunOptions, runExperiment, shownPlan } from '../harness/run/run.ts';
import { FLEET_NAMES, type FleetName } from '../infra/fleets.ts';
import { shortPath } from '../infra/project.ts';
import { shellCommand } from '../results/foreign-text.ts';
import { type AnySummary, PLAN_FILE, REPORT_FILE } from '../results/formats/run-directory.ts';
import type { Summary } from '../results/formats/summary.ts';
import { UserError } from '../results/user-error.ts';
import { formatVerdict } from './progress.ts';
import { YES_OPTION } from './server-options.ts';
import { printEither, say, sayUnless } from './terminal.ts';
import { outputDirectory, runInto, runWatched } from './watched-run.ts';

export interface RunFlags {
  out?: string;
  resume?: boolean;
  /** True if the command takes `--resume`. */
  canResume?: boolean;
  show?: boolean;
  json?: boolean;
  wide?: boolean;
  quiet?: boolean;
  on?: string;
  /** May load a server that somebody else runs with many users. */
  yes?: boolean;
}

/** The end of a run of any kind. */
export interface Outcome {
  directory: string;
  /** For `--json`. */
  content: object;
  tables: string;
  /** Sentences; none of runs that are compared or hold documents, whose tables tell. */
  answer: readonly string[];
  /** The sentence after the folder's name. */
  next: string;
  cells: readonly { validTrials: number; trials: number }[];
}

export function addRunCommand(program: Command): void {
  const run = program
    .command('run')
    .description('run an experiment, print its table, and leave its results in a folder')
    .argument(
      '<file>',
      `the experiment: a YAML file, a name such as smoke (list --experiments shows all), or the ${PLAN_FILE} of a run`,
    )
    .action(async (file: string, flags: RunFlags) => {
      refuseNowhere(flags);
      if (basename(file) === PLAN_FILE) return print(await runPlanned(file, flags), flags);
      const loaded = await loadAnyExperiment({ path: file, overrides: overridesFrom({ ...flags }) });
      const run =
        loaded.scenario === 'typing' ? runTyping(loaded, { ...flags, canResume: true }) : runScenario(loaded, flags);
      print(await run, flags);
    });
  addRunOptions(addExperimentOptions(run))
    .option(...WIDE_OPTION)
    .option(...YES_OPTION)
    .option('--resume', 'continue the run in --out');
}

/** @throws UserError (2) if a run is to go on that nothing names */
export function refuseNowhere({ resume = false, out }: Pick<RunFlags, 'resume' | 'out'>): void {
  if (resume && out === undefined) {
    throw new UserError('--resume needs --out FOLDER, the folder of the run that is to go on');
  }
}

/** @throws UserError (2) if a document scenario gets a flag that only says how people type */
function refuseTypingFlags(scenario: string, { show = false, yes = false }: RunFlags): void {
  const given = [...(show ? ['--show'] : []), ...(yes ? ['--yes'] : [])];
  if (given.length === 0) return;
  throw new UserError(
    `the scenario ${scenario} takes no ${given.join(', ')}, valid only for experiments in which people type; leave that out`,
  );
}

/** The option of every command that prints the table of a summary. */
export const WIDE_OPTION = ['--wide', 'print all columns of the table, in 120 characters instead of 80'] as const;

/** The options of every command that runs an experiment. */
export function addRunOptions(command: Command): Command {
  return command
    .option('-o, --out <folder>', 'folder for the results (default: results/<experiment>/<time> in the project)')
    .option('-q, --quiet', 'no progress on stderr, but for what goes wrong')
    .option('--show', 'open real windows to watch')
    .option('--json', 'print the summary as JSON instead of the table');
}

/**
 * Runs with progress on stderr and a status page, until it ends or the person stops it.
 *
 * @param planned.plan replaces the experiment's own, and may be longer than that of the run in the folder
 * @param planned.only the trials of it that run now
 */
export function runAndWatch(
  { experiment, frameworks }: TypingExperiment,
  directory: string,
  { resume = false, show = false, canResume = false, quiet, yes: isAgreed }: RunFlags,
  { plan, only, refusals }: Pick<RunOptions, 'plan' | 'only' | 'refusals'> = {},
): Promise<Summary> {
  const shown = plan ?? shownPlan(experiment, frameworks);
  return runWatched({ experiment, frameworks, directory, plan: shown, canResume, quiet }, (watched) =>
    runExperiment({ experiment, frameworks, plan, only, refusals, directory, resume, show, isAgreed, ...watched }),
  );
}

/** @throws UserError, or the signal's reason if the run is interrupted */
export async function runTyping(loaded: TypingExperiment, flags: RunFlags): Promise<Outcome> {
  const { experiment } = loaded;
  const directory = await outputDirectory(experiment.name, flags.out);
  const summary = await runAndWatch(loaded, directory, flags);
  if (experiment.base === null) {
    return outcomeOf(summary, directory, flags);
  }
  const comparison = await compareHalves(directory);
  return {
    directory,
    content: comparisonJson(comparison),
    tables: formatComparison(comparison),
    answer: [],
    next: `compare them again with ${shellCommand(['./scriptorium', 'compare', shortPath(directory)])}`,
    cells: comparison.cells.flatMap((cell) => [cell.base, cell.new]),
  };
}

/** The trials of a plan as a run wrote it, on the fleet that it was made for, or opened by another. */
async function runPlanned(file: string, { out, on, yes: isAgreed, ...flags }: RunFlags): Promise<Outcome> {
  const planned = await loadPlan(dirname(resolve(file)), { overrides: overridesFrom({ ...flags }) });
  const settings = on === undefined ? {} : { open: (await loadFleet(fleetNamed(on))).open };
  const directory = await outputDirectory(planned.experiment.name, out);
  const options = { ...planned, directory, resume: false, show: false, canResume: true, isAgreed, ...flags };
  const summary = await runWatched(options, (watched) => runExperiment({ ...options, ...watched }, settings));
  return outcomeOf(summary, directory, flags);
}

function fleetNamed(on: string): FleetName {
  const found = FLEET_NAMES.find((name) => name === on);
  if (found === undefined) throw new UserError(`--on: "${on}" is not valid; write one of: ${FLEET_NAMES.join(', ')}`);
  return found;
}

/** @param beside tables that stand below the main one */
function outcomeOf(
  summary: AnySummary,
  directory: string,
  { wide }: RunFlags,
  beside: readonly CaptionedTable[] = [],
): Outcome {
  const run = readSummary(summary);
  const tables = [formatTable(run, { wide }), ...beside.map(renderCaptioned)].join('\n\n');
  const answer = answerOf(typingCells(run));
  const next = `open ${shortPath(join(directory, REPORT_FILE))} in a browser`;
  return { directory, content: summary, tables, answer, next, cells: run.cells };
}

/** @throws UserError, or the signal's reason if the run is interrupted */
export async function runScenario({ experiment, frameworks }: LoadedDocuments, flags: RunFlags): Promise<Outcome> {
  refuseTypingFlags(experiment.scenario, flags);
  const { out, resume = false, quiet = false } = flags;
  const plan = await planDocuments({ experiment, frameworks }, sayUnless(quiet));
  const directory = await outputDirectory(experiment.name, out);
  const { summary, beside } = await runDocumentsHere(
    { experiment, frameworks, plan, directory, resume },
    { quiet, canResume: true },
  );
  return outcomeOf(summary, directory, flags, beside);
}

/** Runs with progress on stderr, until it ends or the person stops it. */
export function runDocumentsHere(
  run: Omit<Parameters<typeof runDocuments>[0], 'observer' | 'signal'>,
  { quiet = false, canResume }: { quiet?: boolean; canResume: boolean },
): ReturnType<typeof runDocuments> {
  const { experiment, plan, directory } = run;
  const progress = sayUnless(quiet);
  return runInto(directory, { say: progress, canResume }, (signal) => {
    progress(`Running ${experiment.name} into ${shortPath(directory)}`);
    const observer: Parameters<typeof runDocuments>[0]['observer'] = {
      onNotice: progress,
      onWarning: say,
      onTrial: ({ cell, trial }, index) => progress(`[${index + 1}/${plan.length}] ${cell}, trial ${trial}`),
      onVerdict(planned, { verdict, reasons }) {
        if (verdict !== 'valid') say(formatVerdict(planned, { verdict, reasons }));
      },
    };
    return runDocuments({ ...run, observer, signal });
  });
}

/** Table, answer, and where the results are; a trial that is not valid makes the exit code 1. */
export function print(
  { directory, content, tables, answer, next, cells }: Outcome,
  { json = false }: Pick<RunFlags, 'json'>,
): void {
  const last = [...answer, `Results: ${shortPath(directory)}; ${next}`].join('\n');
  printEither(json, content, () => `${tables}\n\n${last}`);
  if (cells.some(({ validTrials, trials }) => validTrials < trials)) process.exitCode = 1;
}

interface CalibrateFlags {
  full?: boolean;
  keep?: boolean;
  json?: boolean;
  out?: string;
}

export function addCalibrateCommand(program: Command): void {
  program
    .command('calibrate')
    .description('inject known delays, load and losses, and print the measured figure beside each')
    .option('--full', 'three trials of each instead of one')
    .option(
      '--keep',
      'keep it as the project’s calibration: tables, charts and documents then mark the bounds that it missed',
    )
    .option('-o, --out <folder>', 'folder for the results')
    .option('--json', 'print the calibration as JSON instead of the table')
    .action(async ({ full = false, keep = false, json = false, out }: CalibrateFlags) => {
      const calibration = await calibrate((loaded, directory) => runAndWatch(loaded, directory, {}), {
        directory: await outputDirectory('calibration', out),
        full,
      });
      const { rows } = calibration;
      printEither(json, calibration, () => formatRows(rows));
      if (keep) await keepCalibration(calibration);
      if (!rows.every(({ withinBound }) => withinBound)) process.exitCode = 1;
    });
}
