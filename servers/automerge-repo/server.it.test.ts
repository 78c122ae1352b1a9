/** Connections that end, and last words: what worlds do not see (`frameworks/explore/`). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RECONNECT_LIMIT_MS } from '../../editors/base/binding/reconnecting.ts';
import { type ServedUsers, serveUsers, type User, until } from '../../tests/served-users.ts';

const BATCHED = { receiveMs: 10 };

let served: ServedUsers;
beforeEach(async () => {
  served = await serveUsers('automerge-repo');
});
afterEach(async () => {
  vi.useRealTimers();
  await served.close();
});

const type = ({ editor }: User, text: string) => editor.insertText(0, text, 'user');

test('a connection is lost, once, where the server does not come back', async () => {
  const joined = await served.join(BATCHED);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  await served.server.stop();
  await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS - 1000);
  expect(joined.lost).toEqual([]);
  await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS);
  expect(joined.lost).toEqual([
    expect.stringMatching(/^the automerge-repo server closed the connection .* within 10 s$/),
  ]);
  expect(joined.reconnections).toBe(0);
});

test('a server that does not listen is named', async () => {
  await served.server.stop();
  await expect(served.join()).rejects.toThrow(/no WebSocket connection to the automerge-repo server at ws:/);
});

test('what was typed before the server told what it has arrives too, though the first message after it does not hold it', async () => {
  const reader = await served.join(BATCHED);
  const author = await served.join({ begins: true, port: served.line.port });
  const release = served.line.holdAnswers();
  type(author, 'last words');
  setTimeout(release, 200);
  await served.leave(author);
  await until(() => reader.editor.getText(), 'last words\n');
});
