import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchLoopDelay } from './loop-delay.ts';

test('a loop that is held up shows by how much, and only in its own stretch', async () => {
  const take = watchLoopDelay();
  await sleep(100);
  take();
  const heldUpTo = performance.now() + 150;
  while (performance.now() < heldUpTo);
  await sleep(100);
  const held = take();
  expect(held.at(-1)![1]).toBeGreaterThan(120);
  expect(held.reduce((sum, [count]) => sum + count, 0)).toBeGreaterThan(3);
  await sleep(50);
  expect(take().length).toBeGreaterThan(0);
});
