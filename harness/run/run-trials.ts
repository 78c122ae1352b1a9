/**
 * The run loop: trial after trial, whatever they measure. The summary is brought up to date after each, so that a crash loses
 * one trial at most.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MACHINE_STOLEN } from '../../analysis/verdict/load-checks.ts';
import { type AnyPlannedTrial, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { readVerdict } from '../../results/run-folder/run-files.ts';
import { type RunFolder, setAside } from '../../results/run-folder/run-folder.ts';
import { stageOf } from '../../results/run-folder/trial-stage.ts';
import { clearUpAfter } from '../../results/user-error.ts';
import { analyseTrial } from '../analysis.ts';
import type { Runner } from '../fleets/runner.ts';

/** To whom a run tells how it goes. */
export interface TrialsObserver<Planned extends AnyPlannedTrial> {
  /** Something that a person should know; a whole sentence or line. */
  onNotice(text: string): void;
  /** The same of what went wrong, which is also told whoever wants to hear little. */
  onWarning(text: string): void;
  /** The environment of the trials; before the first of them. */
  onEnvironment?(environment: Record<string, unknown>): void;
  /** A trial begins, perhaps not for the first time: see `runUndisturbed`. */
  onTrial(planned: Planned, index: number): void;
  onVerdict(planned: Planned, verdict: Verdict): void;
  /** A trial that an earlier command finished; before the first that runs. */
  onKept?(planned: Planned, verdict: Verdict): void;
}

/** A run folder that is to be filled with the trials of a plan, and how. A run has one, or one for each of two versions. */
export interface RunPart<Planned extends AnyPlannedTrial, Report> {
  directory: string;
  folder: Pick<RunFolder<Planned>, 'plan' | 'toRun' | 'begin'>;
  /** The part's name if a run has several: a prefix of cells and folders. */
  name?: string;
  /** Opened once it is known that there is something to run. */
  open(): Promise<Runner<Planned>>;
  /** Brings its summary up to date with all finished trials. */
  report(): Promise<Report>;
}

interface PartTrial<Planned extends AnyPlannedTrial, Part> {
  part: Part;
  planned: Planned;
  /** As observers hear of it. */
  shown: Planned;
}

interface RunTrialsOptions<Planned extends AnyPlannedTrial, Report> {
  /** The folder of the run's parts, or of its only one. */
  directory: string;
  parts: readonly RunPart<Planned, Report>[];
  /** Trials of the plan, as of one turn of a campaign's block: the others wait. Absent: none does. */
  only?: readonly Planned[];
  observer: TrialsObserver<Planned>;
  signal: AbortSignal;
}

/**
 * Runs what is missing of a plan, in all parts.
 *
 * @returns the reports of the parts
 * @throws UserError if nothing can be run, the signal's reason if the run was interrupted; finished trials are kept
 */
export async function runTrials<Planned extends AnyPlannedTrial, Report>(
  options: RunTrialsOptions<Planned, Report>,
): Promise<Report[]> {
  const { directory, parts, only = parts[0]!.folder.plan, observer } = options;
  const trials = inTurns(parts[0]!.folder.plan, parts);
  const mayRun = new Set(only.map(({ directory }) => directory));
  const missing = new Map(parts.map((part) => [part, new Set(part.folder.toRun.map(({ directory }) => directory))]));
  const isMissing = ({ part, planned }: (typeof trials)[number]) => missing.get(part)!.has(planned.directory);
  const toRun = trials.filter((each) => isMissing(each) && mayRun.has(each.planned.directory));
  if (toRun.length > 0) {
    for (const { part, planned, shown } of trials.filter((each) => !isMissing(each))) {
      const verdict = await readVerdict(join(part.directory, planned.directory));
      if (typeof verdict !== 'string') observer.onKept?.(shown, verdict);
    }
    await openAndRun(toRun, { ...options, plan: trials.map(({ shown }) => shown) });
  } else if (options.only === undefined)
    observer.onNotice(`All trials of the run in ${directory} are finished; there is nothing to resume`);
  return Array.fromAsync(parts, (part) => part.report());
}

