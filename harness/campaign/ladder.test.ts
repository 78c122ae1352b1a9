import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ENVIRONMENT_FILE,
  PLAN_FILE,
  type PlannedTrial,
  RUNGS_FILE,
  rungsSchema,
} from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { readJson, readPlan } from '../../results/run-folder/run-files.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { verdictRunner } from '../../tests/runs.ts';
import { RecordingFailed } from '../crowd/recordings.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { makePlan } from '../experiment/plan.ts';
import type { Attempt } from '../max/outcome.ts';
import type { Outcome } from '../max/search.ts';
import {
  type Block,
  type ExperimentWork,
  earliestMs,
  lookInto,
  planBlocks,
  rungsOf,
  type Sitting,
  trialsLeft,
} from './blocks.ts';
import { loadCampaign } from './campaign.ts';
import { climb } from './ladder.ts';

const folder = folderOfAllTests();

const CAMPAIGN = `
name: mine
parts:
  - name: all
    question: How many?
    ladder: true
    blocks: 1
    entries:
      - { name: "2", experiment: smoke, with: { frameworks: [yjs, loro], users: 2, modes: node } }
      - { name: "4", experiment: smoke, with: { frameworks: [yjs, loro], users: 4, modes: node } }
      - { name: "8", experiment: smoke, with: { frameworks: yjs, users: 8, modes: node } }
      - { name: "3", experiment: smoke, with: { frameworks: [yjs, loro], users: 3, modes: node } }
`;

/** Trials that ran, such as `loro 4`; each call of the block stops after so many. */
function rig(
  directory: string,
  outcomeOf: (trial: PlannedTrial) => Outcome = () => 'held',
  takesMs: (trial: PlannedTrial) => number = () => 60_000,
  unrecordedFrom = 1,
) {
  const ran: string[] = [];
  const ended = new Set<string>();
  const work = (experiment: Experiment): ExperimentWork<PlannedTrial> => ({
    plan: async () => makePlan(experiment),
    estimateMs: async (plan) => plan.reduce((sum, trial) => sum + takesMs(trial), 0),
    async run({ directory: run, plan, only }) {
      await writeJson(join(run, PLAN_FILE), {
        schemaVersion: 1,
        startedAt: '2026-12-01T10:00:00Z',
        experiment,
        trials: plan,
      });
      await writeJson(join(run, ENVIRONMENT_FILE), {});
      for (const planned of only) {
        if (planned.framework === 'yjs' && planned.users === 8 && planned.trial >= unrecordedFrom)
          throw new RecordingFailed('no');
        await verdictRunner({}).runTrial(planned, join(run, planned.directory));
        ran.push(`${planned.framework} ${planned.users}`);
        ended.add(`${run} ${planned.directory}`);
      }
    },
  });
  const attemptsIn = (run: string) => ({
    of: async (plan: readonly PlannedTrial[]) =>
      plan
        .filter((planned) => ended.has(`${run} ${planned.directory}`))
        .map((planned) => ({ planned, outcome: outcomeOf(planned), why: [], cell: CELL }) as unknown as Attempt),
  });
  const blockOf = async (campaign = CAMPAIGN): Promise<Block> => {
    const path = folder.in('mine.yaml');
    await writeFile(path, campaign);
    const { parts } = await loadCampaign(path, { isDry: true });
    const workOf = ({ experiment }: { experiment: object }) =>
      work(experiment as Experiment) as unknown as ExperimentWork;
    return (await planBlocks(parts, { directory, workOf }))[0]!;
  };
  return { ran, ended, attemptsIn, blockOf };
}

const CELL = { figures: { machineCpuPercent: 30 }, failedTrials: 0, converged: true };
const said: string[] = [];
const say = (text: string) => void said.push(text);
const options = { deadlineMs: Number.POSITIVE_INFINITY, say, warn: say };
const sorted = (texts: readonly string[]) => texts.toSorted().join(', ');

