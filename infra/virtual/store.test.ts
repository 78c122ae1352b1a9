import { expect, test } from 'vitest';
import { createVirtualClock } from './clock.ts';
import { createVirtualStore } from './store.ts';

test('a store keeps what reached it before its process was killed, and answers no one who is gone', async () => {
  const clock = createVirtualClock();
  const store = createVirtualStore(clock, 10);
  let isThere = true;
  const answers: string[] = [];
  const ask = store.askedBy(() => isThere);
  const write = (text: string) =>
    ask((held) => void held.set(text, true)).then(() => answers.push(`${text} at ${clock.nowMs()}`));
  write('one');
  await clock.run(15);
  write('two');
  await clock.run(27);
  write('three');
  isThere = false;
  await clock.run(100);
  expect(answers).toEqual(['one at 20']);
  const next = store.askedBy(() => true);
  const kept = next((held) => [...held.keys()]);
  const refused = next(() => {
    throw new Error('full');
  });
  refused.catch(() => {});
  await clock.run(200);
  expect(await kept).toEqual(['one', 'two']);
  await expect(refused).rejects.toThrow('full');
});