async function openAndRun<Planned extends AnyPlannedTrial, Report>(
  trials: readonly PartTrial<Planned, RunPart<Planned, Report>>[],
  options: RunTrialsOptions<Planned, Report> & { plan: readonly Planned[] },
): Promise<void> {
  const { plan, parts, observer, signal } = options;
  const runners = new Map<RunPart<Planned, Report>, Runner<Planned>>();
  try {
    for (const part of parts) runners.set(part, await part.open());
    for (const [part, { environment }] of runners) await part.folder.begin(environment, observer.onNotice);
    observer.onEnvironment?.({ ...runners.get(parts.at(-1)!)!.environment });
    for (const { part, planned, shown } of trials) {
      signal.throwIfAborted();
      const runner = runners.get(part)!;
      if (runner.leavesOut?.(planned)) continue;
      const begin = () => observer.onTrial(shown, plan.indexOf(shown));
      const verdict = await runUndisturbed({ part, planned, shown }, { runner, begin, ...options });
      // A report can be made again from the records; the trials that are still to run must not wait for it.
      await part.report().catch((error: Error) => {
        observer.onWarning(`The report could not be brought up to date, which is tried again later: ${error.message}`);
      });
      observer.onVerdict(shown, verdict);
      await runner.heed?.(planned, verdict);
    }
  } catch (error) {
    return clearUpAfter(error, { clearUp: () => closeAll(runners.values()), say: observer.onWarning });
  }
  await closeAll(runners.values());
}

/** The last first; the first error is thrown once all are closed. */
async function closeAll(runners: Iterable<Runner<never>>): Promise<void> {
  const errors: unknown[] = [];
  for (const runner of [...runners].reverse()) await runner.close().catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/**
 * Each trial of a part beside that of the others with the same number and the same seed. Which of a cell's first trials comes
 * first the seed says, and then they take turns: what a trial leaves behind, or a machine that slows down, falls to all alike.
 */
export function inTurns<Planned extends AnyPlannedTrial, Part extends { name?: string }>(
  plan: readonly Planned[],
  parts: readonly Part[],
): PartTrial<Planned, Part>[] {
  return plan.flatMap((planned) => {
    const draw = createHash('sha256').update(`${plan[0]!.seed}/${planned.cell}`).digest()[0]!;
    const first = (draw + planned.trial) % parts.length;
    return [...parts.slice(first), ...parts.slice(0, first)].map((part) => {
      const prefix = part.name === undefined ? '' : `${part.name}/`;
      const shown = { ...planned, cell: prefix + planned.cell, directory: prefix + planned.directory };
      return { part, planned, shown };
    });
  });
}

/** How often a trial is run again that its machine was taken away from. */
const REPEATS = 2;

/**
 * Runs a trial, or only judges one that was measured before; and runs it again if the hypervisor gave the machine's time to
 * others: that says nothing of what is measured, and is known before any figure is. The trials before are kept. Trials of two
 * versions must stand close together: none is repeated. Nor is one whose document can serve no other attempt.
 */
async function runUndisturbed<Planned extends AnyPlannedTrial>(
  { part, planned, shown }: PartTrial<Planned, { directory: string }>,
  options: {
    runner: Runner<Planned>;
    /** Tells of each attempt. */
    begin: () => void;
    parts: readonly object[];
    observer: TrialsObserver<Planned>;
    signal: AbortSignal;
  },
): Promise<Verdict> {
  const { runner, begin, observer, signal } = options;
  const repeats = options.parts.length === 1 && !runner.runsOnce?.(planned) ? REPEATS : 0;
  const directory = join(part.directory, planned.directory);
  const isRecorded = (await stageOf(directory)) === 'recorded';
  if (isRecorded) observer.onNotice(`${shown.cell}, trial ${shown.trial}, was measured before, and is only judged now`);
  else if (existsSync(join(directory, VERDICT_FILE))) {
    const aside = await setAside(directory);
    observer.onNotice(
      `${shown.cell}, trial ${shown.trial}, is run again: what it left is damaged, and kept in ${aside}`,
    );
  }
  // An interrupted trial leaves no record of anything, but its folder: that tells the next command that its document is used.
  else
    for (const left of await readdir(directory).catch(() => [])) await rm(join(directory, left), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    begin();
    const verdict =
      isRecorded && attempt === 1 ? await analyseTrial(directory) : await runner.runTrial(planned, directory);
    const stolen = verdict.reasons.find(({ code }) => code === MACHINE_STOLEN);
    if (verdict.verdict !== 'invalid' || stolen === undefined || attempt > repeats) return verdict;
    await setAside(directory);
    signal.throwIfAborted();
    observer.onNotice(`${shown.cell}, trial ${shown.trial}, is run again: ${stolen.message}`);
  }
}
