/** `run`, `plan`, `demo`, `calibrate`: the commands that run experiments, or say what they would run. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { compareHalves } from '../analysis/compare/compare.ts';
import { formatTable } from '../analysis/tables/summary-table.ts';
import { calibrate } from '../harness/calibration/calibrate.ts';
import { keepCalibration } from '../harness/calibration/keep.ts';
import { formatRows } from '../harness/calibration/rows.ts';
import { crowdLines } from '../harness/crowd/ready-crowd.ts';
import type { Experiment } from '../harness/experiment/experiment.ts';
import { loadAnyExperiment, loadExperiment } from '../harness/experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../harness/experiment/experiment-flags.ts';
import { formatPlan, makePlan, planWarnings } from '../harness/experiment/plan.ts';
import { loadFleet } from '../harness/fleets/load.ts';
import { thisMachine } from '../harness/machine/capacity.ts';
import { type RunOptions, runExperiment } from '../harness/run/run.ts';
import { labelled, makePairs, runAgainst } from '../harness/run/run-against.ts';
import { keepRunStatus } from '../harness/status/run-status-keeper.ts';
import { serveStatusPage } from '../harness/status/status-page.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { type PlannedTrial, REPORT_FILE } from '../results/formats/run-directory.ts';
import type { Summary } from '../results/formats/summary.ts';
import { ownRunFolder } from '../results/run-folder/run-owner.ts';
import { listTraces } from '../traces/store.ts';
import { ask } from './ask.ts';
import { printDocumentPlan, runDocumentsAndPrint } from './document-runs.ts';
import { interruptOnSignals } from './interrupt.ts';
import { outputDirectory, shortPath } from './output-directory.ts';
import { showProgress } from './progress.ts';
import { formatComparison } from './report-commands.ts';

const DEMO = join(PROJECT_ROOT, 'harness/experiments/demo.yaml');
const LARGER = 'harness/experiments/compare.yaml';

interface RunFlags {
  out?: string;
  resume?: boolean;
  show?: boolean;
  json?: boolean;
}

export function addRunCommands(program: Command): void {
  const run = program
    .command('run')
    .description('run an experiment, print its table, and leave its results in a folder')
    .argument('<file>', 'the experiment: a YAML file, such as harness/experiments/smoke.yaml')
    .action(async (file: string, options: RunFlags) => {
      const { scenario, experiment } = await loadAnyExperiment({
        path: file,
        overrides: overridesFrom({ ...options }),
      });
      if (scenario !== 'typing') await runDocumentsAndPrint(experiment, options);
      else if (experiment.base === null) await runAndPrint(experiment, options);
      else await runAndCompare(experiment, experiment.base, options);
    });
  addRunOptions(addExperimentOptions(run)).option('--resume', 'go on with the run that lies in --out');

  addExperimentOptions(
    program
      .command('plan')
      .description('print what an experiment would run, how long it takes, what this machine can carry')
      .argument('<file>', 'the experiment: a YAML file')
      .option('--all', 'list every trial, in the order in which they run'),
  ).action(async (file: string, options: Record<string, unknown>) => {
    const { scenario, experiment } = await loadAnyExperiment({ path: file, overrides: overridesFrom(options) });
    if (scenario !== 'typing') return printDocumentPlan(experiment, { all: options.all === true });
    const { planLines } = await loadFleet(experiment.fleet.on);
    const fleetLines = [...(await crowdLines(experiment)), ...planLines(experiment, thisMachine())];
    console.log(formatPlan(experiment, makePlan(experiment), fleetLines, { all: options.all === true }));
    const trace = (await listTraces()).find(({ name }) => name === experiment.trace);
    if (trace?.state === 'not fetched') {
      console.log(`note: the trace "${trace.name}" is not here yet: ./scriptorium traces fetch ${trace.name}`);
    }
  });

  addRunOptions(program.command('demo').description('run a small experiment, in about a minute')).action(
    async (options: RunFlags) => {
      await runAndPrint(await loadExperiment({ path: DEMO }), options);
      if (options.json !== true) console.log(`\nA larger one: ./scriptorium run ${LARGER}`);
    },
  );

  program
    .command('calibrate')
    .description('inject known delays, load and losses, and print what the harness measures of each')
    .option('--full', 'three trials of each instead of one')
    .option('--keep', 'make it the calibration that tables, charts and documents name missed bounds by')
    .option('--out <folder>', 'where the results go')
    .action(async ({ full = false, keep = false, out }: { full?: boolean; keep?: boolean; out?: string }) => {
      const calibration = await calibrate((each) => runWithProgress({ ...each, resume: false, show: false }), {
        directory: await outputDirectory('calibration', out),
        full,
      });
      const { rows } = calibration;
      console.log(formatRows(rows));
      if (keep) await keepCalibration(calibration);
      if (!rows.every(({ withinBound }) => withinBound)) process.exitCode = 1;
    });
}

/** Of every command that runs an experiment. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--out <folder>', 'where the results go (default: results/<experiment>/<time>)')
    .option('--show', 'open real windows to watch')
    .option('--json', 'print the summary as JSON instead of the table');
}

async function runAndPrint(experiment: Experiment, options: RunFlags): Promise<void> {
  const directory = await outputDirectory(experiment.name, options.out);
  const { resume = false, show = false } = options;
  const summary = await runWithProgress({ experiment, directory, resume, show });
  if (options.json === true) {
    console.log(JSON.stringify(summary, null, 2));
  } else {
    console.log(formatTable(summary));
    console.log(`\nResults: ${shortPath(directory)}; open ${shortPath(join(directory, REPORT_FILE))} in a browser`);
  }
  if (summary.cells.some(({ validTrials, trials }) => validTrials < trials)) process.exitCode = 1;
}

async function runAndCompare(experiment: Experiment, base: string, options: RunFlags): Promise<void> {
  const directory = await outputDirectory(experiment.name, options.out);
  const { resume = false, show = false } = options;
  const plan = makePairs(makePlan(experiment)).map(labelled);
  await withProgress({ experiment, directory, plan }, (watched) =>
    runAgainst({ experiment, base, directory, resume, show, ...watched }),
  );
  const comparison = await compareHalves(directory);
  console.log(options.json === true ? JSON.stringify(comparison, null, 2) : formatComparison(comparison));
  const where = shortPath(directory);
  if (options.json !== true) console.log(`\nResults: ${where}; compare them again with ./scriptorium compare ${where}`);
  const sides = comparison.cells.flatMap((cell) => [cell.base, cell.new]);
  if (sides.some(({ validTrials, trials }) => validTrials < trials)) process.exitCode = 1;
}

/** Runs an experiment with progress on stderr and a status page, until it ends or the person stops it. */
function runWithProgress(options: {
  experiment: Experiment;
  directory: string;
  resume: boolean;
  show: boolean;
}): Promise<Summary> {
  const { experiment, directory } = options;
  return withProgress({ experiment, directory, plan: makePlan(experiment) }, ({ ask, ...watched }) =>
    runExperiment({ ...options, ...watched, ask }),
  );
}

