import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchLoopDelay } from './this-process.ts';

test('a loop that is held up shows by how much, and only in its own stretch', async () => {
  const take = watchLoopDelay();
  await sleep(250);
  take();
  const heldUpTo = performance.now() + 500;
  while (performance.now() < heldUpTo);
  await sleep(250);
  const held = take();
  expect(held.at(-1)![1]).toBeGreaterThan(250);
  // Work that would have come due meanwhile waited too, the later the less: 410 ms, 320, 230, and so on.
  expect(held.reduce((sum, [count, ms]) => sum + (ms > 50 ? count : 0), 0)).toBeGreaterThanOrEqual(4);
  await sleep(250);
  expect(take().length).toBeGreaterThan(0);
});
