import { expect, test } from 'vitest';
import { OnDemand } from './on-demand.ts';

const DEFINITIONS = `
  -- Of sums; a comment names nothing.
  CREATE TABLE sums AS SELECT 1 AS one;
  CREATE MACRO twice(x) AS 2 * x;
  CREATE VIEW line.doubles AS SELECT twice(one) AS two FROM sums;
  CREATE VIEW others AS FROM sums;`;

function started() {
  const made: string[] = [];
  const views = new OnDemand(DEFINITIONS, async (sql) => made.push(sql.split(' ')[2]!));
  return { made, views };
}

test('a view is made when it is named, after all that it rests on, and once', async () => {
  const { made, views } = started();
  await views.ready('SELECT 1');
  expect(made).toEqual([]);
  await views.ready('SELECT two FROM line.doubles');
  expect(made).toEqual(['sums', 'twice(x)', 'line.doubles']);
  expect(views.waiting()).toEqual(['others']);
  await views.ready('FROM line.doubles JOIN others');
  expect(views.waiting()).toEqual([]);
  await views.readyAll();
  expect(made).toEqual(['sums', 'twice(x)', 'line.doubles', 'others']);
});

test('where rows are kept, a view that is named is a table, and one that nobody names stays a view', async () => {
  const made: string[] = [];
  const views = new OnDemand(DEFINITIONS, async (sql) => made.push(sql.split(' AS ')[0]!), { keepsRows: true });
  await views.ready('FROM line.doubles');
  await views.readyAll();
  expect(made).toEqual([
    'CREATE TABLE sums',
    'CREATE MACRO twice(x)',
    'CREATE TABLE line.doubles',
    'CREATE VIEW others',
  ]);
});

test('of two who ask at once, each waits for what both name', async () => {
  const { made, views } = started();
  void views.ready('FROM sums');
  await views.ready('FROM others');
  expect(made).toEqual(['sums', 'others']);
});

test('once something cannot be made, neither can what comes after it', async () => {
  const views = new OnDemand(DEFINITIONS, () => Promise.reject(new Error('no memory')));
  await expect(views.ready('FROM sums')).rejects.toThrow('no memory');
  await expect(views.ready('FROM others')).rejects.toThrow('no memory');
});
