import { expect, test } from 'vitest';
import { freezes } from './at-the-client.ts';
import { measureBroken } from './run-broken.ts';

test('a framework that freezes for 2 s in every 10 is not smooth', async () => {
  const { cell } = await measureBroken(freezes, { measure: '10s' });
  expect(cell).toMatchObject({ smooth: false });
  expect(cell.reasons).toContainEqual(expect.stringMatching(/^not smooth: .*worst user’s throughput \([0-9.]+ %/));
});
