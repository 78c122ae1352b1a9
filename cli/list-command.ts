/** `list` shows frameworks, modes, traces and engines; `plan` an experiment's trials; `doctor` checks this machine. None runs any. */
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { estimateDocumentsMs, formatDocumentPlan, planDocuments } from '../documents/plan.ts';
import { describeEngines, formatEngines } from '../documents/replay/engines.ts';
import { admitAll } from '../frameworks/admit.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { formatFrameworks } from '../frameworks/framework-tables.ts';
import { MODE_NAMES, MODES } from '../frameworks/modes.ts';
import { needStates } from '../frameworks/needs.ts';
import { crowdLines } from '../harness/crowd/needed-recordings.ts';
import {
  type LoadedDocuments,
  type LoadedExperiment,
  loadAnyExperiment,
  loadPlan,
  type TypingExperiment,
} from '../harness/experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../harness/experiment/experiment-options.ts';
import { programLines } from '../harness/experiment/needed-programs.ts';
import { estimatePlanMs, formatPlan, makePlan } from '../harness/experiment/plan.ts';
import { describeReadyMade, readyMadeNames } from '../harness/experiment/ready-made.ts';
import { formatAbout } from '../harness/experiment/units.ts';
import { loadFleet, thisMachine } from '../harness/fleets/fleet-kind.ts';
import { doctorExitCode, formatChecks, runDoctor } from '../harness/machine/doctor.ts';
import { checkBase } from '../harness/run/base.ts';
import { PLAN_FILE, type PlannedTrial } from '../results/formats/run-directory.ts';
import { asReason } from '../results/run-folder/run-files.ts';
import { UserError } from '../results/user-error.ts';
import { listTraces } from '../traces/store.ts';
import { coloured, printEither, say } from './terminal.ts';

export function addListCommand(program: Command): void {
  program
    .command('list')
    .description('list frameworks with versions and capabilities, modes, traces, and engines for single documents')
    .argument(
      '[frameworks...]',
      'only these frameworks, as in an experiment (default: all, with modes, traces and engines)',
    )
    .option('--experiments', 'list the ready-made experiments instead, with their time')
    .option('--json', 'print JSON instead of tables')
    .action(async (names: string[], { experiments = false, json = false }: ListFlags) => {
      if (experiments && names.length > 0) {
        throw new UserError(
          `--experiments lists experiments, and ${names.join(', ')} names frameworks; give one of them`,
        );
      }
      if (experiments) return printEither(json, await describeExperiments(), formatExperiments);
      const frameworks =
        names.length > 0
          ? await admitAll(names, { from: process.cwd(), say, isDry: true })
          : await discoverFrameworks();
      if (names.length > 0) return printEither(json, frameworks, formatFrameworks);
      const [traces, engines, needs] = await Promise.all([
        listTraces(),
        describeEngines(),
        json ? [] : needStates(frameworks),
      ]);
      printEither(json, { frameworks, modes: MODES, traces, engines }, () =>
        [
          formatFrameworks(frameworks, needs),
          `\nmodes\n${MODE_NAMES.map((mode) => `  ${mode.padEnd(10)}${MODES[mode].description}`).join('\n')}`,
          `\ntraces\n${traces.map(({ name, description }) => `  ${name.padEnd(18)}${description}`).join('\n')}`,
          `\nengines, for the scenarios replay and state\n${formatEngines(engines)}`,
          '\nReady-made experiments: ./scriptorium list --experiments',
        ].join('\n'),
      );
    });
}

interface ListFlags {
  experiments?: boolean;
  json?: boolean;
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check that this machine can run experiments, and how quiet it is')
    .option('--json', 'print JSON instead of text')
    .action(async ({ json = false }: { json?: boolean }) => {
      const checks = await runDoctor();
      printEither(json, checks, formatChecks);
      process.exitCode = doctorExitCode(checks);
    });
}

interface DescribedExperiment {
  name: string;
  /** Without recordings of crowds; null: not known here. */
  timeMs: number | null;
  /** True if it takes no longer: of documents the time is an estimate. */
  isAtMost: boolean;
  what: string;
}

