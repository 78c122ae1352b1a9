/** A run of two versions in turns: its steps around the trials, and its way to find the other version. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../infra/code.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { NOT_VALID, never, QUIET_TRIAL, quietObserver, verdictRunner } from '../../tests/runs.ts';
import type { Refusals } from '../attached/attach.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import type { RunnerOptions } from '../fleets/runner.ts';
import { differingMeasures, openBase } from './base.ts';
import { runExperiment, shownPlan } from './run.ts';
import { inTurns } from './run-trials.ts';

const folder = folderOfEachTest();
let done: string[];
let said: string[];
/** Of each half's runner. */
let refusals: Refusals[];
beforeEach(() => {
  [done, said, refusals] = [[], [], []];
});

const frameworks = [{ name: 'yjs', about: {} }];
const experimentOf = (trials: number, users: number | number[] = 2) =>
  resolveExperiment({ modes: 'noquill', users, trials, base: 'v1' }, { frameworks });
const BASE = { root: PROJECT_ROOT, checkout: { named: 'v1', commit: 'abc', changed: false, sources: 'abc' } };

/** In runners that write verdicts only. */
function run(
  circumstances: {
    failAt?: number;
    openError?: Error;
    closeError?: Error;
    resume?: boolean;
    sources?: string;
    verdict?: Verdict;
  } = {},
) {
  const { failAt, openError, closeError, resume = false, sources = 'abc', verdict = NOT_VALID } = circumstances;
  return runExperiment(
    {
      ...{ ...QUIET_TRIAL, experiment: experimentOf(2), frameworks: new Map(), resume, directory: folder.in('run') },
      observer: { ...quietObserver(said), onTrial: ({ cell }) => said.push(cell) },
    },
    {
      openBase: async () => ({
        ...{ ...BASE, checkout: { ...BASE.checkout, sources } },
        release: async () => void done.push('release'),
      }),
      async open({ root, refusals: counted }: RunnerOptions) {
        expect(root).toBe(PROJECT_ROOT);
        refusals.push(counted);
        if (openError !== undefined) throw openError;
        const runner = verdictRunner({
          verdictOf(_, directory) {
            done.push(directory.slice(folder.in('run').length + 1));
            if (done.length === failAt) throw new Error('stopped');
            return verdict;
          },
          onClose() {
            done.push('close');
            if (closeError !== undefined) throw closeError;
          },
        });
        return { ...runner, environment: { ...runner.environment, sources } };
      },
    },
  );
}

describe('pairs', () => {
  test('each trial has its other half beside it, of the same seed, and they take turns in coming first', () => {
    const trials = inTurns(makePlan(experimentOf(4, [2, 3])), [{ name: 'base' }, { name: 'new' }]);
    expect(trials).toHaveLength(16);
    const firsts: Record<string, string[]> = {};
    for (let index = 0; index < trials.length; index += 2) {
      const [a, b] = [trials[index]!, trials[index + 1]!];
      expect(a.planned).toBe(b.planned);
      expect([a.part.name, b.part.name].sort()).toEqual(['base', 'new']);
      firsts[a.planned.cell] = [...(firsts[a.planned.cell] ?? []), a.part.name];
    }
    for (const order of Object.values(firsts)) {
      expect([
        ['base', 'new', 'base', 'new'],
        ['new', 'base', 'new', 'base'],
      ]).toContainEqual(order);
    }
  });

  test('an observer is told which half', () => {
    const [first] = inTurns(makePlan(experimentOf(1)), [{ name: 'base' }]);
    expect(first!.shown).toMatchObject({ cell: 'base/yjs-noquill-2', directory: 'base/trials/yjs-noquill-2-1' });
    expect(
      shownPlan(experimentOf(2))
        .map(({ directory }) => directory)
        .toSorted(),
    ).toEqual([
      ...['base/trials/yjs-noquill-2-1', 'base/trials/yjs-noquill-2-2'],
      ...['new/trials/yjs-noquill-2-1', 'new/trials/yjs-noquill-2-2'],
    ]);
    const alone = { ...experimentOf(2), base: null };
    expect(shownPlan(alone)).toEqual(makePlan(alone));
  });
});

