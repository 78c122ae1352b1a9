/** The folder that a run writes into: its earlier content, and the decision to continue it or to refuse. */
import { existsSync } from 'node:fs';
import { readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type AnyPlannedTrial, ENVIRONMENT_FILE, PLAN_FILE, type PlannedTrial } from '../formats/run-directory.ts';
import { makeFolder, syncFolder, writeJson } from '../formats/write-file.ts';
import { UserError } from '../user-error.ts';
import { asReason, readAnyPlan, readEnvironment, readRunText } from './run-files.ts';
import { unusable } from './run-owner.ts';
import { isMeasured, stageOf, type TrialStage } from './trial-stage.ts';

export interface RunFolder<Planned extends AnyPlannedTrial = PlannedTrial> {
  /** All trials of the run. */
  plan: readonly Planned[];
  /** Trials that are not finished, in the plan's order. */
  toRun: readonly Planned[];
  /** Those of them that began, and were not measured to their end. */
  brokenOff: readonly Planned[];
  /**
   * Writes `plan.json` of a new run, one that has grown, whose experiment has changed where it may, or that a power cut left
   * empty; and `environment.json`, unless it tells of trials that were measured.
   *
   * @throws UserError (2) if finished trials were run on another machine, or with other versions
   */
  begin(environment: object, say: (text: string) => void): Promise<void>;
}

/** The `plan.json` of an older run. */
interface OlderPlan {
  startedAt: string;
  experiment: object;
  trials: readonly AnyPlannedTrial[];
  /** True if its file could not be read, and this is today's plan in its place. */
  isLost?: boolean;
}

interface FolderOptions<Planned extends AnyPlannedTrial> {
  directory: string;
  experiment: object;
  plan: readonly Planned[];
  /** True if all trials must run on the machine that `environment.json` describes. */
  sameMachine: boolean;
  /** True if the run in the folder is to be continued. */
  resume: boolean;
  /** Properties of the experiment that may be others than those of that run: its trials that are still to run have these. */
  mayChange?: readonly string[];
  /** True if that run's plan may be a beginning of this one: it then becomes this one. */
  grows?: boolean;
}

/**
 * Looks into the folder, and changes nothing.
 *
 * @throws UserError (2) if it holds what this run may not touch, or no run to go on with, or files that cannot be read
 */
export async function openRunFolder<Planned extends AnyPlannedTrial>(
  options: FolderOptions<Planned>,
): Promise<RunFolder<Planned>> {
  const { directory, experiment, plan, resume, sameMachine } = options;
  await checkFolder(directory);
  const isThere = existsSync(join(directory, PLAN_FILE));
  const older = isThere ? await checkPlan(options) : await checkUnplanned(options);
  const stages: { planned: Planned; stage: TrialStage }[] = [];
  // One after the other: each opens all records of its trial.
  for (const planned of plan) stages.push({ planned, stage: await stageOf(join(directory, planned.directory)) });
  const toRun = stages.filter(({ stage }) => stage !== 'finished');
  const hasMeasured = stages.some(({ stage }) => isMeasured(stage));
  const remedy = 'remove it if the trials ran here and with these versions';
  const earlier = resume && hasMeasured ? await readable(readEnvironment(directory), remedy) : {};
  const isRecorded = Object.keys(earlier).length > 0;
  return {
    plan,
    toRun: toRun.map(({ planned }) => planned),
    brokenOff: toRun.filter(({ stage }) => stage === 'broken-off').map(({ planned }) => planned),
    async begin(environment, say) {
      if (older?.isLost)
        say(`note: ${PLAN_FILE} in ${directory} could not be read; it is written again, as planned now`);
      if (isRecorded) {
        // As it would be read.
        checkEnvironment({ directory, sameMachine, earlier, now: JSON.parse(JSON.stringify(environment)), say });
      }
      const isChanged = !isDeepStrictEqual(older?.experiment, JSON.parse(JSON.stringify(experiment)));
      if (older?.trials.length !== plan.length || older.isLost || isChanged) {
        const startedAt = older?.startedAt ?? new Date().toISOString();
        await writeJson(join(directory, PLAN_FILE), { schemaVersion: 1, startedAt, experiment, trials: plan });
      }
      if (!isRecorded) await writeJson(join(directory, ENVIRONMENT_FILE), environment);
    },
  };
}

async function checkFolder(directory: string): Promise<void> {
  const found = await stat(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unusable(directory, error);
  });
  if (found?.isDirectory() === false) throw unusable(directory, { code: 'ENOTDIR', name: '', message: '' });
}

/** @returns the plan that lies there */
async function checkPlan(options: FolderOptions<AnyPlannedTrial>): Promise<OlderPlan> {
  const { directory, experiment, plan, resume, mayChange = [], grows = false } = options;
  if (!resume) {
    throw new UserError(
      `${directory} holds a run already; give another folder with --out, or, if it is one of "run" or "max", go on with --resume`,
    );
  }
  const older = (await lostPlan(options)) ?? (await readable(readAnyPlan(directory)));
  const trials = grows ? plan.slice(0, older.trials.length) : plan;
  const now = JSON.parse(JSON.stringify({ experiment, trials }));
  const kept = (of: object) => Object.entries(of).filter(([name]) => !mayChange.includes(name));
  const isSame = isDeepStrictEqual(
    Object.fromEntries(kept(now.experiment)),
    Object.fromEntries(kept(older.experiment)),
  );
  if (isSame && isDeepStrictEqual(now.trials, older.trials)) return older;
  throw new UserError(
    `the run in ${directory} was planned from another experiment; resume it with the same file and flags, or start a new run with another --out`,
  );
}

