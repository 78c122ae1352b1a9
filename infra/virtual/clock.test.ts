import { expect, test } from 'vitest';
import { createVirtualClock } from './clock.ts';

test('time goes on although work begins itself again without a pause', async () => {
  const clock = createVirtualClock({ mostAtOnce: 1000 });
  let isOver = false;
  let times = 0;
  const poll = () => {
    times++;
    if (!isOver) clock.after(0, poll);
  };
  clock.at(20, () => {
    isOver = true;
  });
  poll();
  await clock.run(100);
  expect(isOver).toBe(true);
  // As many at once as anything may do, then one each millisecond.
  expect(times).toBeGreaterThan(1000);
  expect(times).toBeLessThan(1030);
});