/** Runs with progress on stderr and a status page, until it ends or the person stops it. */
export async function withProgress<T>(
  options: { experiment: Experiment; directory: string; plan: readonly PlannedTrial[] },
  run: (watched: Pick<RunOptions, 'observer' | 'signal' | 'ask'>) => Promise<T>,
): Promise<T> {
  const { experiment, directory, plan } = options;
  const where = shortPath(directory);
  await using _owner = await ownRunFolder(directory);
  const status = keepRunStatus({ experiment: experiment.name, directory: where, plan });
  const page = await serveStatusPage(status);
  const progress = showProgress(process.stderr, status.now);
  const interrupt = interruptOnSignals(
    `Interrupted. Finished trials are kept in ${where}. The same command with --out ${where} --resume goes on.`,
    () => progress.say('Stopping every process…'),
  );
  progress.say(`Running ${experiment.name}; watch it at ${page.address}`);
  for (const warning of planWarnings(experiment)) progress.say(warning);
  try {
    return await run({
      signal: interrupt.signal,
      ask: process.stdin.isTTY
        ? (question) => progress.whileAsking(() => ask(question, { signal: interrupt.signal }))
        : undefined,
      observer: {
        onNotice: progress.say,
        onEnvironment: status.onEnvironment,
        onTrial: status.onTrial,
        onRecords: status.onRecords,
        onSummary: status.onSummary,
        onPhase(phase, endsAtMs) {
          status.onPhase(phase, endsAtMs);
          progress.onPhase(phase);
        },
        onVerdict(planned, verdict) {
          status.onVerdict(planned, verdict);
          progress.onVerdict(planned, verdict);
        },
      },
    });
  } finally {
    status.onEnd();
    progress.stop();
    interrupt.release();
    await page.stop();
  }
}
