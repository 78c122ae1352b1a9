/** A whole run of a document scenario, with the engines' real processes. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { encodeStateAsUpdate } from 'yjs';
import { createDocument, textOf } from '../editors/yjs/document.ts';
import type { DocumentExperiment } from '../harness/experiment/document-experiments.ts';
import { loadAnyExperiment, resolveDocuments } from '../harness/experiment/experiment-file.ts';
import type { DocumentSummary } from '../results/formats/documents.ts';
import { DOCUMENTS_FOLDER, PLAN_FILE, SAVED_STATE_ENDING, VERDICT_FILE } from '../results/formats/run-directory.ts';
import { writeFileAtomically, writeJson } from '../results/formats/write-file.ts';
import { processName } from '../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { formatDocumentPlan, planDocuments } from './plan.ts';
import { runDocuments } from './run.ts';

const folder = folderOfEachTest();

/** Engines have none. */
const frameworks = new Map();

async function run(experiment: DocumentExperiment, { directory = folder.path, resume = false } = {}) {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const plan = await planDocuments({ experiment, frameworks }, say);
  const ran: string[] = [];
  const { summary } = await runDocuments({
    ...{ experiment, frameworks, plan, directory, resume },
    signal: new AbortController().signal,
    observer: { onNotice: say, onWarning: say, onTrial: ({ cell }) => ran.push(cell), onVerdict() {} },
  });
  return { summary: summary as DocumentSummary, said, ran };
}

const replay = (properties: object) =>
  resolveDocuments({ scenario: 'replay', trials: 1, ...properties }, { scenario: 'replay' });

test('a replay is measured, what is not offered has no cell, and a finished run is not run again', async () => {
  const experiment = replay({ engines: ['string', 'yjs'], observe: ['updates', 'once'], remote: '100ms' });
  const directory = folder.in('replay');
  const { summary, said, ran } = await run(experiment, { directory });
  expect(ran).toEqual(['string-once-1', 'yjs-updates-1', 'yjs-once-1']);
  expect(said).toContain('note: string does not offer "updates", so there is no such cell');
  const [text, yjs] = summary.cells;
  expect(text).toMatchObject({ engine: 'string', verdict: 'valid', updatesKiB: null });
  expect(yjs).toMatchObject({ engine: 'yjs', observe: 'updates', verdict: 'valid', remoteEdits: expect.any(Number) });
  expect(yjs!.applyMs).toBeGreaterThan(0);
  // Both encodings by name; and the first load apart from those after it.
  expect(yjs!.savedV2KiB).toBe(yjs!.savedWithoutHistoryKiB);
  expect(yjs!.savedKiB).toBeGreaterThan(yjs!.savedV2KiB as number);
  expect(yjs).toMatchObject({ loadMs: expect.any(Number), loadWarmMs: expect.any(Number) });
  const again = await run(experiment, { directory, resume: true });
  expect(again.ran).toEqual([]);
});

test('engines that take turns share a process, and have a trial each', async () => {
  const experiment = replay({ engines: ['yjs', 'rga'], remote: '100ms', inTurns: true });
  const { summary } = await run(experiment, { directory: folder.in('in-turns') });
  const [yjs, rga] = summary.cells;
  for (const cell of [yjs, rga]) expect(cell).toMatchObject({ verdict: 'valid', heapMiB: null });
  expect(yjs!.remoteEdits).toBe(rga!.remoteEdits);
  const unlike = replay({ engines: ['yjs', 'string'], observe: ['edits'], inTurns: true });
  await expect(run(unlike, { directory: folder.in('unlike') })).rejects.toThrow(/^inTurns: true wants .*; not string$/);
});

test('an engine that is out of time has failed, says how far it got, and is not run again, unless another run was beside it', async () => {
  // Without the runs of other tests.
  vi.stubEnv('TMPDIR', folder.path);
  const experiment = replay({ engines: ['automerge-classic'], observe: ['edits'], limit: '200ms', trials: 2 });
  const { summary, ran } = await run(experiment, { directory: folder.in('slow') });
  expect(ran).toHaveLength(1);
  const [cell] = summary.cells;
  expect(cell).toMatchObject({ verdict: 'failed', applyMs: null });
  expect(cell!.reasons).toEqual([expect.stringMatching(/^it had made \d+ of 20000 edits after [\d.]+ s$/)]);
  await mkdir(folder.in(`scriptorium-measuring-${processName(process.ppid)}-x`));
  const beside = await run(experiment, { directory: folder.in('beside') });
  expect(beside.ran).toHaveLength(2);
  expect(beside.summary.cells).toMatchObject([{ verdict: 'invalid' }]);
  vi.unstubAllEnvs();
});

