/**
 * Runs an experiment in which people type: its plan in one run folder, or its plan in two versions by turns (`--against`), each
 * of which is a run folder of its own within the run's.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Frameworks } from '../../frameworks/framework.ts';
import { codeOf } from '../../infra/code.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { AGAINST_FILE, HALVES, PLAN_FILE, type PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { openRunFolder } from '../../results/run-folder/run-folder.ts';
import { clearUpAfter, UserError } from '../../results/user-error.ts';
import { summarizeRun } from '../analysis.ts';
import { Refusals } from '../attached/attach.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { requirePrograms } from '../experiment/needed-programs.ts';
import { makePlan } from '../experiment/plan.ts';
import { refuseManyAttached } from '../experiment/servers.ts';
import { loadFleet, type Machine, thisMachine } from '../fleets/fleet-kind.ts';
import type { RunContext, Runner, RunnerOptions } from '../fleets/runner.ts';
import { proveBacking } from '../trial/servers-wanted.ts';
import { type Ask, assignDocuments, isDocumentSpent } from '../users/docs/documents.ts';
import { type Base, type Checkout, differingMeasures, frameworksIn, openBase } from './base.ts';
import { inTurns, type RunPart, runTrials, type TrialsObserver } from './run-trials.ts';

/** The trials of an experiment as observers will hear of them, in the order in which they run. */
export function shownPlan(experiment: Experiment, frameworks?: Frameworks): PlannedTrial[] {
  const parts = experiment.base === null ? [{}] : Object.values(HALVES).map((name) => ({ name }));
  return inTurns(makePlan(experiment, frameworks), parts).map(({ shown }) => shown);
}

/**
 * @returns the summary of all finished trials; of a run against another version, that of the new one
 * @throws UserError if nothing can be run, the signal's reason if the run was interrupted; finished trials are kept
 */
export async function runExperiment(options: RunOptions, settings: RunSettings = {}): Promise<Summary> {
  const { experiment, frameworks, directory, only, observer, signal, isAgreed = false } = options;
  const { plan = makePlan(experiment, frameworks), refusals = new Refusals() } = options;
  refuseManyAttached(experiment, { trials: plan, isAgreed });
  const planned = { ...options, plan, grows: options.plan !== undefined, refusals };
  if (experiment.base === null && holdsHalves(directory)) {
    throw new UserError(`${directory} holds a run against another version; a run of one version takes another --out`);
  }
  const parts =
    experiment.base === null
      ? [await openTypingPart(planned, settings)]
      : await openHalves({ ...planned, base: experiment.base }, settings);
  const summaries = await runTrials({ directory, parts, only, observer, signal });
  return summaries.at(-1)!;
}

export type RunObserver = RunContext['observer'] &
  TrialsObserver<PlannedTrial> & {
    /** The summary of all trials that are finished, each time that it is brought up to date. */
    onSummary?(summary: Summary): void;
  };

export interface RunOptions extends RunContext {
  experiment: Experiment;
  /** Those of the experiment, as they were found when it was loaded. */
  frameworks: Frameworks;
  /** Replaces the experiment's own plan: one that grows from call to call, as a search's does. */
  plan?: readonly PlannedTrial[];
  /** Trials of that plan: the others wait for another call. Absent: none does. */
  only?: readonly PlannedTrial[];
  /** Trials that may follow that plan: crowds of them are recorded beside others, on cores that would wait. */
  ahead?: readonly PlannedTrial[];
  /** Counts refusals of servers that somebody else runs, over several runs; absent: over this one. */
  refusals?: Refusals;
  /** True: a server that somebody else runs may be loaded with many users. */
  isAgreed?: boolean;
  directory: string;
  /** Go on with the run that lies in `directory`; what has a verdict is not run again. */
  resume: boolean;
  observer: RunObserver;
  /** Absent if no person can be asked. */
  ask?: Ask | null;
}

/** Parts that tests replace. */
export interface RunSettings {
  open?: (options: RunnerOptions) => Promise<Runner>;
  openBase?: typeof openBase;
  machine?: Machine;
  summarize?: typeof summarizeRun;
}

interface TypingPart extends RunPart<PlannedTrial, Summary> {
  /** @param of the project whose processes run, and its frameworks; by default this one */
  open(of?: { root: string; frameworks: Frameworks }): Promise<Runner>;
}

/** A run with what was left open settled. */
interface PlannedRun extends RunOptions {
  plan: readonly PlannedTrial[];
  /** True if the plan of the run in the folder may end before this one does. */
  grows: boolean;
  refusals: Refusals;
}

