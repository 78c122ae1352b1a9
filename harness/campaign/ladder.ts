/**
 * Runs a ladder (`analysis/campaign/ladder.ts`). Its rungs are the entries of a campaign's part, each a run folder with one count of
 * users, whose plan grows by the trials that are needed; frameworks climb side by side.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GIVEN_UP, openCounts } from '../../analysis/campaign/ladder.ts';
import { PLAN_FILE, type PlannedTrial, RUNGS_FILE, type Rung } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { readPlan, readRungs } from '../../results/run-folder/run-files.ts';
import { RecordingFailed } from '../crowd/recordings.ts';
import type { TypingExperiment } from '../experiment/experiment-file.ts';
import { estimateTrialMs, planTrial } from '../experiment/plan.ts';
import { limitsOf } from '../max/find-max.ts';
import { Attempts } from '../max/outcome.ts';

/** A rung's run folder. */
export interface RungFolder {
  directory: string;
  loaded: TypingExperiment;
  /** The first trial of each framework, in the order of the block. */
  plan: readonly PlannedTrial[];
  work: {
    run(turn: {
      directory: string;
      plan: readonly PlannedTrial[];
      only: readonly PlannedTrial[];
      resume: boolean;
    }): Promise<unknown>;
  };
}

interface OpenTrial<Folder> {
  rung: Folder;
  planned: PlannedTrial;
  /** True for the next one of its framework. */
  isNext: boolean;
}

/** Trials that the frameworks may still need, by what is noted of the rungs. */
export async function openTrials<Folder extends RungFolder>(rungs: readonly Folder[]): Promise<OpenTrial<Folder>[]> {
  const noted = (await Promise.all(rungs.map(({ directory }) => readRungs(directory)))).flatMap((known) => known ?? []);
  const planned = rungs.flatMap((rung) => rung.plan.map((first) => ({ rung, first })));
  return [...Map.groupBy(planned, ({ first }) => first.framework)].flatMap(([framework, own]) => {
    const found = new Map(noted.filter((each) => each.framework === framework).map((each) => [each.users, each]));
    const counts = own.map(({ first }) => first.users);
    return openCounts(counts, found).map((users, place) => {
      const { rung, first } = own[counts.indexOf(users)]!;
      const { held, missed } = found.get(users) ?? { held: 0, missed: 0 };
      const planned = planTrial(rung.loaded.experiment, { ...first, trial: held + missed + 1 });
      return { rung, planned, isNext: place === 0 };
    });
  });
}

/**
 * Round by round the next trial of each framework, until all have come to their end, or the time is up.
 *
 * @param options.deadlineMs no trial begins that may end later, ms since 1970
 */
export async function climb(
  rungs: readonly RungFolder[],
  { deadlineMs, say, signal }: { deadlineMs: number; say: (text: string) => void; signal: AbortSignal },
  { attemptsIn = judgedIn }: LadderSettings = {},
): Promise<void> {
  const note = (rung: RungFolder, unrecorded?: string) =>
    noteTrials(rung, { unrecorded, attempts: attemptsIn(rung.directory) });
  for (const rung of rungs) if (existsSync(join(rung.directory, PLAN_FILE))) await note(rung);
  for (;;) {
    const round = (await openTrials(rungs)).filter(({ isNext }) => isNext);
    if (round.length === 0) return;
    for (const { rung, planned } of round) {
      const { framework, users } = planned;
      if (Date.now() + estimateTrialMs(rung.loaded.experiment, planned) > deadlineMs) {
        return say(`${framework}, ${users} users: not tried, as the time is up; the same command goes on`);
      }
      // With the others of the round, whose crowds are recorded beside this one's.
      const plan = await grownPlan(
        rung,
        round.flatMap((each) => (each.rung === rung ? each.planned : [])),
      );
      const turn = { directory: rung.directory, plan, only: [planned] };
      try {
        await rung.work.run({ ...turn, resume: existsSync(join(rung.directory, PLAN_FILE)) });
        await note(rung);
      } catch (error) {
        if (!(error instanceof RecordingFailed)) throw error;
        say(`${framework}, ${users} users: ${error.message}`);
        await note(rung, framework);
        // A run without trials has a summary too.
        await rung.work.run({ ...turn, only: [], resume: true });
      } finally {
        signal.throwIfAborted();
      }
    }
  }
}

async function grownPlan({ directory }: RungFolder, next: readonly PlannedTrial[]): Promise<PlannedTrial[]> {
  const planned = existsSync(join(directory, PLAN_FILE)) ? (await readPlan(directory)).trials : [];
  const known = new Set(planned.map((trial) => trial.directory));
  return [...planned, ...next.filter((trial) => !known.has(trial.directory))];
}

/** Words of the first question for resources. */
const PARTS: Readonly<Record<string, string>> = {
  'user CPU': 'page',
  'server CPU': 'server',
  'the machine': 'machine',
  'the framework': 'framework',
};
const RECORDER = 'recorder';

/** Parts that tests replace. */
interface LadderSettings {
  attemptsIn?: (directory: string) => Pick<Attempts, 'of'>;
}

function judgedIn(directory: string): Attempts {
  return new Attempts({ directory, criterion: { name: 'paper' } });
}

/**
 * Notes what the rung's trials said, as far as they have ended.
 *
 * @param options.unrecorded a framework whose crowd could not be recorded
 */
async function noteTrials(
  { directory, loaded: { experiment, frameworks } }: RungFolder,
  options: { unrecorded: string | undefined; attempts: Pick<Attempts, 'of'> },
): Promise<void> {
  const before = await readRungs(directory);
  const attempts = await options.attempts.of((await readPlan(directory)).trials);
  const users = experiment.users[0]!;
  const rungs: Rung[] = [];
  for (const framework of experiment.frameworks) {
    const own = attempts.filter(({ planned }) => planned.framework === framework);
    const wasUnrecorded = before?.some((rung) => rung.framework === framework && rung.gaveOut === RECORDER);
    if (framework === options.unrecorded || wasUnrecorded) {
      rungs.push({ framework, users, ...GIVEN_UP, gaveOut: RECORDER });
    } else if (own.length > 0) {
      const missed = own.filter(({ outcome }) => outcome !== 'held');
      const last = missed.at(-1);
      const [limit] = last === undefined ? [] : await limitsOf(last, { experiment, frameworks, directory });
      const gaveOut = limit === undefined ? null : (PARTS[limit.what] ?? limit.what);
      rungs.push({ framework, users, held: own.length - missed.length, missed: missed.length, gaveOut });
    }
  }
  await writeJson(join(directory, RUNGS_FILE), rungs);
}
