import { expect, test } from 'vitest';
import { benchSession } from './session.bench.ts';

test('the bench measures', async () => {
  const rows = Object.values(await benchSession(1));
  expect(rows).toHaveLength(3);
  for (const { aloneNs, batchedNs } of rows) {
    expect(aloneNs).toBeGreaterThan(0);
    expect(batchedNs).toBeGreaterThan(0);
  }
});
