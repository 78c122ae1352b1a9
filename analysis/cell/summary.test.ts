import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { recordPath } from '../../results/formats/run-directory.ts';
import { type Summary, summarySchema } from '../../results/formats/summary.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { readDocumentPlan, readPlan } from '../../results/run-folder/run-files.ts';
import { folderOfAllTests, folderOfEachTest } from '../../tests/folders.ts';
import { writeReport } from '../report/report.ts';
import { type HandMadeTrial, sent, shown, typing, writeHandMadeTrial } from '../test-data/hand-made-trial.ts';
import { analyseTrial } from '../trial/analyse-trial.ts';

const run = folderOfEachTest();
beforeEach(async () => {
  const planned = (cell: string, users: number, trial: number) => ({
    cell,
    framework: 'x',
    mode: 'noquill',
    users,
    trial,
    seed: trial,
    directory: `trials/${cell}-${trial}`,
  });
  await writeJson(run.in('plan.json'), {
    schemaVersion: 1,
    startedAt: '2027-01-01T00:00:00.000Z',
    experiment: { name: 'small' },
    trials: [planned('a', 2, 1), planned('b', 3, 1), planned('a', 2, 2), planned('a', 2, 3)],
  });
  await writeJson(run.in('environment.json'), { node: '24.0.0' });
});

async function summarize(directory: string): Promise<Summary> {
  const { summaries } = await writeReport([directory]);
  return summaries[0] as Summary;
}

/** The analysed trials that tests copy, by what is in them. */
const analysed = folderOfAllTests();
beforeAll(async () => {
  await writeTrial('nine', 9);
  await writeTrial('eight', 8);
  await writeTrial('lost', 0, { faults: [{ code: 'user-lost', message: 'user 1 is lost' }], proof: 'not-reached' });
});

/** Two users; user 0 performs `performed` of ten edits and its sigil reaches user 1 after 30 ms. */
async function writeTrial(name: string, performed: number, given: Partial<HandMadeTrial> = {}): Promise<void> {
  const directory = analysed.in(name);
  const clocks = [{ offsetMs: 0, errorMs: 1 }];
  await writeHandMadeTrial(directory, {
    users: [
      { clocks, lines: [typing(15_000, { offered: 10, performed }), sent('0000@', 12_000), shown('0000@', 12_016)] },
      { clocks, lines: [shown('0000@', 12_030)] },
    ],
    ...given,
  });
  await analyseTrial(directory);
}

async function copyTrial(name: string, kind: 'nine' | 'eight' | 'lost'): Promise<string> {
  const directory = run.in('trials', name);
  await cp(analysed.in(kind), directory, { recursive: true });
  return directory;
}

test('golden: valid trials are pooled, an invalid one is named, what has not run is left out', async () => {
  // Valid: 9 of 10 and 8 of 10 edits: 85 %. The invalid one (0 of 10) would make it 57 %. Cell b has not run.
  await copyTrial('a-1', 'nine');
  await copyTrial('a-2', 'eight');
  await copyTrial('a-3', 'lost');
  const summary = await summarize(run.path);
  expect(summary).toMatchObject({ experiment: 'small', startedAt: '2027-01-01T00:00:00.000Z' });
  expect(summary.environment).toEqual({ node: '24.0.0' });
  expect(summary.cells).toHaveLength(1);
  expect(summary.cells[0]).toMatchObject({
    framework: 'x',
    version: '1.2.3',
    users: 2,
    trials: 3,
    validTrials: 2,
    verdict: 'partly valid',
    throughputPercent: 85,
    sigilsArrivedPercent: 100,
    converged: false,
    fullyFunctional: false,
  });
  expect(summary.cells[0]!.reasons[0]).toBe('trial 3: user 1 is lost');
  // Two sigils are too few for a median.
  expect(summary.cells[0]!.localLatencyMs).toEqual({ p50: null, p95: null, p99: null, samples: 2 });
  const written = JSON.parse(await readFile(run.in('summary.json'), 'utf8'));
  expect(summarySchema.parse(written)).toEqual(summary);
});

test('a trial whose record was cut off is unknown, with the reason; the rest stands', async () => {
  await copyTrial('a-1', 'nine');
  const cutOff = recordPath(await copyTrial('a-2', 'eight'), 'user-001');
  await truncate(cutOff, (await readFile(cutOff)).length - 12);
  const [cell] = (await summarize(run.path)).cells;
  expect(cell).toMatchObject({ trials: 2, validTrials: 1, verdict: 'partly valid', throughputPercent: 90 });
  expect(cell!.reasons[0]).toMatch(/^trial 2: records\/user-001\.ndjson\.gz is cut off or damaged/);
});

test('a trial without a readable verdict is unknown, one with a record missing invalid', async () => {
  await rm(join(await copyTrial('a-1', 'nine'), 'verdict.json'));
  await writeFile(join(await copyTrial('a-2', 'nine'), 'verdict.json'), '{"verdict":"splendid"}');
  await rm(recordPath(await copyTrial('a-3', 'nine'), 'user-001'));
  const [cell] = (await summarize(run.path)).cells;
  expect(cell).toMatchObject({
    trials: 3,
    validTrials: 0,
    verdict: 'invalid',
    version: '1.2.3',
    throughputPercent: null,
  });
  expect(cell!.reasons[0]).toBe('trial 1: it did not end: it has no verdict.json');
  expect(cell!.reasons[1]).toMatch(/^trial 2: .*verdict\.json is not as a run writes it/);
  expect(cell!.reasons[2]).toMatch(/^trial 3: the records: missing or incomplete at user-001 /);
  expect(cell!.notes.join('\n')).toMatch(
    /trial 3: the verdict: changed from valid to invalid when it was judged again: the records: /,
  );
});

test('a run without a plan, or with another one, is refused', async () => {
  await run.put('plan.json', '{"schemaVersion":2}');
  await expect(summarize(run.path)).rejects.toThrow(
    /plan\.json is of schema version 2, but this version of the project reads 1; read it with the version that wrote it/,
  );
  await rm(run.in('plan.json'));
  await expect(summarize(run.path)).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
});

test.each([{}, { scenario: 'replay' }])('a run of an older format is refused with what to do (%j)', async (more) => {
  const plan = { schemaVersion: 1, startedAt: '2026-11-24T23:59:59.000Z', experiment: { name: 'old', ...more } };
  await writeJson(run.in('plan.json'), { ...plan, trials: [] });
  const reads = 'scenario' in more ? readDocumentPlan(run.path) : readPlan(run.path);
  await expect(reads).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
  await expect(summarize(run.path)).rejects.toThrow(
    /a run of 2026-11-24: runs begun before 2026-11-25 have an older format, .* read it with the version of the project/,
  );
});
