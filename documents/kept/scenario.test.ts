import { expect, test } from 'vitest';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { DOCUMENT_EXPERIMENTS } from '../../harness/experiment/document-experiments.ts';
import type { KeptExperiment } from './kept-trial.ts';
import { scenario } from './scenario.ts';

const STORE = { by: 'an adapter', writes: 'each update' };

function cellsOf(written: object, stores: FrameworkAbout['stores'] = { sqlite: STORE, postgres: STORE }) {
  const experiment = DOCUMENT_EXPERIMENTS.kept.written.parse({ scenario: 'kept', ...written }) as KeptExperiment;
  const about = { stores } as FrameworkAbout;
  const frameworks = new Map([['one', { name: 'one', about } as Framework]]);
  const said: string[] = [];
  const cells = Promise.resolve(scenario.cells(experiment, { frameworks, say: (text) => said.push(text) }));
  return { cells, said };
}

test('a framework has a cell for each of its stores, each thing that is struck, and each who is left', async () => {
  const { cells, said } = cellsOf({
    stores: ['sqlite', 'postgres'],
    struck: ['server', 'both'],
    left: ['none', 'all'],
  });
  expect((await cells).map(({ store, struck, left }) => `${store} ${struck} ${left}`)).toEqual([
    'sqlite server none',
    'sqlite server all',
    'postgres server none',
    'postgres server all',
    'postgres both none',
    'postgres both all',
  ]);
  expect(said).toEqual([]);
});

test('a document that holds something before makes a cell for each size; an empty one is not named', async () => {
  const cells = await cellsOf({ stores: 'sqlite', edits: [0, 1000, 1000] }).cells;
  const crash = { framework: 'one', store: 'sqlite', struck: 'server', left: 'none' };
  expect(cells).toEqual([crash, { ...crash, edits: 1000 }]);
});

test('stores that it has not are left out, and that is said', async () => {
  const { cells, said } = cellsOf({});
  expect((await cells).map(({ store }) => store)).toEqual(['sqlite', 'postgres']);
  expect(said).toEqual(['not offered, and left out: one in leveldb, redis, files']);
});

test('a store that none has is not offered, and those that they have are named', async () => {
  await expect(cellsOf({ stores: 'redis' }).cells).rejects.toThrow(
    'not offered: documents are kept by one in sqlite, postgres, and by none in redis',
  );
});

test('a kill is not to come before itself', async () => {
  await expect(cellsOf({ killFrom: '5s', killTo: '4s' }).cells).rejects.toThrow(
    'killFrom (5s) is later than killTo (4s); write the earlier one first',
  );
});
