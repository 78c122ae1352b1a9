import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchLoopDelay } from './loop-delay.ts';

test('a loop that is held up shows by how much, and only in its own stretch', async () => {
  const take = watchLoopDelay();
  await sleep(250);
  take();
  const heldUpTo = performance.now() + 500;
  while (performance.now() < heldUpTo);
  await sleep(250);
  const held = take();
  expect(held.at(-1)![1]).toBeGreaterThan(250);
  expect(held.reduce((sum, [count]) => sum + count, 0)).toBeGreaterThan(1);
  await sleep(250);
  expect(take().length).toBeGreaterThan(0);
});
