/** A run's steps around its trials: with the folder that it writes into, and with the runner that it opens. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRecordWriter } from '../../results/formats/record-file.ts';
import { recordPath, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { readVerdict } from '../../results/run-folder/run-files.ts';
import { stageOf } from '../../results/run-folder/trial-stage.ts';
import { UserError } from '../../results/user-error.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { NOT_VALID, QUIET_TRIAL, quietObserver, verdictRunner } from '../../tests/runs.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import { runExperiment } from './run.ts';

const attaches = { protocol: 'y-websocket', documentIn: 'path', hasReaders: true } as const;
const frameworks = [{ name: 'yjs', about: { attaches } }];
const STOLEN: Verdict = { ...NOT_VALID, reasons: [{ code: 'machine-stolen', message: 'others had the CPU' }] };
const MACHINE = { cpu: 'AMD EPYC', cores: 2, memoryMiB: 8 };
const ENVIRONMENT = { fleet: 'local', node: 'v24.1.0', chrome: 'Chromium 156', ...MACHINE };

const folder = folderOfEachTest();
/** The calls of the runner. */
let done: string[];
let said: string[];
/** How many trials each summary told of. */
let summarised: number[];
let environments: unknown[];
/** Numbers of the trials that began, and of those that were there. */
let trials: { begun: number[]; kept: number[] };
beforeEach(() => {
  [done, said, summarised, environments, trials] = [[], [], [], [], { begun: [], kept: [] }];
});

interface Circumstances {
  resume?: boolean;
  /** The numbers of the trials that run now; all by default. */
  only?: readonly number[];
  directory?: string;
  users?: number;
  probes?: number;
  availableMemoryMiB?: number;
  environment?: object;
  fleet?: object;
  /** Further properties of the experiment. */
  more?: object;
  isAgreed?: boolean;
  /** Instead of running the trial with this number, from 1. */
  failAt?: { trial: number; error: Error };
  closeError?: Error;
  /** The run is over after the first trial. */
  overAfter?: Error;
  /** Of how many attempts at the first trial the machine is taken away. */
  stolen?: number;
}

/** Runs two trials in a runner that writes verdicts only. */
function run(circumstances: Circumstances = {}) {
  const { directory = folder.in('run'), resume = false, users = 2, fleet = {}, failAt, closeError } = circumstances;
  const { probes = 'all', stolen = 0, only, more, isAgreed } = circumstances;
  const experiment = resolveExperiment({ modes: 'noquill', users, probes, trials: 2, fleet, ...more }, { frameworks });
  const runner = verdictRunner({
    environment: circumstances.environment ?? ENVIRONMENT,
    verdictOf(planned) {
      done.push(planned.directory);
      if (planned.trial === failAt?.trial) throw failAt.error;
      const isStolen = planned.trial === 1 && done.filter((each) => each === planned.directory).length <= stolen;
      return isStolen ? STOLEN : NOT_VALID;
    },
    onClose() {
      done.push('close');
      if (closeError !== undefined) throw closeError;
    },
  });
  return runExperiment(
    {
      ...QUIET_TRIAL,
      ...{ experiment, directory, resume, isAgreed, frameworks: new Map() },
      only: only && makePlan(experiment).filter(({ trial }) => only.includes(trial)),
      observer: {
        ...quietObserver(said),
        onEnvironment: (environment) => environments.push(environment),
        onTrial: ({ trial }) => trials.begun.push(trial),
        onKept: ({ trial }) => trials.kept.push(trial),
        onSummary: ({ cells }) => summarised.push(cells[0]!.trials),
      },
    },
    {
      async open() {
        done.push('open');
        const { overAfter } = circumstances;
        return overAfter === undefined ? runner : { ...runner, heed: () => Promise.reject(overAfter) };
      },
      machine: { cores: 2, availableMemoryMiB: circumstances.availableMemoryMiB ?? 8000 },
    },
  );
}
const refusal = (message: RegExp) => ({ exitCode: 2, message: expect.stringMatching(message) });
const stopped = new Error('stopped');
const stopAtSecond = { trial: 2, error: stopped };

