import { expect, test } from 'vitest';
import { resolveDocuments } from '../../harness/experiment/experiment-file.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { storedTrace, TWO_AUTHORS, WIDE } from '../test-data/stored-trace.ts';
import { type StateExperiment, scenario } from './scenario.ts';

const folder = folderOfEachTest();
const { signal } = new AbortController();

async function open(written: object) {
  const experiment = resolveDocuments({ scenario: 'state', ...written }, { scenario: 'state' }) as StateExperiment;
  const context = { frameworks: new Map(), say() {}, folder: folder.path, signal };
  const opened = await scenario.open(experiment, context);
  const [of] = await scenario.cells(experiment, context);
  return { opened, of: of! };
}

/** The lines that one trial of the first cell writes, and the steps that it takes. */
async function trialOf(written: object, saves: RecordLine = { type: 'figure', figure: 'savedKiB', value: 1 }) {
  const { opened, of } = await open(written);
  const lines: RecordLine[] = [];
  const steps: string[] = [];
  await opened.runTrial(of, {
    ...{ trial: 1, seed: 1, directory: folder.path, signal },
    write: (added) => void lines.push(...[added].flat()),
    async measure(command, _limitMs, look) {
      const { step } = JSON.parse(command.at(-1)!) as { step: string };
      steps.push(step);
      if (step === 'save') look?.(saves);
    },
  });
  return { lines, steps };
}

test('what an engine failed to save is not loaded: there is nothing, or what another cell saved', async () => {
  const failure: RecordLine = { type: 'failure', code: 'wrong-content', message: 'it holds other text' };
  expect((await trialOf({ engines: ['string'] })).steps).toEqual(['save', 'load']);
  expect((await trialOf({ engines: ['string'] }, failure)).steps).toEqual(['save']);
});

test('a trace of several authors is refused, with what to do', async () => {
  const trace = await storedTrace(folder, TWO_AUTHORS);
  await expect(open({ engines: ['string'], trace })).rejects.toThrow(
    'the trace "mine" has several authors, and the document here has one: take another with --trace, such as synthetic',
  );
});

test('an engine that is given the first edits only has a note, and one that cannot hold a character has failed', async () => {
  const { lines } = await trialOf({ engines: ['automerge-classic'] });
  const message = expect.stringMatching(/^it is given the first 20000 edits only: /);
  expect(lines).toEqual([{ type: 'note', code: 'prefix', message }]);
  const trace = await storedTrace(folder, WIDE);
  await expect(trialOf({ engines: ['automerge-classic'], trace })).rejects.toMatchObject({
    code: 'character-not-held',
  });
});

test('a run of a document scenario has no saved states, and that is said with its scenario', async () => {
  await folder.put('run/plan.json', JSON.stringify({ experiment: { scenario: 'replay' } }));
  await expect(open({ engines: ['string'], run: folder.in('run') })).rejects.toThrow(
    'holds a run of the scenario replay, whose trials save no states; give a run in which people typed, or null',
  );
});
