/**
 * Runs a ladder (`analysis/campaign/ladder.ts`). Its rungs are the entries of a campaign's part, each a run folder with one count of
 * users, whose plan grows by the trials that are needed; frameworks climb side by side.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GIVEN_UP, openCounts, partOf } from '../../analysis/campaign/ladder.ts';
import type { Limit } from '../../analysis/cell/gave-out.ts';
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { shortPath } from '../../infra/project.ts';
import { PLAN_FILE, type PlannedTrial, RUNGS_FILE, type Rung } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { asReason, readPlan, readRungs } from '../../results/run-folder/run-files.ts';
import { RecordingFailed } from '../crowd/recordings.ts';
import type { TypingExperiment } from '../experiment/experiment-file.ts';
import { planTrial } from '../experiment/plan.ts';
import { describeAttempt, limitsOf } from '../max/find-max.ts';
import { type Attempt, Attempts } from '../max/outcome.ts';

/** How trials are run, whatever they measure. */
export interface TrialsWork<Planned> {
  estimateMs(plan: readonly Planned[]): Promise<number>;
  /** Runs some trials of a plan into a folder. */
  run(turn: {
    directory: string;
    plan: readonly Planned[];
    only: readonly Planned[];
    /** True if the folder holds the run already. */
    resume: boolean;
  }): Promise<unknown>;
}

/** A rung's run folder. */
export interface RungFolder {
  directory: string;
  loaded: TypingExperiment;
  /** The first trial of each framework, in the order of the block. */
  plan: readonly PlannedTrial[];
  work: TrialsWork<PlannedTrial>;
}

interface OpenTrial<Folder> {
  rung: Folder;
  planned: PlannedTrial;
}

/** Trials that the frameworks may still need, the next one of each first, by what is noted of the rungs. */
export async function openTrials<Folder extends RungFolder>(rungs: readonly Folder[]): Promise<OpenTrial<Folder>[]> {
  const noted = (await Promise.all(rungs.map(({ directory }) => notedIn(directory)))).flat();
  const planned = rungs.flatMap((rung) => rung.plan.map((first) => ({ rung, first })));
  return [...Map.groupBy(planned, ({ first }) => first.framework)].flatMap(([framework, own]) => {
    const found = new Map(noted.filter((each) => each.framework === framework).map((each) => [each.users, each]));
    const counts = own.map(({ first }) => first.users);
    return openCounts(counts, found).map((users) => {
      const { rung, first } = own[counts.indexOf(users)]!;
      const { held, missed } = found.get(users) ?? { held: 0, missed: 0 };
      const planned = planTrial(rung.loaded.experiment, { ...first, trial: held + missed + 1 });
      return { rung, planned };
    });
  });
}

/** Parts that tests replace. */
interface LadderSettings {
  attemptsIn?: (directory: string) => Pick<Attempts, 'of'>;
}

/**
 * Round by round the next trial of each framework, until all have come to their end, or no trial fits into the time.
 *
 * @param options.deadlineMs no trial begins that may end later, ms since 1970
 * @returns false if time was up
 */
export async function climb(
  rungs: readonly RungFolder[],
  {
    deadlineMs,
    say,
    warn,
    signal,
  }: { deadlineMs: number; say: (text: string) => void; warn: (text: string) => void; signal: AbortSignal },
  { attemptsIn = judgedIn }: LadderSettings = {},
): Promise<boolean> {
  const attempts = new Map(rungs.map((rung) => [rung, attemptsIn(rung.directory)]));
  const noteOf = (rung: RungFolder, framework: string) => noteTrials(rung, framework, attempts.get(rung)!);
  /** Trials that no count waits for, and whose crowd is not recorded this time. */
  const leftOut = new Set<string>();
  // The command may have ended between a trial and its note.
  for (const rung of rungs) {
    for (const framework of rung.loaded.experiment.frameworks) await noteOf(rung, framework);
  }
  for (;;) {
    const round = await roundOf(rungs, attempts, leftOut);
    if (round.length === 0) return true;
    const late: string[] = [];
    for (const [index, { rung, planned }] of round.entries()) {
      const { framework, users } = planned;
      const isTooLong = async (trials: PlannedTrial[]) =>
        Date.now() + (await rung.work.estimateMs(trials)) > deadlineMs;
      if (await isTooLong([planned])) {
        late.push(`${framework}, ${users} users`);
        continue;
      }
      // With others of the round, whose crowds are recorded before this trial, on all cores: as far as there is time for them.
      const together = [planned];
      for (const other of round.slice(index + 1)) {
        if (other.rung === rung && !(await isTooLong([...together, other.planned]))) together.push(other.planned);
      }
      const plan = await grownPlan(rung, together);
      const turn = { directory: rung.directory, plan, only: [planned] };
      try {
        await rung.work.run({ ...turn, resume: existsSync(join(rung.directory, PLAN_FILE)) });
        const ended = await noteOf(rung, framework);
        const attempt = ended.find((each) => each.planned.directory === planned.directory);
        if (attempt !== undefined) say(describeAttempt(attempt));
      } catch (error) {
        if (!(error instanceof RecordingFailed)) throw error;
        const open = await openTrials(rungs);
        if (!open.some((each) => each.rung === rung && each.planned.framework === framework)) {
          leftOut.add(planned.directory);
          warn(`${framework}, ${users} users: ${error.why}; its count is settled without this trial`);
          continue;
        }
        const again = `to try it again, remove ${shortPath(join(rung.directory, RUNGS_FILE))}`;
        warn(`${framework}, ${users} users: ${error.why}; ${again}`);
        const before = (await notedIn(rung.directory)).find((each) => each.framework === framework);
        await note(rung, { framework, users, ...GIVEN_UP, held: before?.held ?? 0, gaveOut: RECORDER });
        // A run without trials has a summary too.
        await rung.work.run({ ...turn, only: [], resume: true });
      } finally {
        signal.throwIfAborted();
      }
    }
    if (late.length === round.length) {
      warn(`not tried, as the time is up: ${late.join('; ')}; the same command goes on`);
      return false;
    }
  }
}