describe('the runner', () => {
  test('is closed at the end, and after an error', async () => {
    await run();
    expect(done).toEqual(['open', 'trials/yjs-noquill-2-1', 'trials/yjs-noquill-2-2', 'close']);
    // After each trial, and at the end.
    expect(summarised).toEqual([1, 2, 2]);
    expect(environments).toEqual([ENVIRONMENT]);
    done = [];
    await expect(run({ directory: folder.in('other'), failAt: { trial: 1, error: stopped } })).rejects.toBe(stopped);
    expect(done).toEqual(['open', 'trials/yjs-noquill-2-1', 'close']);
  });

  test('may end the run after a trial, which is in the summary then', async () => {
    await expect(run({ overAfter: stopped })).rejects.toBe(stopped);
    expect(done).toEqual(['open', 'trials/yjs-noquill-2-1', 'close']);
    expect(summarised).toEqual([1]);
  });

  test('where closing fails too, the first error is told, and the second said', async () => {
    const closeError = new UserError('two tasks still run', { exitCode: 3 });
    await expect(run({ failAt: stopAtSecond, closeError })).rejects.toBe(stopped);
    expect(said).toEqual([expect.stringContaining('two tasks still run')]);
    await expect(run({ directory: folder.in('other'), closeError })).rejects.toBe(closeError);
  });
});

describe('a run that is resumed', () => {
  test('runs what has no verdict, and keeps what the first part wrote', async () => {
    await expect(run({ failAt: stopAtSecond })).rejects.toBe(stopped);
    const before = await readFile(folder.in('run/plan.json'), 'utf8');
    done = [];
    expect((await run({ resume: true })).cells[0]).toMatchObject({ trials: 2 });
    expect(done).toEqual(['open', 'trials/yjs-noquill-2-2', 'close']);
    expect(trials).toEqual({ begun: [1, 2, 2], kept: [1] });
    expect(await readFile(folder.in('run/plan.json'), 'utf8')).toBe(before);
  });

  test('runs some of its trials now, and the others with a later call, by one plan', async () => {
    await run({ only: [2] });
    expect(done).toEqual(['open', 'trials/yjs-noquill-2-2', 'close']);
    const plan = await readFile(folder.in('run/plan.json'), 'utf8');
    done = [];
    await run({ only: [1], resume: true });
    expect(done).toEqual(['open', 'trials/yjs-noquill-2-1', 'close']);
    expect(await readFile(folder.in('run/plan.json'), 'utf8')).toBe(plan);
    expect(JSON.parse(plan).trials).toHaveLength(2);
  });

  test('opens nothing where all trials are finished', async () => {
    await run();
    done = [];
    expect((await run({ resume: true })).cells[0]).toMatchObject({ trials: 2 });
    expect(done).toEqual([]);
    expect(said).toEqual([expect.stringMatching(/All trials .* are finished/)]);
  });

  test('does not go on with other versions, or on another machine', async () => {
    await expect(run({ failAt: stopAtSecond })).rejects.toBe(stopped);
    done = [];
    const environment = { ...ENVIRONMENT, chrome: 'Chromium 157', cores: 4 };
    await expect(run({ resume: true, environment })).rejects.toMatchObject(
      refusal(/chrome: Chromium 156, now Chromium 157\n {2}cores: 2, now 4\n.*another --out/s),
    );
    expect(done).toEqual(['open', 'close']);
    expect(JSON.parse(await readFile(folder.in('run/environment.json'), 'utf8'))).toEqual(ENVIRONMENT);
  });

  test('may be on another machine where AWS chooses it, and says so', async () => {
    const fleet = { on: 'fargate', region: 'us-east-1' };
    await expect(run({ failAt: stopAtSecond, fleet })).rejects.toBe(stopped);
    await run({ resume: true, fleet, environment: { ...ENVIRONMENT, cpu: 'Intel Xeon' } });
    expect(said).toEqual([expect.stringContaining('cpu: AMD EPYC, now Intel Xeon')]);
  });

  test('still knows that a trial began, if it was interrupted again before it wrote anything', async () => {
    await expect(run({ failAt: stopAtSecond })).rejects.toBe(stopped);
    await folder.put('run/trials/yjs-noquill-2-2/records/coordinator.ndjson.gz');
    await expect(run({ resume: true, failAt: stopAtSecond })).rejects.toBe(stopped);
    expect(await stageOf(folder.in('run/trials/yjs-noquill-2-2'))).toBe('broken-off');
  });

  test('takes the new environment where no trial has finished', async () => {
    await expect(run({ failAt: { trial: 1, error: stopped } })).rejects.toBe(stopped);
    await run({ resume: true, environment: { ...ENVIRONMENT, cores: 4 } });
    expect(JSON.parse(await readFile(folder.in('run/environment.json'), 'utf8'))).toMatchObject({ cores: 4 });
  });
});

