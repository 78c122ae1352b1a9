import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { severalAtOnce } from './several-at-once.ts';

test('results come in the order of the items, whatever ends first; no more are under way than may be', async () => {
  let underWay = 0;
  let most = 0;
  const results = await severalAtOnce([5, 1, 3, 0], 2, async (waitMs) => {
    most = Math.max(most, ++underWay);
    await setTimeout(waitMs);
    underWay--;
    return 10 * waitMs;
  });
  expect(results).toEqual([50, 10, 30, 0]);
  expect(most).toBe(2);
});

test('after an error none is begun, and what is under way ends first', async () => {
  const [begun, ended] = [[] as number[], [] as number[]];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error('no luck');
    await setTimeout(5);
    ended.push(item);
  };
  await expect(severalAtOnce([0, 1, 2, 3], 2, work)).rejects.toThrow('no luck');
  expect({ begun, ended }).toEqual({ begun: [0, 1], ended: [0] });
});
