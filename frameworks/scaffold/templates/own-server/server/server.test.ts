/** Both halves of my-framework together, without a browser. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Batching, canonicalDelta, type Replica } from '../../../../../editors/base/kit.ts';
import { NoQuill } from '../../../../../editors/base/noquill/noquill.ts';
import type { RunningServer } from '../../../../../servers/kit.ts';
import { client } from '../editor/client.ts';
import { server } from './server.ts';

const HOST = '127.0.0.1';
const AT_ONCE: Batching = { receiveMs: 0, sendMs: 0 };
const IN_BATCHES: Batching = { receiveMs: 10, sendMs: 30 };

interface User {
  editor: NoQuill;
  replica: Replica;
}

let running: RunningServer;
let users: User[];
beforeEach(async () => {
  running = await server.start({ host: HOST, port: 0 });
  users = [];
});
afterEach(async () => {
  await Promise.all(users.map(({ replica }) => replica.leave()));
  await running.stop();
});

async function join(batching: Batching): Promise<User> {
  const editor = new NoQuill();
  const replica = await client.join({
    url: `ws://${HOST}:${running.port}`,
    documentId: 'document',
    editor,
    batching,
    onLost: (reason) => expect.unreachable(reason),
    onReconnected: () => expect.unreachable('nothing broke'),
  });
  users.push({ editor, replica });
  return { editor, replica };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const json = (delta: Parameters<typeof canonicalDelta>[0]) => JSON.stringify(canonicalDelta(delta).ops);

/** Whether every editor shows what every document holds. */
function agree(): boolean {
  const all = users.flatMap(({ editor, replica }) => [json(editor.getContents()), json(replica.contents())]);
  return new Set(all).size === 1;
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 400 && !condition(); attempt++) await pause(10);
  expect(condition()).toBe(true);
}

test('who types, deletes and formats at once ends with the same document, and so does who joins later', async () => {
  const [one, other] = [await join(AT_ONCE), await join(IN_BATCHES)];
  for (let round = 0; round < 30; round++) {
    one.editor.insertText(0, `one${round}\n`, 'user');
    other.editor.insertText(other.editor.getLength() - 1, `other${round} `, 'user');
    if (round % 3 === 0) one.editor.deleteText(0, 2, 'user');
    if (round % 5 === 0) other.editor.formatText(0, 4, { bold: round % 2 === 0 }, 'user');
    one.editor.formatLine(0, 1, { header: 1 }, 'user');
    other.editor.formatLine(0, 1, { list: 'bullet' }, 'user');
    await pause(2);
  }
  await until(() => agree() && one.editor.getText().includes('other29') && one.editor.getText().includes('one29'));
  await join(AT_ONCE);
  expect(agree()).toBe(true);
});

test('a saved state holds what its document holds', async () => {
  const { editor, replica } = await join(AT_ONCE);
  editor.insertText(0, 'saved', { bold: true }, 'user');
  editor.formatLine(0, 1, { header: 2 }, 'user');
  expect(json(await client.load!(replica.save()))).toBe(json(editor.getContents()));
});

test('what a user typed before leaving reaches who comes after', async () => {
  const { editor, replica } = await join(IN_BATCHES);
  for (const key of 'left behind') editor.insertText(editor.getLength() - 1, key, 'user');
  users = [];
  await replica.leave();
  expect((await join(AT_ONCE)).editor.getText()).toBe('left behind\n');
});

// TO WRITE: what is particular to this library, such as what it does with a message that is none.
