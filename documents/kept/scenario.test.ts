import { expect, test } from 'vitest';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { DOCUMENT_EXPERIMENTS } from '../../harness/experiment/document-experiments.ts';
import { resolveDocuments } from '../../harness/experiment/experiment-file.ts';
import { formatDocumentPlan } from '../plan.ts';
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

test('the flag of a list of counts sets the one count of users, and several are refused', () => {
  const withUsers = (users: number[]) =>
    resolveDocuments(
      { scenario: 'kept' },
      { scenario: 'kept', overrides: [{ flag: '--users', path: ['users'], value: users }] },
    );
  expect(withUsers([5])).toMatchObject({ users: 5 });
  expect(() => withUsers([2, 5])).toThrow('--users: [2,5] is not valid; write a whole number from 2 to 16');
  expect(() => withUsers([1])).toThrow('write a whole number from 2 to 16');
});

test('the plan shows how many edits each cell holds, also after one that does not name them', async () => {
  const experiment = resolveDocuments({ scenario: 'kept', trials: 1 }, { scenario: 'kept' });
  const of = { framework: 'one', store: 'sqlite', struck: 'server', left: 'none' };
  const plan = [of, { ...of, edits: 1000 }].map((each, index) => ({
    ...{ cell: `cell-${index}`, of: each, trial: 1, seed: 1, directory: `trials/cell-${index}-1` },
  }));
  const shown = await formatDocumentPlan(experiment, plan);
  expect(shown).toMatch(/left +edits\n/);
  expect(shown).toMatch(/none +–\n/);
  expect(shown).toMatch(/none +1000\n/);
});