describe('a run', () => {
  test('leaves two run folders and what they are of, and clears up', async () => {
    await run();
    expect(done.slice(0, 4).toSorted()).toEqual(
      ['base', 'new'].flatMap((half) => [1, 2].map((trial) => `${half}/trials/yjs-noquill-2-${trial}`)),
    );
    expect(done.slice(4)).toEqual(['close', 'close', 'release']);
    // Both load the same server: three refusals in all end the run.
    expect(refusals).toHaveLength(2);
    expect(refusals[0]).toBe(refusals[1]);
    const about = JSON.parse(await readFile(folder.in('run/against.json'), 'utf8'));
    expect(about).toMatchObject({ base: { named: 'v1', commit: 'abc' }, new: { named: null } });
    expect(await readdir(folder.in('run/base'))).toEqual(await readdir(folder.in('run/new')));
    await expect(run()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('holds a run already') });
    await writeFile(folder.in('run/plan.json'), '{}');
    await expect(run()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('run of one version') });
  });

  test('a trial whose machine was taken away is not run again: its other half would no longer stand beside it', async () => {
    await run({ verdict: { ...NOT_VALID, reasons: [{ code: 'machine-stolen', message: 'others had the CPU' }] } });
    expect(done.filter((name) => name.includes('trials'))).toHaveLength(4);
  });

  test('the base is removed after an error too, wherever it comes', async () => {
    await expect(run({ failAt: 2 })).rejects.toThrow('stopped');
    expect(done.slice(2)).toEqual(['close', 'close', 'release']);
    await rm(folder.in('run'), { recursive: true });
    done = [];
    await expect(run({ openError: new Error('no') })).rejects.toThrow('no');
    expect(done).toEqual(['release']);
    await rm(folder.in('run'), { recursive: true, force: true });
    await expect(run({ closeError: new Error('still there') })).rejects.toThrow('still there');
    expect(done.slice(-3)).toEqual(['close', 'close', 'release']);
  });

  test('one that was stopped runs what it lacks, with the same versions only', async () => {
    await expect(run({ resume: true })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('holds no run against another version'),
    });
    // The second pair is broken off between its halves.
    await expect(run({ failAt: 4 })).rejects.toThrow('stopped');
    const [half, lacking] = done.slice(2, 4);
    const path = folder.in('run', half!, VERDICT_FILE);
    const { ino } = await stat(path);
    await expect(run({ resume: true, sources: 'other' })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/finished trials in .*base were run .*sources: abc, now other/s),
    });
    done = [];
    await run({ resume: true });
    expect(done).toEqual([lacking, 'close', 'close', 'release']);
    expect((await stat(path)).ino).toBe(ino);
    done = [];
    await run({ resume: true });
    expect(done).toEqual([]);
    expect(said.at(-1)).toContain('there is nothing to resume');
    // By a command that forgets its --against.
    const experiment = { ...experimentOf(2), base: null };
    const options = { ...QUIET_TRIAL, experiment, frameworks: new Map(), resume: true, directory: folder.in('run') };
    await expect(runExperiment({ ...options, observer: quietObserver() })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('holds a run against another version'),
    });
  });
});

const PROTOCOL_FILE = 'harness/trial/protocol-version.ts';

describe('the base', () => {
  /** A repository that holds as much of the project as is looked at. */
  let own: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', own, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' }).trim();
  const open = (named: string) => openBase(named, { root: own, say: (text) => said.push(text), signal: never });
  beforeEach(async () => {
    own = folder.in('own');
    for (const file of [PROTOCOL_FILE, 'package.json', 'editors/base/framework.ts', 'package-lock.json']) {
      await mkdir(join(own, file, '..'), { recursive: true });
      await cp(join(PROJECT_ROOT, file), join(own, file));
    }
    await mkdir(join(own, 'node_modules'));
    await writeFile(join(own, '.gitignore'), 'node_modules\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('tag', 'one');
  });

  test('of a commit: a worktree with these packages, where it asks for the same, gone afterwards', async () => {
    await writeFile(join(own, 'editors/base/framework.ts'), '// another');
    await mkdir(join(own, 'harness/crowd'));
    await writeFile(join(own, 'harness/crowd/playback.ts'), '// another');
    const base = await open('one');
    const commit = git('rev-parse', 'one');
    expect(base.checkout).toEqual({ named: 'one', commit, changed: false, sources: expect.stringMatching(/^\w{16}$/) });
    // The source here has changed since.
    expect(base.checkout.sources).not.toBe((await codeOf(own)).sources);
    expect(await readlink(join(base.root, 'node_modules'))).toBe(join(own, 'node_modules'));
    expect(await differingMeasures(own, base.root)).toEqual(['editors/base/framework.ts', 'harness/crowd/playback.ts']);
    await base.release();
    await base.release();
    expect(existsSync(base.root)).toBe(false);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test.each([
    ['two', /no folder of that name holds the project .* git knows no such commit/],
    ['--all', /git knows no such commit/],
  ])('%s is refused', async (named, problem) => {
    await expect(open(named)).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(problem) });
  });

  test.each([
    ['export const PROTOCOL_VERSION = 0;', /there: version 0; here: version \d+.*scriptorium compare/],
    ['', /protocols differ \(there: no version/],
  ])('one whose protocol is %j is refused, and gone', async (text, problem) => {
    await writeFile(join(own, PROTOCOL_FILE), text);
    git('commit', '-qam', 'another protocol');
    await expect(open('HEAD')).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(problem) });
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('packages that cannot be installed are an error that says why, and the worktree is gone', async () => {
    await writeFile(join(own, 'scriptorium'), '#!/bin/sh\necho "npm is missing" >&2\nexit 3\n', { mode: 0o755 });
    git('add', '.');
    git('commit', '-qm', 'two');
    await writeFile(join(own, 'package-lock.json'), '{}');
    await expect(open('HEAD')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/npm is missing$/),
    });
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('of a folder: taken as it is, with its packages or not at all', async () => {
    const other = folder.in('other');
    await cp(own, other, { recursive: true });
    await expect(open(other)).rejects.toMatchObject({ exitCode: 3, message: expect.stringMatching(/has no packages/) });
    await writeFile(join(other, 'node_modules/.package-lock.json'), '{}');
    await folder.put('other/cli/new.ts');
    const { checkout } = await open(other);
    expect(checkout).toMatchObject({ named: other, commit: git('rev-parse', 'one'), changed: true });
  });
});
