import { expect, test } from 'vitest';
import { Mailbox } from './member.ts';

type Message = { type: 'a'; value: number } | { type: 'b' };
const never = new AbortController().signal;

test('messages are taken by type, in order, before they are asked for or after', async () => {
  const mailbox = new Mailbox<Message>();
  mailbox.deliver({ type: 'b' });
  mailbox.deliver({ type: 'a', value: 1 });
  const taken = [mailbox.expect('a', never), mailbox.expect('a', never), mailbox.expect('a', never)];
  mailbox.deliver({ type: 'a', value: 2 });
  mailbox.deliver({ type: 'a', value: 3 });
  expect((await Promise.all(taken)).map(({ value }) => value)).toEqual([1, 2, 3]);
  expect(await mailbox.expect('b', never)).toEqual({ type: 'b' });
});

test('who has stopped waiting takes nothing', async () => {
  const mailbox = new Mailbox<Message>();
  await expect(mailbox.expect('a', AbortSignal.timeout(5))).rejects.toThrow(/timeout/i);
  const next = mailbox.expect('a', never);
  mailbox.deliver({ type: 'a', value: 1 });
  expect((await next).value).toBe(1);
});
