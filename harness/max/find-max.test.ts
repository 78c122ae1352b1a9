/** The search over a run folder on disk, with trials of which only the verdicts are written. */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { changed } from '../../analysis/test-data/written-cell.ts';
import { type PlannedTrial, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { cellWithFigures, NOT_VALID, QUIET_TRIAL, quietObserver, verdictRunner } from '../../tests/runs.ts';
import { RecordingFailed } from '../crowd/recordings.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { planTrial } from '../experiment/plan.ts';
import type { AttachedServer } from '../experiment/servers.ts';
import { findMax, trialsAhead } from './find-max.ts';
import type { MaxUsersFound } from './found.ts';
import type { Outcome } from './search.ts';

const cell = cellWithFigures();
const CELL = changed(cell, { serverCpuPercent: 97, failedTrials: 0, converged: true });
const frameworks = [
  { name: 'yjs', about: {} },
  { name: 'loro', about: {} },
];

const folder = folderOfEachTest();
/** The trials that ran, of all calls. */
let ran: string[];
let said: string[];
/** The trials whose crowd was recorded in vain. */
let refused: string[];
beforeEach(() => {
  [ran, said, refused] = [[], [], []];
});

interface Circumstances {
  names?: string[];
  resume?: boolean;
  seed?: number;
  outcomeOf?: (planned: PlannedTrial) => Outcome;
  /** Runs so many trials, and is stopped in the next. */
  stopAfter?: number;
  deadlineMs?: number;
  /** Named ones, at a server that somebody else runs. */
  documents?: string[];
  /** The most users to try. */
  most?: number;
  availableMemoryMiB?: number;
  probes?: number;
  /** True of trials whose crowd cannot be recorded. */
  isUnrecordable?: (planned: PlannedTrial) => boolean;
}

const upTo = (limits: Record<string, number>) => (planned: PlannedTrial) =>
  planned.users <= limits[planned.framework]! ? 'held' : 'missed';

async function search(circumstances: Circumstances = {}): Promise<MaxUsersFound[]> {
  const { names = ['yjs'], resume = false, seed = 1, outcomeOf = upTo({ yjs: 11, loro: 5 }) } = circumstances;
  const { most = 20, probes = 'all', availableMemoryMiB = 8000, isUnrecordable } = circumstances;
  const directory = folder.in('run');
  const resolved = resolveExperiment(
    { modes: 'noquill', frameworks: names, users: [3, 20], probes, trials: 3, seed },
    { frameworks },
  );
  const { documents = [] } = circumstances;
  const attached = documents.length === 0 ? [] : ([{ framework: 'yjs' }] as AttachedServer[]);
  const experiment = { ...resolved, documents, servers: { counts: [1], attached } };
  const verdictOf = (planned: PlannedTrial) => {
    if (ran.length === circumstances.stopAfter) throw new Error('stopped');
    if (isUnrecordable?.(planned)) {
      refused.push(planned.directory);
      throw new RecordingFailed('no crowd', { advice: 'give the same command again' });
    }
    ran.push(`${planned.framework} ${planned.users}`);
    return NOT_VALID;
  };
  const environment = { fleet: 'local', cores: 2, memoryMiB: 8000 };
  const attempts = {
    of: async (plan: readonly PlannedTrial[]) =>
      plan
        .filter((planned) => existsSync(join(directory, planned.directory, VERDICT_FILE)))
        .map((planned) => ({ planned, outcome: outcomeOf(planned), why: ['as imagined'], cell: CELL })),
  };
  return findMax(
    {
      ...{ ...QUIET_TRIAL, experiment, frameworks: new Map(), directory, resume, observer: quietObserver(said) },
      criterion: { name: 'paper' },
      bounds: { fewest: 2, most, precisionPercent: 0 },
      deadlineMs: circumstances.deadlineMs ?? null,
    },
    {
      attempts,
      // Nobody asks a search for it.
      summarize: async () => ({}) as Summary,
      pageOf: async () => folder.path,
      machine: { cores: 2, availableMemoryMiB },
      open: async () => verdictRunner({ environment, verdictOf }),
    },
  );
}

const WHOLE = [
  'yjs 2',
  'yjs 4',
  'yjs 8',
  'yjs 16',
  'yjs 12',
  'yjs 10',
  'yjs 11',
  'yjs 11',
  'yjs 11',
  'yjs 12',
  'yjs 12',
];

test('crowds to record ahead are of trials that may be next, with no more users', () => {
  const experiment = resolveExperiment(
    { modes: 'noquill', frameworks: ['yjs', 'loro'], users: [2, 20], trials: 3 },
    { frameworks },
  );
  const bounds = { fewest: 2, most: 20, precisionPercent: 0 };
  const trialOf = (users: number, trial = 1) =>
    planTrial(experiment, { framework: 'yjs', mode: 'noquill', users, trial });
  const aheadOf = (planned: PlannedTrial, tried: [number, Outcome][]) =>
    trialsAhead(
      { experiment, bounds },
      { planned, attempts: tried.map(([users, outcome]) => ({ planned: trialOf(users), outcome })) },
    ).map(({ framework, users, trial }) => `${framework} ${users} ${trial}`);
  // If it does not hold, the middle; the 16 of a crowd that holds would take four times as long.
  expect(
    aheadOf(trialOf(8), [
      [2, 'held'],
      [4, 'held'],
    ]),
  ).toEqual(['yjs 6 1', 'yjs 6 1', 'loro 2 1']);
  // At the edge the same again.
  const near: [number, Outcome][] = [
    [10, 'held'],
    [12, 'missed'],
  ];
  expect(aheadOf(trialOf(11), near)).toContain('yjs 11 2');
});

test('the limit, its trials, and what gave out there', async () => {
  const [found] = await search();
  expect(found).toMatchObject({
    framework: 'yjs',
    mode: 'noquill',
    largestHeld: 11,
    end: { users: 12, outcome: 'missed' },
    isOver: true,
    why: ['as imagined'],
    gaveOut: [{ what: 'server CPU' }],
  });
  expect(found!.trials).toHaveLength(WHOLE.length);
  expect(ran).toEqual(WHOLE);
  // A further trial of a count types something else.
  const { trials } = JSON.parse(await readFile(folder.in('run/plan.json'), 'utf8'));
  expect(trials.map(({ directory }: PlannedTrial) => directory).slice(-2)).toEqual([
    'trials/yjs-noquill-12-2',
    'trials/yjs-noquill-12-3',
  ]);
  expect(new Set(trials.map(({ seed }: PlannedTrial) => seed)).size).toBe(3);
});

test('several frameworks, one after the other, in one run', async () => {
  const found = await search({ names: ['yjs', 'loro'] });
  expect(found.map(({ framework, largestHeld }) => [framework, largestHeld])).toEqual([
    ['yjs', 11],
    ['loro', 5],
  ]);
  expect(ran.indexOf('loro 2')).toBe(WHOLE.length);
});

describe('resumed', () => {
  test.each([0, 1, 4, WHOLE.length - 1])('after %d trials: the same trials run, none twice', async (stopAfter) => {
    await expect(search({ stopAfter })).rejects.toThrow('stopped');
    expect(ran).toEqual(WHOLE.slice(0, stopAfter));
    const [found] = await search({ resume: true });
    expect(ran).toEqual(WHOLE);
    expect(found).toMatchObject({ largestHeld: 11, end: { users: 12 }, isOver: true });
  });

  test('a finished search runs nothing', async () => {
    const before = await search();
    expect(await search({ resume: true })).toEqual(before);
    expect(ran).toEqual(WHOLE);
    expect(said.join()).not.toMatch(/nothing to resume/);
  });

  test('where the time is up, the trial that was interrupted is not ended either', async () => {
    await expect(search({ stopAfter: 4 })).rejects.toThrow('stopped');
    await search({ resume: true, deadlineMs: Date.now() + 1000 });
    expect(ran).toEqual(WHOLE.slice(0, 4));
    expect(said.join()).toMatch(/12 users: not ended, as the time is up → continue with --resume/);
  });

  test('what was found of another framework stays meanwhile', async () => {
    const names = ['yjs', 'loro'];
    await search({ names, documents: ['a', 'b'] });
    const goesOn = search({ names, documents: ['a', 'b', 'c', 'd'], resume: true, stopAfter: ran.length + 1 });
    await expect(goesOn).rejects.toThrow('stopped');
    const found = JSON.parse(await readFile(folder.in('run/max.json'), 'utf8'));
    expect(found.frameworks).toMatchObject([
      { framework: 'yjs', largestHeld: 8 },
      { framework: 'loro', largestHeld: 5 },
    ]);
  });

  test('with less memory, the trial that is too large for it waits, and others run', async () => {
    await expect(search({ stopAfter: 3 })).rejects.toThrow('stopped');
    const [found] = await search({ resume: true, most: 8, availableMemoryMiB: 500 });
    expect(ran.slice(3)).toEqual(['yjs 8', 'yjs 8']);
    expect(said.join()).toMatch(/yjs, 16 users: not ended, as memory holds 8 users now/);
    expect(found).toMatchObject({ largestHeld: 8, end: null });
  });

  test('with two trials that were interrupted, each runs once', async () => {
    const names = ['yjs', 'loro'];
    await expect(search({ names, stopAfter: 3 })).rejects.toThrow('stopped');
    await expect(search({ names, resume: true, most: 8, stopAfter: 5 })).rejects.toThrow('stopped');
    // Of yjs with 16 users, and the first of loro.
    const found = await search({ names, resume: true });
    expect(found).toMatchObject([
      { largestHeld: 11, isOver: true },
      { largestHeld: 5, isOver: true },
    ]);
    expect(ran.filter((trial) => trial === 'loro 2')).toHaveLength(1);
    const { trials } = JSON.parse(await readFile(folder.in('run/plan.json'), 'utf8'));
    expect(new Set(trials.map(({ directory }: PlannedTrial) => directory)).size).toBe(ran.length);
    expect(trials).toHaveLength(ran.length);
  });

  test('another search in the folder is refused', async () => {
    await search();
    const found = await readFile(join(folder.in('run'), 'max.json'), 'utf8');
    await expect(search()).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/--resume/) });
    await expect(search({ resume: true, seed: 2 })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/another experiment/),
    });
    expect(ran).toEqual(WHOLE);
    expect(await readFile(join(folder.in('run'), 'max.json'), 'utf8')).toBe(found);
  });

  test('where there is nothing to resume, that is said', async () => {
    await expect(search({ resume: true })).rejects.toMatchObject({
      message: expect.stringMatching(/no run to resume/),
    });
    expect(existsSync(folder.in('run'))).toBe(false);
  });
});

