import { expect, test } from 'vitest';
import { readPublishedStudy } from './read-study.ts';

test('the published study is of the schema, and its rows fit their columns', async () => {
  const { tables, missing } = await readPublishedStudy();
  for (const { columns, rows } of tables) {
    for (const { figures } of rows) expect(figures).toHaveLength(columns.length);
  }
  const maxUsers = tables.find(({ name }) => name === 'Table 3')!;
  expect(maxUsers.rows.map(({ here, figures }) => [here, figures[0]])).toEqual([
    ['collabs', 112],
    ['yjs', 96],
    ['sharedb', 112],
    ['automerge', 16],
  ]);
  expect(missing.length).toBeGreaterThan(0);
});