function describeExperiments(): Promise<DescribedExperiment[]> {
  return Array.fromAsync(readyMadeNames(), async (name) => {
    const known = await asReason(async () => {
      const loaded = await loadAnyExperiment({ path: name, isDry: true });
      return { timeMs: await timeOf(loaded), isAtMost: loaded.scenario === 'typing' };
    });
    const time = typeof known === 'string' ? { timeMs: null, isAtMost: false } : known;
    return { name, ...time, what: describeReadyMade(name) };
  });
}

function formatExperiments(experiments: readonly DescribedExperiment[]): string {
  const lines = experiments.flatMap(({ name, timeMs, isAtMost, what }) => [
    `${name.padEnd(24)}${timeMs === null ? 'time not known here' : `${isAtMost ? 'at most' : 'about'} ${formatAbout(timeMs)}`}`,
    `  ${what}`,
  ]);
  return `${lines.join('\n')}\n\nRun one by its name: ./scriptorium run smoke. Times are without recordings of crowds.`;
}

/** About how long all trials take, ms. */
async function timeOf(loaded: LoadedExperiment): Promise<number> {
  if (loaded.scenario === 'typing') {
    return estimatePlanMs(loaded.experiment, makePlan(loaded.experiment, loaded.frameworks));
  }
  return estimateDocumentsMs(loaded.experiment, await planDocuments(loaded, () => {}));
}

export function addPlanCommand(program: Command): void {
  addExperimentOptions(
    program
      .command('plan')
      .description('print the trials of an experiment, their duration, and the load that this machine can carry')
      .argument(
        '<file>',
        `the experiment: a YAML file, a name that list --experiments shows, or the ${PLAN_FILE} of a run`,
      )
      .option('--all', 'list every trial, in the order in which they run'),
  )
    .option('--json', 'print JSON instead of text')
    .action(async (file: string, { all = false, json = false, ...flags }: PlanFlags) => {
      const overrides = overridesFrom(flags);
      if (basename(file) === PLAN_FILE) {
        return printPlan(await loadPlan(dirname(resolve(file)), { isDry: true, overrides }), { all, json });
      }
      const loaded = await loadAnyExperiment({ path: file, overrides, isDry: true });
      if (loaded.scenario === 'typing') {
        return printPlan({ ...loaded, plan: makePlan(loaded.experiment, loaded.frameworks) }, { all, json });
      }
      if (!json) return console.log(coloured(await describeScenario(loaded, all)));
      const trials = await planDocuments(loaded, () => {});
      console.log(JSON.stringify({ experiment: loaded.experiment, trials, aboutMs: await timeOf(loaded) }, null, 2));
    });
}

interface PlanFlags extends Record<string, unknown> {
  all?: boolean;
  json?: boolean;
}

type PlannedExperiment = TypingExperiment & { plan: readonly PlannedTrial[] };

async function printPlan(planned: PlannedExperiment, { all, json }: { all: boolean; json: boolean }): Promise<void> {
  const { experiment, plan: trials } = planned;
  const content = { experiment, trials, atMostMs: estimatePlanMs(experiment, trials) };
  console.log(json ? JSON.stringify(content, null, 2) : coloured(await describeTyping(planned, all)));
}

async function describeTyping(planned: PlannedExperiment, all: boolean): Promise<string> {
  const { experiment, frameworks } = planned;
  if (experiment.base !== null) await checkBase(experiment.base);
  const { planLines } = await loadFleet(experiment.fleet.on);
  const lines = [...(await crowdLines(planned)), ...(await programLines(planned))];
  const fleetLines = [...lines, ...planLines(experiment, thisMachine())];
  const plan = formatPlan(experiment, planned.plan, fleetLines, { all, frameworks });
  const trace = (await listTraces()).find(({ name }) => name === experiment.trace);
  if (trace?.state !== 'not fetched') return plan;
  return `${plan}\nnote: the trace "${trace.name}" is not here yet: ./scriptorium traces fetch ${trace.name}`;
}

async function describeScenario(loaded: LoadedDocuments, all: boolean): Promise<string> {
  const notes: string[] = [];
  const plan = await planDocuments(loaded, (text) => notes.push(text));
  return [await formatDocumentPlan(loaded.experiment, plan, { all }), ...notes].join('\n');
}
