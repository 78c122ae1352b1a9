/** Runs base and new in turns: each a run folder of its own within one, trial after trial in pairs. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeReport } from '../../analysis/report/report.ts';
import { clearUpAfter } from '../../infra/process/clear-up.ts';
import { AGAINST_FILE, HALVES, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { UserError } from '../../results/user-error.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { makePlan } from '../experiment/plan.ts';
import { loadFleet } from '../fleets/load.ts';
import { findFramework } from '../frameworks/discover.ts';
import { PROJECT_ROOT } from '../project.ts';
import type { RunObserver } from '../run.ts';
import { openRunFolder, type RunFolder } from '../run-folder.ts';
import type { Runner, RunnerOptions } from '../runner.ts';
import { type Base, checkoutOf, openBase } from './base.ts';
import { differingMeasures } from './same-protocol.ts';

export type Half = keyof typeof HALVES;

export interface AgainstOptions {
  experiment: Experiment;
  /** A folder that holds the project, or what git knows a commit by. */
  base: string;
  directory: string;
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
  const { experiment, directory, observer, signal } = options;
  refuseOtherFleets(experiment);
  await refuseUsed(directory);
  const plan = makePlan(experiment);
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
    const open = settings.open ?? (await loadFleet(experiment.fleet.on)).open;
    const openHalf = async (half: Half, root: string) => {
      const folder = await openRunFolder({ directory: join(directory, HALVES[half]), experiment, plan, resume: false });
      const { show } = options;
      const runner = await open({ experiment, plan, show, observer, signal, root });
      opened.push(runner);
      return { folder, runner };
    };
    const halves = { base: await openHalf('base', base.root), new: await openHalf('new', PROJECT_ROOT) };
    const sides = { base: base.checkout, new: await checkoutOf(PROJECT_ROOT, null) };
    await writeJson(join(directory, AGAINST_FILE), { schemaVersion: 1, ...sides });
    for (const { folder, runner } of Object.values(halves)) await folder.begin(runner.environment, observer.onNotice);
    observer.onEnvironment?.({ ...halves.new.runner.environment });
    await runPairs(options, plan, halves);
  } catch (error) {
    return clearUpAfter(error, { clearUp: close, say: observer.onNotice });
  }
  await close();
}

async function runPairs(
  { directory, observer, signal }: AgainstOptions,
  plan: readonly PlannedTrial[],
  halves: Record<Half, { folder: RunFolder; runner: Runner }>,
): Promise<void> {
  const pairs = makePairs(plan);
  const told = pairs.map(labelled);
  for (const [index, { half, planned }] of pairs.entries()) {
    signal.throwIfAborted();
    observer.onTrial(told[index]!, index, told);
    const verdict = await halves[half].runner.runTrial(planned, join(directory, told[index]!.directory));
    const { summaries } = await writeReport([join(directory, HALVES[half])]);
    if (half === 'new') observer.onSummary?.(summaries[0]!);
    observer.onVerdict(told[index]!, verdict);
  }
}

function refuseOtherFleets({ fleet }: Experiment): void {
  if (fleet.on === 'local') return;
  throw new UserError(
    `base and new run in turns on the local fleet only, but this experiment is for ${fleet.on}; give --fleet local, or run each by itself and compare the two runs`,
    { exitCode: 2 },
  );
}

async function refuseUsed(directory: string): Promise<void> {
  const content = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UserError(`${directory} cannot take a run's results: ${error.code}; give another folder with --out`, {
      exitCode: 2,
      cause: error,
    });
  });
  if (content.length === 0) return;
  throw new UserError(`${directory} is not empty; a run against another version takes a folder of its own with --out`, {
    exitCode: 2,
  });
}

/** What cannot run there is known before anything starts. */
async function checkBase({ experiment, observer }: AgainstOptions, { root, checkout }: Base): Promise<void> {
  for (const name of experiment.frameworks) {
    const { about } = await findFramework(name, root).catch((error: UserError) => {
      throw new UserError(`in the base ${checkout.named}: ${error.message}`, {
        exitCode: error.exitCode,
        cause: error,
      });
    });
    if (about.hosted === undefined) continue;
    throw new UserError(`${name} is hosted by another, so base and new would be the same; leave it out`, {
      exitCode: 2,
    });
  }
  const measures = await differingMeasures(PROJECT_ROOT, root);
  if (measures.length === 0) return;
  const others = measures.length === 1 ? '' : ` and ${measures.length - 1} more files`;
  observer.onNotice(`note: what measures differs too, so what changed may be the measuring: ${measures[0]}${others}`);
}