test('where the time is up, no further trial begins, and the answer is told as it stands', async () => {
  const [found] = await search({ deadlineMs: Date.now() + 1000 });
  expect(ran).toEqual([]);
  expect(found).toMatchObject({ largestHeld: null, end: null, isOver: false });
  expect(said.join()).toMatch(/2 users: not tried, as the time is up → give more with --stop-after/);
});

test('where each document that was named has had its trial, no further one begins', async () => {
  const [found] = await search({ documents: ['a', 'b'] });
  expect(ran).toEqual(WHOLE.slice(0, 2));
  expect(found).toMatchObject({ largestHeld: 4, end: null, isOver: false });
  expect(said.join()).toMatch(/8 users: not tried, as each document that was named has had its trial/);
});

test('the machine’s limit is the machine’s', async () => {
  const [found] = await search({ outcomeOf: ({ users }) => (users <= 11 ? 'held' : 'unknown') });
  expect(found).toMatchObject({ largestHeld: 11, end: { users: 12, outcome: 'unknown' } });
  expect(found!.gaveOut[0]).toMatchObject({ what: 'the machine' });
});

test('memory that others took meanwhile ends the search of one framework, not of those to come', async () => {
  // Two in Chrome, and a crowd of six.
  const few = { names: ['yjs', 'loro'], probes: 2, availableMemoryMiB: 2 * 60 + 6 * 12 };
  expect(await search(few)).toMatchObject([
    { largestHeld: 8, isOver: false },
    { largestHeld: 5, isOver: true },
  ]);
  expect(said.join()).toMatch(/yjs, 16 users: not tried, as .* about 8 users fit with 2 of them live .* --resume when/);
});

test('a count whose crowd cannot be recorded is not known, and not tried again', async () => {
  const names = ['yjs', 'loro'];
  const isUnrecordable = ({ framework, users }: PlannedTrial) => framework === 'yjs' && users >= 8;
  const expected = [
    { largestHeld: 7, end: { users: 8, outcome: 'unknown' }, isOver: true, why: ['no crowd'] },
    { largestHeld: 5, end: { users: 6, outcome: 'missed' }, isOver: true },
  ];
  expect(await search({ names, isUnrecordable })).toMatchObject(expected);
  expect(refused).toEqual(['trials/yjs-noquill-8-1']);
  expect(said).toContainEqual(
    expect.stringMatching(/^yjs, 8 users: no crowd; to try it again, remove .*unrecorded\.json and go on/),
  );
  const before = [...ran];
  expect(await search({ names, resume: true, isUnrecordable })).toMatchObject(expected);
  expect([ran, refused]).toEqual([before, ['trials/yjs-noquill-8-1']]);
  // With more memory, a person may ask for it.
  await rm(folder.in('run/unrecorded.json'));
  expect(await search({ names, resume: true })).toMatchObject([{ largestHeld: 11, end: { users: 12 } }, expected[1]!]);
});
