/** Connections of the frameworks that reconnect by themselves: broken, refused, overloaded. */
import * as prng from 'lib0/prng';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalDelta } from '../editors/base/delta.ts';
import type { Batching, FrameworkClient, Replica } from '../editors/base/framework.ts';
import { NoQuill } from '../editors/base/noquill/noquill.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { withNeedsMet } from '../frameworks/needs.ts';
import { type BreakableLine, createBreakableLine } from '../tests/breakable-line.ts';
import { LARGEST_MESSAGE_BYTES } from './listen.ts';
import { loadServer, type RunningServer } from './server.ts';

const HOST = '127.0.0.1';
const AT_ONCE: Batching = { receiveMs: 0, sendMs: 0 };
const IN_BATCHES: Batching = { receiveMs: 10, sendMs: 30 };

interface User {
  editor: NoQuill;
  replica: Replica;
  lost: string[];
  reconnections: number;
  /** How many times others changed this user's editor. */
  remoteChanges: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const FRAMEWORKS = [
  'yjs',
  'yjs-hocuspocus',
  'sharedb',
  'yjs-relay',
  'automerge',
  'collabs',
  'collabs-novc',
  'json-joy',
  'loro',
  'loro-websocket',
  'yjs-pycrdt',
];
/** Why those that need more than npm brings cannot be tried here. */
const leftOut: string[] = [];
const tried = await withNeedsMet(
  (await discoverFrameworks()).filter(({ name }) => FRAMEWORKS.includes(name)),
  { say: (text) => leftOut.push(text) },
);
test.skipIf(leftOut.length > 0)(['all are tried', ...leftOut].join('; '), () => {
  expect(tried.map(({ name }) => name).sort()).toEqual(FRAMEWORKS.toSorted());
});

/** A framework's tests share its server; frameworks run side by side, since they wait more than they work. */
const IN_TURN = { concurrent: false };

describe.concurrent.each(tried.map(({ name }) => name))('%s', (framework) => {
  let server: RunningServer;
  let line: BreakableLine;
  let client: FrameworkClient;
  let users: User[];
  let documents = 0;
  beforeEach(async () => {
    ({ client } = await import(`../editors/${framework}/client.ts`));
    server = await (await loadServer(framework)).start({ host: HOST, port: 0 });
    line = await createBreakableLine({ host: HOST, port: server.port });
    users = [];
    documents++;
  });
  afterEach(async () => {
    await Promise.all(users.map(({ replica }) => replica.leave()));
    await line.stop();
    await server.stop();
  });

  async function join(port: number, batching: Batching): Promise<User> {
    const editor = new NoQuill();
    const user: Omit<User, 'replica'> = { editor, lost: [], reconnections: 0, remoteChanges: 0 };
    const replica = await client.join({
      url: `ws://${HOST}:${port}`,
      documentId: `connections-${framework}-${documents}`,
      editor,
      batching,
      onLost: (reason) => joined.lost.push(reason),
      onReconnected: () => joined.reconnections++,
    });
    const joined: User = Object.assign(user, { replica });
    editor.on('text-change', (_change, _before, source) => {
      if (source !== 'user') joined.remoteChanges++;
    });
    users.push(joined);
    return joined;
  }

  function agree(): boolean {
    const [first, ...others] = users.flatMap(({ editor, replica }) =>
      [replica.contents(), editor.getContents()].map((delta) => JSON.stringify(canonicalDelta(delta).ops)),
    );
    return others.every((other) => other === first);
  }

  async function until(condition: () => boolean): Promise<void> {
    for (let attempt = 0; attempt < 400 && !condition(); attempt++) await pause(20);
    expect(condition()).toBe(true);
  }

  test.each([
    ['at once', AT_ONCE],
    ['in batches', IN_BATCHES],
  ])(
    'what is typed on both sides of a broken line arrives once it is whole again, sending %s',
    IN_TURN,
    async (_, batching) => {
      const near = await join(server.port, batching);
      const far = await join(line.port, batching);
      near.editor.insertText(0, 'common ', 'user');
      await until(agree);
      for (const key of 'before ') far.editor.insertText(0, key, 'user');
      line.cut();
      for (const key of 'meanwhile ') {
        far.editor.insertText(0, key, 'user');
        near.editor.insertText(near.editor.getLength() - 1, key, 'user');
        await pause(3);
      }
      far.editor.formatText(0, 4, { bold: true }, 'user');
      line.mend();
      await until(() => far.reconnections === 1);
      far.editor.insertText(0, '!', 'user');
      await until(agree);
      expect([...near.editor.getText()].sort().join('')).toBe(
        [...'common before meanwhile meanwhile !\n'].sort().join(''),
      );
      expect(users.flatMap(({ lost }) => lost)).toEqual([]);
      expect(near.reconnections).toBe(0);
    },
  );

  test('typing through one break after the other loses nothing, and doubles nothing', IN_TURN, async () => {
    await join(server.port, AT_ONCE);
    await join(line.port, AT_ONCE);
    await join(line.port, IN_BATCHES);
    const generator = prng.create(2023);
    let typed = 0;
    for (let round = 0; round < 60; round++) {
      for (const { editor } of users) {
        editor.insertText(prng.int32(generator, 0, editor.getLength() - 1), prng.letter(generator), 'user');
        typed++;
      }
      // Now and then, in the middle of what is on its way.
      if (round % 20 === 10) line.cut();
      if (round % 20 === 13) line.mend();
      await pause(prng.int32(generator, 0, 4));
    }
    line.mend();
    await until(() => users.every(({ editor }) => editor.getLength() === typed + 1) && agree());
    expect(users.flatMap(({ lost }) => lost)).toEqual([]);
  });

  test(
    'what the server has and could not confirm is not doubled, though its user types on, in batches',
    IN_TURN,
    async () => {
      const near = await join(server.port, AT_ONCE);
      const far = await join(line.port, { receiveMs: 10, sendMs: 200 });
      let typed = 0;
      line.swallowAnswers();
      const type = () => {
        far.editor.insertText(0, `${typed++ % 10}`, 'user');
      };
      type();
      await until(() => near.editor.getLength() > 1);
      line.cut();
      for (let key = 0; key < 20; key++) {
        type();
        await pause(3);
      }
      line.mend();
      while (far.reconnections === 0) {
        type();
        await pause(5);
      }
      await until(() => near.editor.getLength() === typed + 1 && agree());
    },
  );

  test('a receive batch changes the editor once, however many messages are in it', IN_TURN, async () => {
    const reader = await join(server.port, { receiveMs: 2000, sendMs: 0 });
    const writer = await join(server.port, AT_ONCE);
    const keys = 'ten letters';
    for (const [index, key] of [...keys].entries()) {
      writer.editor.insertText(index, key, 'user');
      writer.editor.formatText(index, 1, { bold: index % 2 === 0 }, 'user');
      await pause(5);
    }
    await until(agree);
    expect(reader.editor.getText()).toBe(`${keys}\n`);
    expect(reader.remoteChanges).toBe(1);
  });

  test('who types while a batch is waiting ends with the same document', IN_TURN, async () => {
    const slow = await join(server.port, { receiveMs: 100, sendMs: 50 });
    const quick = await join(server.port, AT_ONCE);
    for (let round = 0; round < 30; round++) {
      slow.editor.insertText(0, 's', 'user');
      quick.editor.insertText(0, 'q', 'user');
      if (round % 5 === 4) quick.editor.deleteText(0, 3, 'user');
      await pause(8);
    }
    await until(agree);
  });

  // Of a text that long, Automerge's WebAssembly and Collabs' call stack give out before there is a message. The client of
  // loro-websocket sends it in pieces.
  const sendsLongMessages = !['automerge', 'collabs', 'collabs-novc', 'loro-websocket'].includes(framework);
  test.runIf(sendsLongMessages)(
    'a message larger than the server takes ends that user alone, with the reason',
    IN_TURN,
    async () => {
      const sender = await join(server.port, AT_ONCE);
      const other = await join(server.port, AT_ONCE);
      sender.editor.insertText(0, 'x'.repeat(LARGEST_MESSAGE_BYTES + 1), 'user');
      await until(() => sender.lost.length > 0);
      expect(sender.lost).toEqual([
        `the ${framework} server closed the connection (code 1009): a message was larger than it takes; send smaller ones, with a shorter batching.send`,
      ]);
      other.editor.insertText(0, 'still here', 'user');
      const late = await join(server.port, AT_ONCE);
      await until(() => late.editor.getText() === 'still here\n');
      expect(other.lost).toEqual([]);
    },
  );

  // ShareDB's server does not know the version that its clients hold.
  const restores = framework !== 'sharedb';
  test.runIf(restores)(
    'a server that starts anew gets the document back from its users, and nobody misses anything',
    IN_TURN,
    async () => {
      const near = await join(server.port, AT_ONCE);
      const far = await join(line.port, AT_ONCE);
      for (const key of 'before ') near.editor.insertText(near.editor.getLength() - 1, key, 'user');
      await until(agree);
      far.editor.insertText(0, 'far ', 'user');
      await until(agree);
      const { port } = server;
      await server.stop();
      near.editor.insertText(near.editor.getLength() - 1, 'meanwhile ', 'user');
      server = await (await loadServer(framework)).start({ host: HOST, port });
      await until(() => near.reconnections === 1 && far.reconnections === 1 && agree());
      // A line that breaks later is as one that breaks without that.
      line.cut();
      for (const key of 'after') near.editor.insertText(near.editor.getLength() - 1, key, 'user');
      await pause(20);
      line.mend();
      await until(() => far.reconnections === 2 && agree());
      expect(near.editor.getText()).toBe('far before meanwhile after\n');
      expect(users.flatMap(({ lost }) => lost)).toEqual([]);
    },
  );

  test('where nothing listens, joining says so', IN_TURN, async () => {
    await server.stop();
    await expect(join(server.port, AT_ONCE)).rejects.toThrow(
      `no WebSocket connection to the ${framework} server at ws://${HOST}:${server.port}`,
    );
  });

  test(
    'two users who come to a new document at once get one, and who comes after all left finds it',
    IN_TURN,
    async () => {
      const [first, second] = await Promise.all([join(server.port, AT_ONCE), join(server.port, IN_BATCHES)]);
      expect([first, second].map(({ editor }) => editor.getText())).toEqual(['\n', '\n']);
      first.editor.insertText(0, 'first', 'user');
      await until(agree);
      second.editor.insertText(0, 'second ', 'user');
      await Promise.all([first.replica.leave(), second.replica.leave()]);
      users = [];
      const later = await join(server.port, AT_ONCE);
      await until(() => later.editor.getText() === 'second first\n');
    },
  );
});
