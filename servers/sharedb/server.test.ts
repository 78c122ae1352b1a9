/** ShareDB's two halves together, as far as they differ from the other frameworks'. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { client } from '../../editors/sharedb/client.ts';
import { type JoinOptions, pause, type ServedUsers, serveUsers, type User, until } from '../../tests/served-users.ts';
import { frameworkServer } from '../listen.ts';

const AT_ONCE = { receiveMs: 0, sendMs: 0 };

let served: ServedUsers;
beforeEach(async () => {
  served = await serveUsers('sharedb');
});
afterEach(async () => {
  expect(served.users.map(({ lost, reconnections }) => [lost, reconnections])).toEqual(served.users.map(() => [[], 0]));
  await served.close();
});

const join = (options: JoinOptions) => served.join(options);

/** How many operations the server had taken, the one that made the document included, when this user's state was saved. */
const version = ({ replica }: User) => JSON.parse(new TextDecoder().decode(replica.save())).v;

test('a send batch is one operation, and the rest goes on leaving', async () => {
  const reader = await join(AT_ONCE);
  const writer = await join({ receiveMs: 0, sendMs: 150 });
  for (const key of 'abcdefgh') {
    writer.editor.insertText(0, key, 'user');
    await pause(5);
  }
  expect(reader.editor.getText()).toBe('\n');
  await until(() => reader.editor.getText() === 'hgfedcba\n');
  expect(version(reader)).toBe(2);
  writer.editor.insertText(0, 'rest ', 'user');
  await served.leave(writer);
  await until(() => reader.editor.getText() === 'rest hgfedcba\n');
  expect(version(reader)).toBe(3);
});

test('keys that wait for the server’s answer are sent together by the library itself', async () => {
  const writer = await join(AT_ONCE);
  for (let key = 0; key < 100; key++) {
    writer.editor.insertText(0, 'x', 'user');
    if (key % 10 === 9) await pause(1);
  }
  const reader = await join(AT_ONCE);
  await until(() => reader.editor.getLength() === 101 && version(reader) === version(writer));
  expect(version(reader)).toBeLessThan(1 + 100);
});

test('a frame that is no message ends its connection, and nothing else', async () => {
  const user = await join(AT_ONCE);
  const stranger = new WebSocket(`ws://127.0.0.1:${served.server.port}/document`);
  await new Promise((resolve) => {
    stranger.onopen = resolve;
  });
  const closed = new Promise((resolve) => {
    stranger.onclose = resolve;
  });
  stranger.send('no JSON');
  await closed;
  user.editor.insertText(0, 'still here', 'user');
  const late = await join(AT_ONCE);
  await until(() => late.editor.getText() === 'still here\n');
});

test('a server that refuses the document fails the joining, with its reason', async () => {
  const server = frameworkServer((connections) => {
    connections.on('connection', (socket) => {
      socket.on('message', (data: Buffer) => {
        const request = JSON.parse(data.toString());
        const isHandshake = request.a === 'hs';
        const welcome = { protocol: 1, protocolMinor: 2, id: 'someone', type: 'http://sharejs.org/types/JSONv0' };
        socket.send(JSON.stringify({ ...request, ...(isHandshake ? welcome : { error: { message: 'not for you' } }) }));
      });
    });
    return null;
  });
  const refusing = await serveUsers({ client, server });
  await expect(refusing.join()).rejects.toThrow('sharedb cannot go on with the document: not for you');
  await refusing.close();
});
