import { expect, test } from 'vitest';
import { readPublishedStudy } from './read-study.ts';

test('the published study is of the schema, and its rows fit their columns', async () => {
  const { tables, missing } = await readPublishedStudy();
  for (const { columns, rows } of tables) {
    for (const { figures } of rows) expect(figures).toHaveLength(columns.length);
  }
  const maxUsers = tables.find(({ name }) => name === 'Table 3')!;
  expect(maxUsers.rows.map(({ here, figures }) => [here, ...figures])).toEqual([
    ['collabs', 112, 80],
    ['collabs-novc', 112, 112],
    ['yjs', 96, 48],
    ['sharedb-stock', 112, 112],
    ['automerge', 16, null],
    ['gdocs', 16, null],
  ]);
  expect(missing.length).toBeGreaterThan(0);
});
