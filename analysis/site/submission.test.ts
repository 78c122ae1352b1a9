/** The rules for runs that are handed in. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { UserError } from '../../results/user-error.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { readSummary } from '../cell/cell-json.ts';
import { writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { type KeptRun, readKeptFile } from './kept-file.ts';
import { readKept } from './kept-runs.ts';
import { packRun } from './pack-run.ts';
import { submissionProblems } from './submission.ts';

const ONE_TRIAL = { trials: [{ figures: { localMs: 20, endToEndMs: 90, serverCpuPercent: 5 } }], isAnalysed: true };

const folder = folderOfAllTests();
const compare = await readKept('2026-11-23T0025-compare');

/** The run with other properties of its summary, as if they had been written. */
function changedRun(run: KeptRun, change: object): KeptRun {
  const written = { ...run.written, ...change } as KeptRun['written'];
  return { ...run, written, summary: readSummary(written) };
}

const cellsOf = (run: KeptRun): object[] => run.written.cells;
const whole = () => ({ cells: compare.written.cells.filter(({ trials }) => trials >= 3) });
const environment = () => compare.summary.environment;

test('a kept run keeps the rules, but for cells of two trials', () => {
  expect(submissionProblems(changedRun(compare, { startedAt: '2026-01-01T10:00:00.000Z', ...whole() }))).toEqual([]);
  expect(submissionProblems(compare)[0]).toBe(
    'the project has a run named 2026-11-23T0025-compare → measure one of your own',
  );
  expect(submissionProblems(compare)[1]).toBe('automerge-repo, noquill, 4 users: 2 trials, at least 3 → --trials 3');
});

test.each<[string, () => object, RegExp]>([
  ['another schema', () => ({ schemaVersion: 2 }), /not of schema version 1/],
  ['no machine', () => ({ environment: { ...environment(), cpu: undefined } }), /lacks cpu/],
  ['no version', () => ({ environment: { ...environment(), scriptorium: null } }), /lacks scriptorium/],
  ['no cell', () => ({ cells: [] }), /no cell → run it to its end/],
  ['two trials', () => ({ cells: [{ ...cellsOf(compare)[0], trials: 2 }] }), /2 trials, at least 3/],
  [
    'no verdict on a framework',
    () => ({ cells: cellsOf(compare).map((cell) => ({ ...cell, validTrials: 0, failedTrials: 0 })) }),
    /no trial is valid or failed/,
  ],
])('%s is refused', (_, change, message) => {
  expect(submissionProblems(changedRun(compare, { ...whole(), ...change() })).join('\n')).toMatch(message);
});

test('a rung of a ladder may have one trial, if that settles its count', () => {
  const cells = [{ ...compare.written.cells[0], trials: 1, validTrials: 1, failedTrials: 0, verdict: 'valid' }];
  const run = changedRun(compare, { startedAt: '2026-01-01T10:00:00.000Z', cells });
  const { framework, users } = run.summary.cells[0]!.parameters as { framework: string; users: number };
  const problemsWith = (held: number, missed: number) =>
    submissionProblems({ ...run, rungs: [{ framework, users, held, missed, gaveOut: null }] });
  expect(problemsWith(1, 0)).toEqual([]);
  expect(problemsWith(0, 2)).toEqual([]);
  expect(problemsWith(1, 1).join()).toMatch(/1 trial, and the count is still open → go on with the campaign/);
});

test('a verdict that contradicts its counts, and cells of documents without a name, are refused', async () => {
  const cells = cellsOf(compare).map((cell) => ({ ...cell, trials: 3, validTrials: 2, verdict: 'valid' }));
  expect(submissionProblems(changedRun(compare, { cells })).join('\n')).toMatch(/verdict contradicts its trials/);
  const atRest = await readKept('2026-11-22-at-rest');
  const nameless = cellsOf(atRest).map((cell) => ({ ...cell, store: 'a b' }));
  expect(submissionProblems(changedRun(atRest, { cells: nameless })).join('\n')).toMatch(/a cell names no store/);
});

test('an answer that its figures contradict, more figures than trials, and a start in the future are refused', () => {
  const startedAt = '2026-01-01T10:00:00.000Z';
  const problemsWith = (change: object, others: Partial<KeptRun> = {}) => {
    const [first] = whole().cells as object[];
    const cells = [{ ...first, fullyFunctional: true, ...change }];
    return submissionProblems({ ...changedRun(compare, { startedAt, cells }), ...others }).join();
  };
  const three = [{ throughputPercent: [99, 99, 100] }];
  expect(problemsWith({}, { replicates: three })).toBe('');
  const failed = { verdict: 'partly valid', validTrials: 2, failedTrials: 1 };
  const unsmooth = { fullyFunctional: null, smooth: true, seenInTimePercent: 1 };
  for (const change of [{ throughputPercent: 40 }, failed, unsmooth, { fullyFunctional: false }]) {
    expect(problemsWith(change)).toMatch(/a cell’s answer contradicts its figures/);
  }
  expect(problemsWith({ ...failed, fullyFunctional: false, smooth: false })).toBe('');
  const none = { validTrials: 0, fullyFunctional: null, smooth: null };
  for (const counts of [
    { verdict: 'failed', failedTrials: 2 },
    { verdict: 'unknown', failedTrials: 3 },
  ]) {
    expect(problemsWith({ ...none, ...counts })).toMatch(/verdict contradicts its trials/);
  }
  for (const replicates of [[], [{ throughputPercent: [99, 99, 100, 100] }]]) {
    expect(problemsWith({}, { replicates })).toMatch(/figures of single trials are not those of the valid trials/);
  }
  expect(submissionProblems(changedRun(compare, { startedAt: '2099-01-01T10:00:00.000Z', ...whole() })).join()).toMatch(
    /it began in the future/,
  );
});

test.each([{ experiment: '../../x' }, { startedAt: '/../../..' }, { cells: null }])(
  'a run folder whose summary has %j leads nowhere',
  async (changed) => {
    const run = await mkdtemp(folder.in('led-'));
    await writeHandMadeRun(run, ONE_TRIAL);
    await writeJson(join(run, SUMMARY_FILE), { ...compare.written, ...changed });
    await expect(packRun(run)).rejects.toThrow(UserError);
  },
);

test('a run that nobody could read again is not packed', async () => {
  const run = await mkdtemp(folder.in('long-'));
  await writeHandMadeRun(run, ONE_TRIAL);
  await writeJson(join(run, SUMMARY_FILE), { ...compare.written, more: Array(100_000).fill(0) });
  await expect(packRun(run)).rejects.toThrow(`${run} cannot be packed: it has more than 100000 values`);
});

test('a file that is none is refused with what to give', async () => {
  await expect(readKeptFile(join(import.meta.dirname, 'submission.test.ts'))).rejects.toThrow(
    /give a file that `submit` wrote/,
  );
});
