/** Runs base and new in turns: each a run folder of its own within one, trial after trial in pairs. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { summarizeElsewhere } from '../../analysis/in-own-process.ts';
import { findFrameworks } from '../../frameworks/discover.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { clearUpAfter } from '../../infra/process/clear-up.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { AGAINST_FILE, HALVES, PLAN_FILE, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { readJson, readPlan } from '../../results/run-folder/run-files.ts';
import { openRunFolder, type RunFolder } from '../../results/run-folder/run-folder.ts';
import { isOwnerFile } from '../../results/run-folder/run-owner.ts';
import { UserError } from '../../results/user-error.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { makePlan } from '../experiment/plan.ts';
import { loadFleet } from '../fleets/load.ts';
import type { Runner, RunnerOptions } from '../fleets/runner.ts';
import { type Base, type Checkout, checkoutOf, openBase } from './base.ts';
import type { RunObserver } from './run.ts';
import { differingMeasures } from './same-protocol.ts';

export type Half = keyof typeof HALVES;
const HALF_NAMES = Object.keys(HALVES) as Half[];

export interface AgainstOptions {
  experiment: Experiment;
  /** A folder that holds the project, or what git knows a commit by. */
  base: string;
  directory: string;
  /** Go on with the run that lies in `directory`; pairs of which both trials have a verdict are not run again. */
  resume: boolean;
  show: boolean;
  observer: RunObserver;
  signal: AbortSignal;
}

export interface HalfTrial {
  half: Half;
  /** As its own half's plan has it. */
  planned: PlannedTrial;
}

/**
 * The trials of both halves in the order in which they run: each trial of base beside that of new with the same number
 * and the same seed. Which of a cell's first pair comes first the seed says, and then they take turns, so that what a
 * trial leaves behind, or a machine that slows down, falls to both alike.
 */
export function makePairs(plan: readonly PlannedTrial[]): HalfTrial[] {
  const firstSeed = plan[0]?.seed;
  return plan.flatMap((planned) => {
    const isSwapped = (startOf(planned.cell, firstSeed) + planned.trial) % 2 === 1;
    const order: Half[] = isSwapped ? ['new', 'base'] : ['base', 'new'];
    return order.map((half) => ({ half, planned }));
  });
}

/** As observers are told of it: its half is part of the names of its cell and its folder. */
export function labelled({ half, planned }: HalfTrial): PlannedTrial {
  const { cell, directory } = planned;
  return { ...planned, cell: `${half}/${cell}`, directory: `${HALVES[half]}/${directory}` };
}

function startOf(cell: string, seed: number | undefined): number {
  return createHash('sha256').update(`${seed}/${cell}`).digest()[0]! % 2;
}

/**
 * @param settings what tests replace
 * @throws UserError where nothing can be run, the signal's reason where the run was interrupted
 */