test('frameworks climb side by side, go on after an interruption, and a crowd that cannot be recorded ends a climb', async () => {
  const directory = folder.in('run');
  const { ran, attemptsIn, blockOf } = rig(directory, ({ framework, users, trial }) =>
    framework !== 'loro' || users !== 4 ? 'held' : trial === 1 ? 'missed' : 'unknown',
  );
  const block = await blockOf();
  expect(trialsLeft(block)).toBe(7);
  const interrupted = new AbortController();
  const stop = {
    get aborted() {
      return ran.length === 3;
    },
    throwIfAborted() {
      if (ran.length === 3) throw new Error('stop');
    },
  };
  await expect(climb(rungsOf(block), { ...options, signal: stop as AbortSignal }, { attemptsIn })).rejects.toThrow(
    'stop',
  );
  expect(sorted(ran.slice(0, 2))).toBe('loro 2, yjs 2');

  const again = await blockOf();
  await climb(rungsOf(again), { ...options, signal: interrupted.signal }, { attemptsIn });
  // Of yjs 8 was never recorded, so 4 is its edge; 3 lies between 2 and 4 of loro alone.
  expect(sorted(ran)).toBe('loro 2, loro 3, loro 3, loro 4, loro 4, yjs 2, yjs 4, yjs 4');
  await lookInto(again);
  expect(trialsLeft(again)).toBe(0);
  const noted = await readJson(join(directory, 'all/block-1/8', RUNGS_FILE), rungsSchema);
  expect(noted).toEqual([{ framework: 'yjs', users: 8, held: 0, missed: 2, gaveOut: 'recorder' }]);
  expect(await readJson(join(directory, 'all/block-1/4', RUNGS_FILE), rungsSchema)).toMatchObject([
    { framework: 'yjs', held: 2, missed: 0 },
    // Its second trial was spoilt, so that the framework has not failed in two.
    { framework: 'loro', held: 0, missed: 2, gaveOut: 'harness' },
  ]);
  expect(said).toContain('loro, 4 users, trial 1: did not hold');
  expect(said).toContainEqual(expect.stringMatching(/^yjs, 8 users: no; to try it again, remove .*8\/rungs\.json$/));
});

test('a count that held keeps that trial if the crowd of the next one cannot be recorded', async () => {
  const directory = folder.in('held-once');
  const { ran, attemptsIn, blockOf } = rig(directory, undefined, undefined, 2);
  const alone = CAMPAIGN.split('\n').filter((line) => !/name: "[234]"/.test(line));
  const block = await blockOf(alone.join('\n'));
  await climb(rungsOf(block), { ...options, signal: new AbortController().signal }, { attemptsIn });
  expect(ran).toEqual(['yjs 8']);
  const noted = await readJson(join(directory, 'all/block-1/8', RUNGS_FILE), rungsSchema);
  expect(noted).toMatchObject([{ users: 8, held: 1, gaveOut: 'recorder' }]);
});

test('a trial whose folder was removed is measured again, whichever it is', async () => {
  const directory = folder.in('removed');
  const { ran, ended, attemptsIn, blockOf } = rig(directory);
  const signal = { throwIfAborted: () => ran.length < 20 || expect.fail('it never ends') } as unknown as AbortSignal;
  const climbAgain = async () => climb(rungsOf(await blockOf()), { ...options, signal }, { attemptsIn });
  await climbAgain();
  expect(sorted(ran)).toBe('loro 2, loro 4, loro 4, yjs 2, yjs 4, yjs 4');
  ran.length = 0;
  expect(trialsLeft(await blockOf())).toBe(0);
  for (const trial of ['yjs-node-4-1', 'loro-node-4-1', 'loro-node-4-2']) {
    await rm(join(directory, 'all/block-1/4/trials', trial), { recursive: true });
    ended.delete(`${directory}/all/block-1/4 trials/${trial}`);
  }
  // A block that was done is not done any more.
  expect(trialsLeft(await blockOf())).toBe(3);
  await climbAgain();
  expect(sorted(ran)).toBe('loro 4, loro 4, yjs 4');
});

test('a trial whose vote decided nothing is measured again, too, and the block comes to its end', async () => {
  const directory = folder.in('outvoted');
  const { ran, ended, attemptsIn, blockOf } = rig(directory, ({ framework, users, trial }) =>
    framework === 'loro' && users === 2 && trial === 1 ? 'missed' : 'held',
  );
  const { signal } = new AbortController();
  const climbAgain = async () => climb(rungsOf(await blockOf()), { ...options, signal }, { attemptsIn });
  await climbAgain();
  // One of a settled count, and the only one of a count that was passed on the way.
  const gone = ['loro-node-2-1', 'loro-node-2-3', 'yjs-node-2-1'];
  for (const trial of gone) {
    await rm(join(directory, 'all/block-1/2/trials', trial), { recursive: true });
    ended.delete(`${directory}/all/block-1/2 trials/${trial}`);
  }
  expect(trialsLeft(await blockOf())).toBe(gone.length);
  ran.length = 0;
  await climbAgain();
  expect(sorted(ran)).toBe('loro 2, loro 2, yjs 2');
  expect(trialsLeft(await blockOf())).toBe(0);
});