test('documents are saved and loaded', async () => {
  const experiment = resolveDocuments(
    { scenario: 'state', engines: ['string', 'loro'], trials: 1, warmUps: 1, repetitions: 2 },
    { scenario: 'state' },
  );
  const { summary } = await run(experiment, { directory: folder.in('state') });
  const names = summary.cells.map(({ engine, encoding, verdict }) => [engine, encoding, verdict]);
  expect(names).toEqual([
    ['string', 'UTF-8', 'valid'],
    ['loro', 'snapshot', 'valid'],
    ['loro', 'updates', 'valid'],
    ['loro', 'shallow snapshot', 'valid'],
  ]);
  const [text, snapshot, updates] = summary.cells;
  // Quill's JSON of plain text is the text with its line ends escaped, in a list.
  expect(text!.quillRatio).toBeLessThan(1);
  expect(snapshot!.loadMs).toBeGreaterThan(0);
  expect(updates!.loadMs).toBeNull();
});

test('what the trials of a run saved is loaded, by turns in one process if so asked', async () => {
  const typed = folder.in('typed');
  // With the line end that all documents have, six characters, and seven in the second trial.
  const documents = [createDocument(), createDocument()];
  for (const [index, document] of documents.entries()) textOf(document).insert(0, `typed${index === 0 ? '' : '!'}`);
  const trials = ['yjs', 'yjs-relay'].flatMap((framework) => {
    const cell = { cell: framework, framework, mode: 'node', users: 2 };
    return [1, 2].map((trial) => ({ ...cell, trial, seed: 1, directory: `trials/${framework}-${trial}` }));
  });
  await writeJson(join(typed, PLAN_FILE), {
    schemaVersion: 1,
    startedAt: '2026-11-26T10:00:00.000Z',
    experiment: { name: 'typed' },
    trials,
  });
  for (const { directory, trial } of trials) {
    const valid = { schemaVersion: 1, verdict: 'valid', reasons: [], notes: [], converged: true };
    await writeJson(join(typed, directory, VERDICT_FILE), valid);
    const saved = join(typed, directory, DOCUMENTS_FOLDER, `0${SAVED_STATE_ENDING}`);
    await writeFileAtomically(saved, encodeStateAsUpdate(documents[trial - 1]!));
  }
  for (const [inTurns, trials] of [
    [true, 2],
    [false, 1],
  ] as const) {
    const properties = { scenario: 'state', engines: ['string'], run: typed, trials, repetitions: 2, inTurns };
    const experiment = resolveDocuments(properties, { scenario: 'state' });
    const { summary } = await run(experiment, { directory: folder.in(`loaded-${inTurns}`) });
    expect(summary.cells).toMatchObject([
      { engine: 'string', verdict: 'valid' },
      ...['yjs', 'yjs-relay'].map((engine) => {
        const loaded = { characters: inTurns ? 6.5 : 6, loadTextMs: expect.any(Number) };
        return { engine, state: inTurns ? 'each trial' : `${engine}-1`, validTrials: trials, ...loaded };
      }),
    ]);
  }
});

test('the plan has every cell’s first trial in the file’s order, and names what is wrong', async () => {
  const experiment = replay({ engines: ['yjs', 'loro', 'string'], observe: ['edits'], trials: 3 });
  const plan = await planDocuments({ experiment, frameworks }, () => {});
  expect(plan.slice(0, 3).map(({ of }) => of.engine)).toEqual(['yjs', 'loro', 'string']);
  expect(plan).toHaveLength(9);
  expect(new Set(plan.map(({ directory }) => directory)).size).toBe(9);
  expect(await planDocuments({ experiment, frameworks }, () => {})).toEqual(plan);
  expect(await formatDocumentPlan(experiment, plan)).toContain('3 cells, 3 trials of each');
  await expect(planDocuments({ experiment: replay({ engines: ['yjss'] }), frameworks }, () => {})).rejects.toThrow(
    /there is no engine "yjss" \(did you mean "yjs"\?\)/,
  );
  const nothing = { experiment: replay({ engines: ['string'], observe: ['updates'] }), frameworks };
  await expect(planDocuments(nothing, () => {})).rejects.toThrow(/has no cell/);
});

test('an experiment file says which scenario it is of; properties of others are none of its own', async () => {
  expect((await loadAnyExperiment({ path: 'harness/experiments/b4.yaml' })).scenario).toBe('replay');
  expect(() => replay({ users: 4 })).toThrow(/users: there is no such property; .*valid here: name, scenario, trials/);
  expect(() => resolveDocuments({ scenario: 'replay', trace: 'none' }, { scenario: 'replay', traces: ['a'] })).toThrow(
    'trace: there is no trace "none"; write one of: a',
  );
});