/** One trial of each framework that has one to run: one that was planned before comes first. */
async function roundOf(
  rungs: readonly RungFolder[],
  attempts: ReadonlyMap<RungFolder, Pick<Attempts, 'of'>>,
  leftOut: ReadonlySet<string>,
): Promise<OpenTrial<RungFolder>[]> {
  const begun = await Promise.all(
    rungs.map(async (rung) => {
      const planned = await plannedIn(rung.directory);
      const ended = new Set((await attempts.get(rung)!.of(planned)).map((attempt) => attempt.planned.directory));
      const left = planned.filter(({ directory }) => !ended.has(directory) && !leftOut.has(directory));
      return (await plannedBefore(rung.directory, left)).map((trial) => ({ rung, planned: trial }));
    }),
  );
  const open = [...begun.flat(), ...(await openTrials(rungs))];
  return [...Map.groupBy(open, ({ planned }) => planned.framework).values()].map(([first]) => first!);
}

async function grownPlan({ directory }: RungFolder, next: readonly PlannedTrial[]): Promise<PlannedTrial[]> {
  const planned = await plannedIn(directory);
  const known = new Set(planned.map((trial) => trial.directory));
  return [...planned, ...next.filter((trial) => !known.has(trial.directory))];
}

/** The trials of a rung that were needed so far. */
export async function plannedIn(directory: string): Promise<readonly PlannedTrial[]> {
  return existsSync(join(directory, PLAN_FILE)) ? (await readPlan(directory)).trials : [];
}

/**
 * Of a rung's planned trials that have not ended, those to run: all but those of crowds that cannot be recorded. One that is gone, or
 * damaged, is measured again, though its count may be settled without it.
 */
export async function plannedBefore(directory: string, left: readonly PlannedTrial[]): Promise<PlannedTrial[]> {
  const noted = await notedIn(directory);
  const unrecorded = new Set(noted.flatMap(({ framework, gaveOut }) => (gaveOut === RECORDER ? framework : [])));
  return left.filter(({ framework }) => !unrecorded.has(framework));
}

const RECORDER = 'recorder';
/** Trials that were spoilt on a machine that was not busy as far as is known, or too short to be judged. */
const HARNESS = 'harness';
/** Words of the first question for resources. */
const PARTS: Readonly<Record<string, string>> = {
  'user CPU': 'page',
  'server CPU': 'server',
  'the machine': 'machine',
  'the measurement': HARNESS,
  'the framework': 'framework',
};

function judgedIn(directory: string): Attempts {
  return new Attempts({ directory, criterion: { name: 'paper' } });
}

/** Notes what a framework's trials of a rung said, as far as they have ended. @returns these */
async function noteTrials(
  rung: RungFolder,
  framework: string,
  attempts: Pick<Attempts, 'of'>,
): Promise<readonly Attempt[]> {
  const { directory, loaded } = rung;
  const planned = (await plannedIn(directory)).filter((trial) => trial.framework === framework);
  const ended = await attempts.of(planned);
  const before = (await notedIn(directory)).find((each) => each.framework === framework);
  if ((ended.length === 0 && before === undefined) || before?.gaveOut === RECORDER) return [];
  const missed = ended.filter(({ outcome }) => outcome !== 'held');
  const limits = await Promise.all(missed.map((attempt) => limitsOf(attempt, { ...loaded, directory })));
  const gaveOut = partOf(limits.map(([limit]) => wordOf(limit)));
  const users = loaded.experiment.users[0]!;
  await note(rung, { framework, users, held: ended.length - missed.length, missed: missed.length, gaveOut });
  return ended;
}

function wordOf(limit: Limit | undefined): string | null {
  if (limit === undefined) return null;
  const isFull = limit.used !== null && 100 * limit.used >= BUSY_MACHINE_PERCENT;
  return limit.what === 'the machine' && !isFull ? HARNESS : (PARTS[limit.what] ?? limit.what);
}

/** Notes of a rung; if they are damaged, none: they are made again, of the trials. */
async function notedIn(directory: string): Promise<readonly Rung[]> {
  const noted = await asReason(async () => (await readRungs(directory)) ?? []);
  return typeof noted === 'string' ? [] : noted;
}

/** Keeps it in the place of what was noted of the same framework. */
async function note({ directory, loaded: { experiment } }: RungFolder, rung: Rung): Promise<void> {
  const known = new Map([...(await notedIn(directory)), rung].map((each) => [each.framework, each]));
  await writeJson(
    join(directory, RUNGS_FILE),
    experiment.frameworks.flatMap((framework) => known.get(framework) ?? []),
  );
}
