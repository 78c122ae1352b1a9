import { expect, test } from 'vitest';
import { Changes } from './changes.ts';

const never = new AbortController().signal;

test('who waits is told once the condition holds, at once where it does already', async () => {
  const changes = new Changes();
  await changes.until(() => true, never);
  let count = 0;
  const waiting = changes.until(() => count >= 2, never);
  let met = false;
  void waiting.then(() => {
    met = true;
  });
  count = 1;
  changes.happened();
  await Promise.resolve();
  expect(met).toBe(false);
  count = 2;
  changes.happened();
  await waiting;
});

test('who stops waiting is told why, and looks no more', async () => {
  const changes = new Changes();
  const patience = new AbortController();
  let looks = 0;
  const waiting = changes.until(() => looks++ < 0, patience.signal);
  patience.abort(new Error('long enough'));
  await expect(waiting).rejects.toThrow('long enough');
  await expect(changes.until(() => true, patience.signal)).rejects.toThrow('long enough');
  changes.happened();
  expect(looks).toBe(1);
});
