import { expect, test } from 'vitest';
import { clearUpAfter, messageOf } from './user-error.ts';

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

test('of a host with several addresses, the message says what became of each', () => {
  const failed = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:9`));
  const message = 'connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9';
  expect(messageOf(new AggregateError(failed))).toBe(message);
});