test('a trial that its settled count does without, and whose crowd cannot be recorded any more, leaves the climb over', async () => {
  const directory = folder.in('without');
  const lines = CAMPAIGN.split('\n').filter((line) => !/name: "[23]"/.test(line));
  const campaign = `${lines.join('\n')}      - { name: "9", experiment: smoke, with: { frameworks: yjs, users: 9, modes: node } }\n`;
  const { signal } = new AbortController();
  const climbBy = async ({ blockOf, attemptsIn }: ReturnType<typeof rig>) =>
    climb(rungsOf(await blockOf(campaign)), { ...options, signal }, { attemptsIn });
  const first = rig(directory, undefined, undefined, Number.POSITIVE_INFINITY);
  await climbBy(first);
  expect(sorted(first.ran)).toBe('loro 4, loro 4, yjs 4, yjs 8, yjs 9, yjs 9');
  await rm(join(directory, 'all/block-1/8/trials/yjs-node-8-1'), { recursive: true });
  const later = rig(directory);
  for (const trial of first.ended) if (!trial.endsWith('yjs-node-8-1')) later.ended.add(trial);
  expect(await climbBy(later)).toBe(true);
  expect(said.at(-1)).toMatch(/its count is settled without this trial$/);
});

test('notes of a rung that are damaged are made again of its trials', async () => {
  const directory = folder.in('damaged');
  const { ran, attemptsIn, blockOf } = rig(directory);
  const { signal } = new AbortController();
  await climb(rungsOf(await blockOf()), { ...options, signal }, { attemptsIn });
  const path = join(directory, 'all/block-1/4', RUNGS_FILE);
  const noted = await readJson(path, rungsSchema);
  await writeFile(path, '[{"framework":');
  ran.length = 0;
  await climb(rungsOf(await blockOf()), { ...options, signal }, { attemptsIn });
  expect(ran).toEqual([]);
  expect(await readJson(path, rungsSchema)).toEqual(noted);
});

test('trials of one count never pass for those of another, though their entries share a name', async () => {
  const { ran, attemptsIn, blockOf } = rig(folder.in('other'));
  const { signal } = new AbortController();
  await climb(rungsOf(await blockOf()), { ...options, signal }, { attemptsIn });
  expect(ran).toContain('loro 4');
  await expect(blockOf(CAMPAIGN.replace('users: 4', 'users: 5'))).rejects.toThrow('planned from another experiment');
});

test('no trial begins that may end after the time is up', async () => {
  const { ran, attemptsIn, blockOf } = rig(folder.in('short'));
  const { signal } = new AbortController();
  // A crowd that is to be recorded counts, too.
  const late = { ...options, deadlineMs: Date.now() + 59_000, signal };
  expect(await climb(rungsOf(await blockOf()), late, { attemptsIn })).toBe(false);
  expect(ran).toEqual([]);
  expect(said.at(-1)).toMatch(/not tried, as the time is up/);
});

test('a trial that does not fit is left for the next call, and keeps no other framework from climbing', async () => {
  const takesMs = ({ framework, users }: PlannedTrial) => (framework === 'loro' && users > 2 ? 3_600_000 : 60_000);
  const { ran, attemptsIn, blockOf } = rig(folder.in('mixed'), () => 'held', takesMs);
  const { signal } = new AbortController();
  await climb(rungsOf(await blockOf()), { ...options, deadlineMs: Date.now() + 600_000, signal }, { attemptsIn });
  expect(sorted(ran)).toBe('loro 2, yjs 2, yjs 4, yjs 4');
  expect(said.at(-1)).toMatch(/^not tried, as the time is up: loro, 4 users; /);
  // A trial that does not fit is not planned, either: its crowd would be recorded first.
  const { trials } = await readPlan(folder.in('mixed/all/block-1/4'));
  expect(trials.map(({ framework }) => framework)).toEqual(['yjs', 'yjs']);
});

test('a block begins as long after the last sitting of its part as that asks; one that has begun goes on', async () => {
  const part = { apartMs: 3_600_000 } as Block['part'];
  const [startedAt, endedAt] = ['2026-12-01T10:00:00.000Z', '2026-12-01T12:00:00.000Z'];
  const blockOf = (number: number, ...sittings: object[]) => ({ part, number, sittings }) as unknown as Block;
  const sitting = { startedAt, endedAt } as Sitting;
  const later = Date.parse('2026-12-01T13:00:00.000Z');
  expect(earliestMs(blockOf(1), [])).toBe(0);
  expect(earliestMs(blockOf(2), [sitting])).toBe(later);
  // Also where the one before it has still to begin.
  expect(earliestMs(blockOf(3), [sitting])).toBe(later);
  expect(earliestMs(blockOf(2, sitting), [sitting])).toBe(0);
});
