import { expect, test } from 'vitest';
import { resolveDocuments } from '../../harness/experiment/experiment-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { storedTrace, TWO_AUTHORS, WIDE } from '../test-data/stored-trace.ts';
import { type ReplayExperiment, scenario } from './scenario.ts';

const folder = folderOfEachTest();

const experimentOf = (written: object) =>
  resolveDocuments({ scenario: 'replay', ...written }, { scenario: 'replay' }) as ReplayExperiment;

/** All that one trial writes beside its process. */
async function linesOf(written: { engines: [string]; trace?: string }, repeat = 1): Promise<RecordLine[]> {
  const { signal } = new AbortController();
  const context = { frameworks: new Map(), say() {}, folder: folder.path, signal };
  const opened = await scenario.open(experimentOf(written), context);
  const lines: RecordLine[] = [];
  await opened.runTrial(
    { engine: written.engines[0], observe: 'edits', repeat },
    {
      ...{ trial: 1, seed: 1, directory: folder.path, signal },
      write: (added) => void lines.push(...[added].flat()),
      async measure() {},
    },
  );
  return lines;
}

test('the note on an engine without a cell of a concurrent trace says why', async () => {
  const trace = await storedTrace(folder, TWO_AUTHORS);
  const said: string[] = [];
  const experiment = experimentOf({ engines: ['yjs', 'yrs', 'rich-text'], trace });
  const cells = await scenario.cells(experiment, { frameworks: new Map(), say: (text) => said.push(text) });
  expect(cells).toEqual([{ engine: 'yjs', observe: 'updates', repeat: 1 }]);
  expect(said).toEqual([
    'note: yrs runs in the native program, which replays one author only, so there is no such cell',
    'note: rich-text does not merge what was written at once, so there is no such cell',
  ]);
});

test('a concurrent trace has no cell of another observation, or of several repeats, and that is said', async () => {
  const trace = await storedTrace(folder, TWO_AUTHORS);
  const said: string[] = [];
  const cellsOf = (written: object) =>
    scenario.cells(experimentOf({ engines: ['yjs'], trace, ...written }), {
      frameworks: new Map(),
      say: (text) => said.push(text),
    });
  const cell = { engine: 'yjs', observe: 'updates', repeat: 1 };
  expect(await cellsOf({ observe: ['updates', 'once'], repeat: [1, 10] })).toEqual([cell]);
  const note = 'note: a trace of several authors is replayed by updates, and once, so there is no cell of';
  expect(said.splice(0)).toEqual([`${note} observe: once`, `${note} repeat: 10`]);
  expect(await cellsOf({ observe: 'edits' })).toEqual([]);
  expect(said).toEqual([`${note} observe: edits`]);
});

test('an engine that is given the first edits has a note if the trace has more', async () => {
  const engines: [string] = ['automerge-classic'];
  const note = (edits: string) => ({
    ...{ type: 'note', code: 'prefix' },
    message: `it is given the first ${edits}: all of a long trace takes it minutes and nearly a gigabyte`,
  });
  expect(await linesOf({ engines })).toEqual([note('20000 edits only')]);
  expect(await linesOf({ engines }, 3)).toEqual([note('20000 edits only, each of the 3 times')]);
  const short = { startContent: '', endContent: 'a', txns: [{ patches: [[0, 0, 'a']] }] };
  expect(await linesOf({ engines, trace: await storedTrace(folder, short) })).toEqual([]);
});

test('an engine has failed if it cannot hold a character of the trace', async () => {
  const trace = await storedTrace(folder, WIDE);
  await expect(linesOf({ engines: ['collabs'], trace })).rejects.toMatchObject({
    code: 'character-not-held',
    message: 'it cannot hold characters of two UTF-16 units, and the trace has "😀"',
  });
  expect(await linesOf({ engines: ['string'], trace })).toEqual([]);
});

test('a trace without edits is refused, with what to do', async () => {
  const trace = await storedTrace(folder, { startContent: '', endContent: '', txns: [] });
  await expect(linesOf({ engines: ['string'], trace })).rejects.toThrow(
    'the trace "mine" has no edits, so there is nothing to replay: take another with --trace, such as synthetic',
  );
});
