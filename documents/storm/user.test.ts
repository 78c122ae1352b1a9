import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import type { FrameworkClient } from '../../editors/base/framework.ts';
import { keyIndex, StormUser } from './user.ts';

const key = (user: number) => String.fromCharCode(0xe000 + keyIndex(user, 'back'));

test('a user whom the server lets in before it gives the document has it later, and is not done before', async () => {
  const client = { join: async () => ({}) } as unknown as FrameworkClient;
  const place = { url: 'ws://127.0.0.1:1', documentId: 'storm' };
  const user = new StormUser({ number: 0, users: 2, unsent: 0, client, place });
  let isDone = false;
  void user.done.then(() => {
    isDone = true;
  });
  await user.join('written'.length + 1);
  user.typeBack();
  user.editor.updateContents(new Delta().insert(key(1)), 'api');
  await Promise.resolve();
  const { seenMs, wholeMs } = user.marks;
  expect([...seenMs].filter((atMs) => !Number.isNaN(atMs))).toHaveLength(2);
  expect([wholeMs, isDone]).toEqual([Number.NaN, false]);
  user.editor.updateContents(new Delta().insert('written'), 'api');
  await user.done;
  expect(user.marks.wholeMs).toBeGreaterThan(0);
});