/**
 * A plan that a power cut left empty, or cut off, is planned again: the command is the same. Its trials must bear the same names.
 *
 * @returns null if the plan is JSON
 */
async function lostPlan({ directory, experiment, plan }: FolderOptions<AnyPlannedTrial>): Promise<OlderPlan | null> {
  const path = join(directory, PLAN_FILE);
  try {
    JSON.parse(await readRunText(path));
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const known = new Set(plan.map((planned) => basename(planned.directory)));
  const there = await readdir(join(directory, dirname(plan[0]!.directory))).catch(() => []);
  const stranger = there.find((name) => !known.has(name));
  if (stranger === undefined) {
    return { startedAt: (await stat(path)).mtime.toISOString(), experiment, trials: plan, isLost: true };
  }
  throw new UserError(
    `${path} cannot be read, and ${stranger} is no trial of this experiment; resume with the same file and flags, or start a new run with another --out`,
  );
}

/** There is no plan: then there may be no trials either, which would pass for this run's. */
async function checkUnplanned({ directory, plan, resume }: FolderOptions<AnyPlannedTrial>): Promise<null> {
  if (resume) {
    throw new UserError(`${directory} holds no run to resume: there is no ${PLAN_FILE} in it`);
  }
  for (const folder of new Set(plan.map((planned) => dirname(planned.directory)))) {
    if (!existsSync(join(directory, folder))) continue;
    throw new UserError(
      `${directory} holds ${folder}/, but no ${PLAN_FILE} that tells of which run; give another folder with --out`,
    );
  }
  return null;
}

function checkEnvironment(options: {
  directory: string;
  sameMachine: boolean;
  earlier: Record<string, unknown>;
  now: Record<string, unknown>;
  say: (text: string) => void;
}): void {
  const { directory, sameMachine, earlier, now, say } = options;
  const { versions, machine } = environmentDifferences(earlier, now);
  if (!sameMachine && machine.length > 0) {
    say(
      `note: the coordinator is on another machine than in the trials before (${machine.join('; ')}); ${ENVIRONMENT_FILE} tells of the first`,
    );
  }
  const differences = [...versions, ...(sameMachine ? machine : [])];
  if (differences.length === 0) return;
  throw new UserError(
    `the finished trials in ${directory} were run with other versions or on another machine, and one run's figures must come from one:\n  ${differences.join('\n  ')}\nGo on as it was then, or start a new run with another --out`,
  );
}

/** @throws UserError (2) that says what to do, if the file cannot be read */
async function readable<T extends object>(reading: Promise<T>, remedy = 'mend the file'): Promise<T> {
  const content = await asReason(() => reading);
  if (typeof content !== 'string') return content;
  throw new UserError(`${content}\nThe run cannot go on with it; ${remedy}, or start a new run with another --out`);
}

const ASIDE = 'interrupted';

/**
 * Sets a trial aside that is run again: it is kept, outside of all that the analysis reads.
 *
 * @param directory the trial's, such as `…/trials/yjs-noquill-4-1`
 * @returns         the folder's new place, such as `…/interrupted/yjs-noquill-4-1-attempt-1`
 */
export async function setAside(directory: string): Promise<string> {
  const asideAs = (attempt: number) => join(directory, '../..', ASIDE, `${basename(directory)}-attempt-${attempt}`);
  let attempt = 1;
  while (existsSync(asideAs(attempt))) attempt++;
  const aside = asideAs(attempt);
  makeFolder(dirname(aside));
  await rename(directory, aside);
  syncFolder(dirname(directory));
  syncFolder(dirname(aside));
  return aside;
}

/** Totals of memory that differ by less are one machine's: a new kernel keeps a little more or less for itself. */
const MEMORY_TOLERANCE = 0.02;

/** As `environment.json` holds it; it may be another version's. */
type Recorded = Readonly<Record<string, unknown>>;

/** Sentences' parts, such as `node: v24.1.0, now v24.2.0`; empty if all is the same. */
export interface EnvironmentDifferences {
  /** Versions of the project, Node, Chrome and packages; and the sources, if a run against another version tells them. */
  versions: string[];
  machine: string[];
}

/** Compares what figures depend on; a new kernel alone makes no other machine. */
export function environmentDifferences(before: Recorded, now: Recorded): EnvironmentDifferences {
  const compare = (keys: readonly string[], from: Recorded, to: Recorded) =>
    keys
      .filter((key) => from[key] !== to[key])
      .map((key) => `${key}: ${from[key] ?? 'not known'}, now ${to[key] ?? 'not known'}`);
  const [packagesBefore, packagesNow] = [packagesOf(before), packagesOf(now)];
  const packages = [...new Set([...Object.keys(packagesBefore), ...Object.keys(packagesNow)])].sort();
  const machine = ['cpu', 'cores', ...(isNear(before.memoryMiB, now.memoryMiB) ? [] : ['memoryMiB'])];
  return {
    versions: [
      ...compare(['scriptorium', 'sources', 'node', 'chrome'], before, now),
      ...compare(packages, packagesBefore, packagesNow),
    ],
    machine: compare(machine, before, now),
  };
}

function packagesOf({ packages }: Recorded): Recorded {
  return typeof packages === 'object' && packages !== null ? (packages as Recorded) : {};
}

function isNear(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= MEMORY_TOLERANCE * Math.max(a, b);
}
