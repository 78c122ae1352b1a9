import { expect, test } from 'vitest';
import { clearUpAfter } from './user-error.ts';

test('the first error is thrown, once all is cleared up; a second one is said', async () => {
  const first = new Error('interrupted');
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  let cleared = false;
  const clearUp = async () => {
    await Promise.resolve();
    cleared = true;
  };
  await expect(clearUpAfter(first, { clearUp, say })).rejects.toBe(first);
  expect(cleared).toBe(true);
  expect(said).toEqual([]);
  const failing = () => Promise.reject(new Error('two tasks still run'));
  await expect(clearUpAfter(first, { clearUp: failing, say })).rejects.toBe(first);
  expect(said).toEqual(['And in the end: two tasks still run']);
});
