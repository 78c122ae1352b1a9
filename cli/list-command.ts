/** `list` shows frameworks, modes, traces and engines; `plan` an experiment's trials; `doctor` checks this machine. None runs any. */
import type { Command } from 'commander';
import { estimateDocumentsMs, formatDocumentPlan, planDocuments } from '../documents/plan.ts';
import { describeEngines, formatEngines } from '../documents/replay/engines.ts';
import { admitAll } from '../frameworks/admit.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { formatFrameworks } from '../frameworks/framework-tables.ts';
import { MODE_NAMES, MODES } from '../frameworks/modes.ts';
import { needStates } from '../frameworks/needs.ts';
import { crowdLines } from '../harness/crowd/recordings.ts';
import type { DocumentExperiment } from '../harness/experiment/document-experiments.ts';
import type { Experiment } from '../harness/experiment/experiment.ts';
import { loadAnyExperiment } from '../harness/experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../harness/experiment/experiment-options.ts';
import { estimatePlanMs, formatPlan, makePlan } from '../harness/experiment/plan.ts';
import { describeReadyMade, readyMadeNames } from '../harness/experiment/ready-made.ts';
import { formatAbout } from '../harness/experiment/units.ts';
import { loadFleet, thisMachine } from '../harness/fleets/fleet-kind.ts';
import { doctorExitCode, formatChecks, runDoctor } from '../harness/machine/doctor.ts';
import { alignTable } from '../results/text-table.ts';
import { UserError } from '../results/user-error.ts';
import { listTraces } from '../traces/store.ts';

export function addListCommands(program: Command): void {
  program
    .command('list')
    .description('list frameworks with versions and capabilities, modes, traces, and engines for single documents')
    .argument(
      '[frameworks...]',
      'only these frameworks, as in an experiment (default: all, with modes, traces and engines)',
    )
    .option('--experiments', 'list the ready-made experiments instead, with their time')
    .action(async (names: string[], { experiments = false }: { experiments?: boolean }) => {
      if (experiments) return console.log(await formatExperiments());
      if (names.length > 0) {
        const named = await admitAll(names, { from: process.cwd(), say: (text) => console.error(text) });
        return console.log(formatFrameworks(named));
      }
      const [frameworks, traces] = await Promise.all([discoverFrameworks(), listTraces()]);
      console.log(formatFrameworks(frameworks, await needStates(frameworks)));
      console.log('\nmodes');
      for (const mode of MODE_NAMES) console.log(`  ${mode.padEnd(10)}${MODES[mode].description}`);
      console.log('\ntraces');
      for (const { name, description } of traces) console.log(`  ${name.padEnd(18)}${description}`);
      console.log(`\nengines, for the scenarios replay and state\n${formatEngines(await describeEngines())}`);
    });

  program
    .command('doctor')
    .description('check that this machine can run experiments, and how quiet it is')
    .action(async () => {
      const checks = await runDoctor();
      console.log(formatChecks(checks));
      process.exitCode = doctorExitCode(checks);
    });
}

/** Each ready-made experiment with what it asks, and how long it takes. */
async function formatExperiments(): Promise<string> {
  const rows = [];
  for (const name of readyMadeNames()) {
    const timeMs = await timeOf(name).catch((error: unknown) => {
      if (error instanceof UserError) return null;
      throw error;
    });
    rows.push([name, timeMs === null ? '–' : formatAbout(timeMs), describeReadyMade(name)]);
  }
  const table = alignTable([['experiment', 'time', 'what it is'], ...rows]);
  return `${table}\n\nRun one by its name: ./scriptorium run smoke. Times are without recordings of crowds; –: not known here.`;
}

async function timeOf(name: string): Promise<number> {
  const loaded = await loadAnyExperiment({ path: name, isDry: true });
  if (loaded.scenario === 'typing') return estimatePlanMs(loaded.experiment, makePlan(loaded.experiment));
  return estimateDocumentsMs(loaded.experiment, await planDocuments(loaded.experiment, () => {}));
}

export function addPlanCommand(program: Command): void {
  addExperimentOptions(
    program
      .command('plan')
      .description('print the trials of an experiment, their duration, and the load that this machine can carry')
      .argument('<file>', 'the experiment: a YAML file, or a name that list --experiments shows')
      .option('--all', 'list every trial, in the order in which they run'),
  ).action(async (file: string, flags: Record<string, unknown>) => {
    const { scenario, experiment } = await loadAnyExperiment({
      path: file,
      overrides: overridesFrom(flags),
      isDry: true,
    });
    const all = flags.all === true;
    console.log(
      scenario === 'typing' ? await describeTyping(experiment, all) : await describeScenario(experiment, all),
    );
  });
}

async function describeTyping(experiment: Experiment, all: boolean): Promise<string> {
  const { planLines } = await loadFleet(experiment.fleet.on);
  const fleetLines = [...(await crowdLines(experiment)), ...planLines(experiment, thisMachine())];
  const plan = formatPlan(experiment, makePlan(experiment), fleetLines, { all });
  const trace = (await listTraces()).find(({ name }) => name === experiment.trace);
  if (trace?.state !== 'not fetched') return plan;
  return `${plan}\nnote: the trace "${trace.name}" is not here yet: ./scriptorium traces fetch ${trace.name}`;
}

async function describeScenario(experiment: DocumentExperiment, all: boolean): Promise<string> {
  const notes: string[] = [];
  const plan = await planDocuments(experiment, (text) => notes.push(text));
  return [await formatDocumentPlan(experiment, plan, { all }), ...notes].join('\n');
}
