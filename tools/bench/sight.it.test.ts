import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { measureSight } from './sight.ts';

const keptIn = folderOfEachTest();

test('one user takes in the others’ edits, who see it or do not: Loro’s cost depends on that', async () => {
  const options = { users: 5, rhythm: 'jittered', measure: '10s', keptIn: keptIn.path };
  const { seen, unseen } = await measureSight('loro', 1, options);
  expect(seen.cpuPercent).toBeGreaterThan(0);
  expect(unseen.perTimeMs / seen.perTimeMs).toBeGreaterThan(1.2);
});