describe('after a power cut', () => {
  test.each(['', '{"experiment":'])('a plan that is %j is written again, and its trials stay', async (cut) => {
    await expect(run({ failAt: stopAtSecond })).rejects.toBe(stopped);
    const path = folder.in('run/plan.json');
    const { startedAt: _, ...before } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, cut);
    done = [];
    await run({ resume: true });
    expect(done).toEqual(['open', 'trials/yjs-noquill-2-2', 'close']);
    expect(said).toEqual([expect.stringMatching(/plan\.json in .* is written again, as planned now/)]);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject(before);
  });

  test.each([
    ['no verdict that can be read', VERDICT_FILE, ''],
    ['records that are empty', 'records/trial.ndjson.gz', ''],
    ['records that are cut off', 'records/trial.ndjson.gz', '\x1f\x8b'],
  ])('a trial with %s is run again, and what it left is kept', async (_, file, content) => {
    await run();
    await writeFile(folder.in('run/trials/yjs-noquill-2-1', file), content, 'latin1');
    done = [];
    await run({ resume: true });
    expect(done).toEqual(['open', 'trials/yjs-noquill-2-1', 'close']);
    expect(said).toEqual([expect.stringMatching(/^yjs-noquill-2, trial 1, is run again: what it left is damaged/)]);
    expect(await readFile(folder.in('run/interrupted/yjs-noquill-2-1-attempt-1', file), 'latin1')).toBe(content);
  });

  test('a trial that was measured to its end is judged, and not measured again', async () => {
    await run();
    const trial = folder.in('run/trials/yjs-noquill-2-1');
    const record = openRecordWriter(recordPath(trial, 'trial'));
    record.write({ type: 'done', atMs: 1 });
    await record.close();
    await rm(join(trial, VERDICT_FILE));
    const before = await readFile(recordPath(trial, 'trial'));
    done = [];
    await run({ resume: true });
    expect(done).toEqual(['open', 'close']);
    expect(said).toEqual(['yjs-noquill-2, trial 1, was measured before, and is only judged now']);
    expect(await readFile(recordPath(trial, 'trial'))).toEqual(before);
    expect(await readVerdict(trial)).toMatchObject({ verdict: 'invalid', reasons: [{ code: 'cut-off' }] });
  });
});

test('a trial whose machine was taken away is run again, twice at most, and what was before is kept', async () => {
  await run({ stolen: 1 });
  const [first, second] = ['trials/yjs-noquill-2-1', 'trials/yjs-noquill-2-2'];
  expect(done.filter((each) => each.startsWith('trials'))).toEqual([first, first, second]);
  expect(said).toContain('yjs-noquill-2, trial 1, is run again: others had the CPU');
  expect(trials.begun).toEqual([1, 1, 2]);
  const verdictIn = async (trial: string) => JSON.parse(await readFile(folder.in('run', trial, VERDICT_FILE), 'utf8'));
  expect(await verdictIn('interrupted/yjs-noquill-2-1-attempt-1')).toEqual(STOLEN);
  expect(await verdictIn(first)).toEqual(NOT_VALID);

  done = [];
  await run({ directory: folder.in('always'), stolen: 9 });
  expect(done.filter((each) => each.startsWith('trials'))).toEqual([first, first, first, second]);
});

test('a trial in a document that a person named is not run again, as its markers stand there', async () => {
  const servers = [{ framework: 'yjs', url: 'ws://example.org', write: true }];
  await run({ stolen: 1, more: { documents: ['a', 'b'], servers } });
  expect(done).toEqual(['open', 'trials/yjs-noquill-2-1', 'trials/yjs-noquill-2-2', 'close']);
});