/** Looks into the folder, before anything starts anywhere. @throws UserError (2) as `openRunFolder` does */
async function openTypingPart(options: PlannedRun, settings: RunSettings): Promise<TypingPart> {
  const { experiment, plan, only = plan, grows, directory, resume, observer, signal, show } = options;
  const kind = await loadFleet(experiment.fleet.on);
  const { open = kind.open, machine = thisMachine(), summarize = summarizeRun } = settings;
  const { sameMachine } = FLEETS[experiment.fleet.on];
  // An empty document that a person named is spoilt once a trial was interrupted in it: another may stand in its place.
  const mayChange = experiment.servers.attached.length > 0 ? ['documents'] : [];
  const folder = await openRunFolder({ directory, experiment, plan, sameMachine, grows, resume, mayChange });
  return {
    directory,
    folder,
    async open({ root, frameworks } = { root: PROJECT_ROOT, frameworks: options.frameworks }) {
      // The others may wait for more memory.
      const now = new Set(only.map((planned) => planned.directory));
      kind.checkMachine?.(
        folder.toRun.filter((planned) => now.has(planned.directory)),
        machine,
      );
      // Trials that lack a document, and nobody who can be asked for one, are known before anything starts.
      const { plan, toRun } = folder;
      await requirePrograms({ experiment, plan: toRun, frameworks });
      await proveBacking(toRun, experiment);
      const ask = options.ask ?? null;
      const complete = await assignDocuments({ experiment, plan, directory, folder, frameworks, ask });
      const { ahead, refusals } = options;
      const part = { experiment, frameworks, plan, toRun, ahead, root, refusals };
      const runner = await open({ ...part, show, observer, signal });
      return {
        environment: runner.environment,
        runTrial: async (planned, trialDirectory) => runner.runTrial(await complete(planned), trialDirectory),
        async heed(planned, verdict) {
          await runner.heed?.(planned, verdict);
        },
        runsOnce: (planned) => isDocumentSpent(planned, { experiment, plan, frameworks }),
        close: () => runner.close(),
      };
    },
    async report() {
      const summary = await summarize(directory);
      observer.onSummary?.(summary);
      return summary;
    },
  };
}

type HalvesOptions = PlannedRun & { base: string };

/**
 * The parts of a run against a base: base, then new.
 *
 * @param options.base a folder that holds the project, or what git knows a commit by
 * @throws UserError (2) if the folder holds another run, or none to resume
 */
async function openHalves(options: HalvesOptions, settings: RunSettings): Promise<TypingPart[]> {
  const { directory, observer, signal } = options;
  refuseOtherRun(options);
  const checkouts: { base?: Checkout; new?: Checkout } = {};
  const base = await openHalf('base', options, settings);
  const fresh = await openHalf('new', options, settings);
  const openInBase = async () => {
    const open = settings.openBase ?? openBase;
    const opened = await open(options.base, { root: PROJECT_ROOT, say: observer.onNotice, signal });
    checkouts.base = opened.checkout;
    try {
      const frameworks = await frameworksIn(opened, options.experiment);
      await warnOfMeasures(opened, observer);
      const runner = await base.open({ root: opened.root, frameworks });
      return { ...runner, close: () => runner.close().finally(opened.release) };
    } catch (error) {
      return clearUpAfter(error, { clearUp: opened.release, say: observer.onWarning });
    }
  };
  const openHere = async () => {
    checkouts.new = { named: null, ...(await codeOf(PROJECT_ROOT)) };
    return fresh.open();
  };
  const begin: TypingPart['folder']['begin'] = async (environment, say) => {
    await fresh.folder.begin(environment, say);
    await writeJson(join(directory, AGAINST_FILE), { schemaVersion: 1, ...checkouts });
  };
  return [
    { ...base, open: openInBase },
    { ...fresh, folder: { ...fresh.folder, begin }, open: openHere },
  ];
}

/** A run shows the summary of its new half only. */
async function openHalf(half: keyof typeof HALVES, options: HalvesOptions, settings: RunSettings): Promise<TypingPart> {
  const directory = join(options.directory, HALVES[half]);
  // A run that was stopped before it wrote this half's plan has not begun with it.
  const resume = options.resume && existsSync(join(directory, PLAN_FILE));
  const observer = half === 'new' ? options.observer : { ...options.observer, onSummary: undefined };
  return { ...(await openTypingPart({ ...options, directory, resume, observer }, settings)), name: half };
}

function holdsHalves(directory: string): boolean {
  return Object.values(HALVES).some((half) => existsSync(join(directory, half, PLAN_FILE)));
}

function refuseOtherRun({ directory, resume }: RunOptions): void {
  if (existsSync(join(directory, PLAN_FILE))) {
    throw new UserError(`${directory} holds a run of one version; a run against another takes another --out`);
  }
  if (!resume || holdsHalves(directory)) return;
  throw new UserError(
    `${directory} holds no run against another version to resume: there is no ${PLAN_FILE} in ${HALVES.base}/ or ${HALVES.new}/`,
  );
}

async function warnOfMeasures({ root }: Base, { onNotice }: RunOptions['observer']): Promise<void> {
  const measures = await differingMeasures(PROJECT_ROOT, root);
  if (measures.length === 0) return;
  const others = measures.length === 1 ? '' : ` and ${measures.length - 1} more files`;
  onNotice(`note: what measures differs too, so what changed may be the measuring: ${measures[0]}${others}`);
}
