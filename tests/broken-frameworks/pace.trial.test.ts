import { describe, expect, test } from 'vitest';
import { freezes } from './at-the-client.ts';
import { flushesAtMarkers, PROMPT_MS } from './at-the-server.ts';
import { honest } from './broken-framework.ts';
import { judgeBroken, LATEST, measureBroken } from './run-broken.ts';

test('a framework that is honest is valid, whatever is typed', async () => {
  const { reasons, notes } = await judgeBroken(honest);
  expect(reasons).toEqual([]);
  expect(notes.map(({ code }) => code)).not.toContain('received-at-once');
});

// Both wait: users who freeze do so in threads of their own.
describe.concurrent('a framework', () => {
  test('that freezes for 2 s in every 10 is not smooth', async () => {
    const { cell } = await measureBroken(freezes, { measure: '10s' });
    expect(cell).toMatchObject({ smooth: false });
    expect(cell.reasons).toContainEqual(expect.stringMatching(/^not smooth: .*worst user’s throughput \([0-9.]+ %/));
  });

  test('that shows markers at once, and all else much later, is not smooth', async () => {
    const trial = { measure: '10s', sigilPeriod: '10s', settle: LATEST };
    const { cell, endToEndMs } = await measureBroken(flushesAtMarkers(), trial);
    expect(endToEndMs.length).toBeGreaterThan(0);
    expect(endToEndMs.at(-1)).toBeLessThan(PROMPT_MS);
    expect(cell.reasons).toContainEqual(expect.stringMatching(/^not smooth: text in time \([0-9.]+ %/));
  });
});