test('many users at a server of somebody else are refused, unless its owner agrees, whichever command runs them', async () => {
  const servers = [{ framework: 'yjs', url: 'ws://example.org' }];
  const readers = run({ users: 60, more: { servers, readers: 41 } });
  await expect(readers).rejects.toMatchObject(refusal(/60 users and 41 readers are more than 100; say --yes/));
  expect(done).toEqual([]);
  await run({ users: 101, isAgreed: true, more: { servers } });
  await run({ directory: folder.in('here'), users: 101 });
});

describe('more users than memory holds', () => {
  test('are refused before anything is opened, with the number that fits', async () => {
    await expect(run({ users: 40, availableMemoryMiB: 2000 })).rejects.toMatchObject(
      refusal(
        /yjs-noquill-40 takes about 2\.3 GiB of memory, and 2\.0 GiB are available: about 33 users fit in noquill/,
      ),
    );
    expect(done).toEqual([]);
    await run({ users: 33, availableMemoryMiB: 2000 });
  });

  test('are counted in a crowd, too, of whom each holds a document', async () => {
    // 2 × 60 MiB and 98 × 12 MiB.
    await expect(run({ users: 100, probes: 2, availableMemoryMiB: 1000 })).rejects.toMatchObject(
      refusal(/yjs-noquill-100 takes about 1\.3 GiB .*: about 75 users fit with 2 of them live in noquill/),
    );
    await expect(run({ users: 100, probes: 20, availableMemoryMiB: 1000 })).rejects.toMatchObject(
      refusal(/about 16 users fit in noquill/),
    );
  });

  test('do not matter where their trials have run, or others’ machines carry them', async () => {
    await run({ users: 40 });
    await run({ users: 40, resume: true, availableMemoryMiB: 100 });
    await run({ directory: folder.in('other'), users: 40, availableMemoryMiB: 100, fleet: { on: 'workers' } });
  });
});

describe('a folder that cannot be the run’s is refused before anything is opened', () => {
  afterEach(() => expect(done).not.toContain('open'));

  test('one that holds a run already', async () => {
    await run();
    done = [];
    await expect(run()).rejects.toMatchObject(refusal(/holds a run already.*"run" or "max", go on with --resume/));
    await expect(run({ resume: true, users: 4 })).rejects.toMatchObject(refusal(/another experiment/));
  });

  test('one with trials of an unknown run', async () => {
    await mkdir(folder.in('run/trials/yjs-noquill-2-1'), { recursive: true });
    await expect(run()).rejects.toMatchObject(refusal(/holds trials\/, but no plan\.json.*another folder/));
    await expect(run({ resume: true })).rejects.toMatchObject(refusal(/no run to resume/));
  });

  test('one whose plan is of another version', async () => {
    await folder.put('run/plan.json', '{"schemaVersion":2}');
    await expect(run()).rejects.toMatchObject(refusal(/holds a run already/));
    await expect(run({ resume: true })).rejects.toMatchObject(refusal(/plan\.json .*start a new run with/s));
  });

  test('one whose plan is cut off, if its trials are not those of the command', async () => {
    await mkdir(folder.in('run/trials/loro-noquill-2-1'), { recursive: true });
    await folder.put('run/plan.json');
    await expect(run()).rejects.toMatchObject(refusal(/holds a run already/));
    await expect(run({ resume: true })).rejects.toMatchObject(
      refusal(/plan\.json cannot be read, and loro-noquill-2-1 is no trial of this experiment/),
    );
  });

  test('one whose environment cannot be read', async () => {
    await expect(run({ failAt: stopAtSecond })).rejects.toBe(stopped);
    done = [];
    await writeFile(folder.in('run/environment.json'), '{');
    await expect(run({ resume: true })).rejects.toMatchObject(
      refusal(/environment\.json cannot be read: .*damaged.*remove it if the trials ran here.*another --out/s),
    );
  });

  test('one that is a file', async () => {
    const directory = folder.in('file');
    await writeFile(directory, '');
    await expect(run({ directory })).rejects.toMatchObject(refusal(/cannot take a run's results: it is a file/));
    const below = `${directory}/run`;
    await expect(run({ directory: below })).rejects.toMatchObject(
      refusal(/lies below one; give another folder with --out/),
    );
  });
});