export async function runAgainst(
  options: AgainstOptions,
  settings: { open?: (options: RunnerOptions) => Promise<Runner>; openBase?: typeof openBase } = {},
): Promise<void> {
  const { experiment, directory, resume, observer, signal } = options;
  const earlier = resume ? await readSides(directory) : null;
  if (!resume) await refuseUsed(directory);
  const plan = makePlan(experiment);
  const folders = { base: await openHalf(options, 'base', plan), new: await openHalf(options, 'new', plan) };
  const pairs = pairsToRun(plan, folders);
  if (pairs.length === 0) {
    observer.onNotice(`All trials of the run in ${directory} are finished; there is nothing to resume`);
    return;
  }
  const base = await (settings.openBase ?? openBase)(options.base, {
    root: PROJECT_ROOT,
    say: observer.onNotice,
    signal,
  });
  const opened: Runner[] = [];
  const close = async () => {
    const ends = await Promise.allSettled(opened.map((runner) => runner.close()));
    await base.release();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  try {
    await checkBase(options, base);
    const sides = { base: base.checkout, new: await checkoutOf(PROJECT_ROOT, null) };
    if (earlier !== null) refuseOtherSides(directory, earlier, sides);
    const open = settings.open ?? (await loadFleet(experiment.fleet.on)).open;
    const openRunner = async (root: string) => {
      const { show } = options;
      const runner = await open({ experiment, plan, show, observer, signal, root });
      opened.push(runner);
      return runner;
    };
    const runners = { base: await openRunner(base.root), new: await openRunner(PROJECT_ROOT) };
    if (earlier === null) await writeJson(join(directory, AGAINST_FILE), { schemaVersion: 1, ...sides });
    for (const half of HALF_NAMES) await folders[half].begin(runners[half].environment, observer.onNotice);
    observer.onEnvironment?.({ ...runners.new.environment });
    await runPairs(options, { all: makePairs(plan), pairs, runners });
  } catch (error) {
    return clearUpAfter(error, { clearUp: close, say: observer.onNotice });
  }
  await close();
}

/** Where it was stopped before a half's plan was written, that half is new. */
function openHalf(
  { directory, experiment, resume }: AgainstOptions,
  half: Half,
  plan: readonly PlannedTrial[],
): Promise<RunFolder> {
  const own = join(directory, HALVES[half]);
  const { sameMachine } = FLEETS[experiment.fleet.on];
  return openRunFolder({
    ...{ directory: own, experiment, plan, readPlan, sameMachine },
    resume: resume && existsSync(join(own, PLAN_FILE)),
  });
}

/** Pairs whole: what runs again after a pause is nothing to set beside what ran before it. */
function pairsToRun(plan: readonly PlannedTrial[], folders: Record<Half, RunFolder>): HalfTrial[] {
  const unfinished = new Set(HALF_NAMES.flatMap((half) => folders[half].toRun.map((planned) => planned.directory)));
  return makePairs(plan).filter(({ planned }) => unfinished.has(planned.directory));
}

async function runPairs(
  { directory, observer, signal }: AgainstOptions,
  { all, pairs, runners }: { all: HalfTrial[]; pairs: HalfTrial[]; runners: Record<Half, Runner> },
): Promise<void> {
  const told = all.map(labelled);
  // Of a pair that was broken off nothing may stand beside what runs now.
  for (const pair of pairs) await rm(join(directory, labelled(pair).directory), { recursive: true, force: true });
  for (const { half, planned } of pairs) {
    signal.throwIfAborted();
    const index = all.findIndex((each) => each.half === half && each.planned.directory === planned.directory);
    observer.onTrial(told[index]!, index, told);
    const verdict = await runners[half].runTrial(planned, join(directory, told[index]!.directory));
    const summary = await summarizeElsewhere(join(directory, HALVES[half]));
    if (half === 'new') observer.onSummary?.(summary);
    observer.onVerdict(told[index]!, verdict);
  }
}

const checkoutSchema = z.looseObject({ commit: z.string().nullable(), sources: z.string().optional() });
const sidesSchema = z.looseObject({ base: checkoutSchema, new: checkoutSchema });
type Sides = z.infer<typeof sidesSchema>;

async function readSides(directory: string): Promise<Sides> {
  const path = join(directory, AGAINST_FILE);
  if (existsSync(path)) return readJson(path, sidesSchema);
  throw new UserError(
    `${directory} holds no run against another version to resume: there is no ${AGAINST_FILE} in it`,
    { exitCode: 2 },
  );
}

/** The figures of one run must come from two versions, not from three. */
function refuseOtherSides(directory: string, earlier: Sides, now: Record<Half, Checkout>): void {
  for (const half of HALF_NAMES) {
    if (earlier[half].sources === now[half].sources) continue;
    const commits = `then ${earlier[half].commit ?? 'of no commit'}, now ${now[half].commit ?? 'of no commit'}`;
    throw new UserError(
      `the sources of ${half} are not those that the finished trials in ${directory} were run with (${commits}, or with other changes); go on with those, or start anew with another --out`,
      { exitCode: 2 },
    );
  }
}

async function refuseUsed(directory: string): Promise<void> {
  const content = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UserError(`${directory} cannot take a run's results: ${error.code}; give another folder with --out`, {
      exitCode: 2,
      cause: error,
    });
  });
  if (content.every(isOwnerFile)) return;
  throw new UserError(`${directory} is not empty; a run against another version takes a folder of its own with --out`, {
    exitCode: 2,
  });
}

/** What cannot run there is known before anything starts. */
async function checkBase({ experiment, observer }: AgainstOptions, { root, checkout }: Base): Promise<void> {
  await findFrameworks(experiment.frameworks, root).catch((error: UserError) => {
    throw new UserError(`in the base ${checkout.named}: ${error.message}`, { exitCode: error.exitCode, cause: error });
  });
  const measures = await differingMeasures(PROJECT_ROOT, root);
  if (measures.length === 0) return;
  const others = measures.length === 1 ? '' : ` and ${measures.length - 1} more files`;
  observer.onNotice(`note: what measures differs too, so what changed may be the measuring: ${measures[0]}${others}`);
}
