import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { sizesMarkdown } from './sizes.ts';
import { rowsOf } from './test-data/markdown-tables.ts';

const folder = folderOfEachTest();

test('evidence and tests are counted apart; runs, packages and build products are not counted', async () => {
  const lines = (count: number) => 'line\n'.repeat(count);
  await folder.put('tools/bench/main.ts', lines(300));
  await folder.put('tools/nemesis/round.ts', lines(200));
  await folder.put('tools/nemesis/round.test.ts', lines(1000));
  await folder.put('capabilities/programs/undo.mjs', lines(400));
  await folder.put('analysis/views/01.sql', lines(500));
  await folder.put('analysis/test-data/run.ts', lines(600));
  for (const path of ['results/run/time/a.ts', 'results/measured/a.ts', 'documents/engines/native/target/a.rs'])
    await folder.put(path, lines(5000));
  const rows = rowsOf(await sizesMarkdown(folder.path));
  const sizesOf = (name: string) => rows.find((row) => row[0] === name)?.slice(1);
  expect(sizesOf('`tools/`')).toEqual(['0.3', '0.2', '1.0']);
  expect(sizesOf('`capabilities/`')).toEqual(['–', '0.4', '–']);
  expect(sizesOf('`analysis/`')).toEqual(['0.5', '–', '0.6']);
  expect(sizesOf('`results/`')).toEqual(['–', '–', '–']);
  expect(sizesOf('all')).toEqual(['0.8', '0.6', '1.6']);
});
