/** Connections of the frameworks that reconnect by themselves: broken, refused, overloaded. */
import Delta from 'quill-delta';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { joinThroughRelay } from '../editors/base/binding/relayed.ts';
import type { FrameworkClient } from '../editors/base/framework.ts';
import { createDocument } from '../editors/yjs-relay/document.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { whyNotExplored } from '../frameworks/explore/explorable.ts';
import { withNeedsMet } from '../frameworks/needs.ts';
import { type JoinOptions, pause, type ServedUsers, serveUsers, until } from '../tests/served-users.ts';
import { LARGEST_MESSAGE_BYTES } from './listen.ts';
import { createRelay } from './relay.ts';

const IN_BATCHES: JoinOptions = { receiveMs: 10, sendMs: 30 };

/**
 * Each server with the client that speaks to it, and of those behind the relay one: they share relay and client, and worlds show of each that
 * its document bears breaks.
 */
const FRAMEWORKS = ['yjs', 'yjs-hocuspocus', 'sharedb', 'yjs-relay', 'loro-websocket', 'yjs-pycrdt'];
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

const frameworks = tried.map(({ name, about }) => [name, whyNotExplored(about) === null] as const);

describe.concurrent.each(frameworks)('%s', (framework, isExplored) => {
  /** Worlds try much more of frameworks that can be explored (frameworks/explore/frameworks.it.test.ts). */
  const testByHand = test.skipIf(isExplored);
  let served: ServedUsers;
  let join: ServedUsers['join'];
  let agree: ServedUsers['agree'];
  /** Of a user whose line can be cut. */
  let overLine: JoinOptions;
  const losses = () => served.users.flatMap(({ lost }) => lost);
  beforeEach(async () => {
    served = await serveUsers(framework);
    ({ join, agree } = served);
    overLine = { port: served.line.port };
  });
  afterEach(() => served.close());

  test('typing on both sides of a broken line arrives once it is whole again', IN_TURN, async () => {
    const near = await join();
    const far = await join({ ...overLine, ...IN_BATCHES });
    near.editor.insertText(0, 'common ', 'user');
    await until(agree);
    for (const key of 'before ') far.editor.insertText(0, key, 'user');
    served.line.cut();
    for (const key of 'meanwhile ') {
      far.editor.insertText(0, key, 'user');
      near.editor.insertText(near.editor.getLength() - 1, key, 'user');
      await pause(3);
    }
    far.editor.formatText(0, 4, { bold: true }, 'user');
    served.line.mend();
    await until(() => far.reconnections === 1);
    far.editor.insertText(0, '!', 'user');
    await until(agree);
    expect([...near.editor.getText()].sort().join('')).toBe(
      [...'common before meanwhile meanwhile !\n'].sort().join(''),
    );
    expect(losses()).toEqual([]);
    expect(near.reconnections).toBe(0);
  });

  test('a receive batch changes the editor once, however many messages are in it', IN_TURN, async () => {
    const reader = await join({ ...overLine, receiveMs: 1000 });
    const witness = await join();
    const writer = await join();
    // However long the writer takes, the reader gets it all at once.
    const release = served.line.holdAnswers();
    const keys = 'ten letters';
    for (const [index, key] of [...keys].entries()) {
      writer.editor.insertText(index, key, 'user');
      writer.editor.formatText(index, 1, { bold: index % 2 === 0 }, 'user');
      await pause(5);
    }
    await until(() => agree([witness, writer]));
    release();
    await until(agree);
    expect(reader.editor.getText()).toBe(`${keys}\n`);
    expect(reader.remoteChanges).toBe(1);
  });

  // The client of loro-websocket sends it in pieces.
  test.runIf(framework !== 'loro-websocket')(
    'a message larger than the server takes ends that user alone, with the reason',
    IN_TURN,
    async () => {
      const sender = await join();
      const other = await join();
      sender.editor.insertText(0, 'x'.repeat(LARGEST_MESSAGE_BYTES + 1), 'user');
      await until(() => sender.lost.length > 0);
      expect(sender.lost).toEqual([
        `the ${framework} server closed the connection (code 1009): a message was larger than it takes; send smaller ones, with a shorter batching.send`,
      ]);
      other.editor.insertText(0, 'still here', 'user');
      const late = await join();
      await until(() => late.editor.getText() === 'still here\n');
      expect(other.lost).toEqual([]);
    },
  );

  testByHand(
    'a server that starts anew gets the document back from its users, and nobody misses anything',
    IN_TURN,
    async () => {
      const near = await join();
      const far = await join(overLine);
      for (const key of 'before ') near.editor.insertText(near.editor.getLength() - 1, key, 'user');
      await until(agree);
      far.editor.insertText(0, 'far ', 'user');
      await until(agree);
      await served.restart(() => near.editor.insertText(near.editor.getLength() - 1, 'meanwhile ', 'user'));
      await until(() => near.reconnections === 1 && far.reconnections === 1 && agree());
      // A line that breaks later is as one that breaks without that.
      served.line.cut();
      for (const key of 'after') near.editor.insertText(near.editor.getLength() - 1, key, 'user');
      await pause(20);
      served.line.mend();
      await until(() => far.reconnections === 2 && agree());
      expect(near.editor.getText()).toBe('far before meanwhile after\n');
      expect(losses()).toEqual([]);
    },
  );

  test('where nothing listens, joining says so', IN_TURN, async () => {
    await served.server.stop();
    await expect(join()).rejects.toThrow(
      `no WebSocket connection to the ${framework} server at ws://127.0.0.1:${served.server.port}`,
    );
  });

  testByHand(
    'two users who come to a new document at once get one, and who comes after all left finds it',
    IN_TURN,
    async () => {
      const [first, second] = await Promise.all([join(), join(IN_BATCHES)]);
      expect([first, second].map(({ editor }) => editor.getText())).toEqual(['\n', '\n']);
      first.editor.insertText(0, 'first', 'user');
      await until(agree);
      second.editor.insertText(0, 'second ', 'user');
      await Promise.all([served.leave(first), served.leave(second)]);
      const later = await join();
      await until(() => later.editor.getText() === 'second first\n');
    },
  );
});

test('a framework that cannot bring a whole document brings back what its users typed', async () => {
  const join: FrameworkClient['join'] = (options) => {
    const { wholeAsMessage: _, ...document } = createDocument();
    return joinThroughRelay('from-before', document, options);
  };
  const served = await serveUsers({ client: { join, load: () => new Delta() }, server: createRelay() });
  const [near, far] = [await served.join(), await served.join()];
  near.editor.insertText(0, 'near ', 'user');
  await until(served.agree);
  await served.restart(() => far.editor.insertText(0, 'far ', 'user'));
  await until(() => near.reconnections === 1 && far.reconnections === 1 && served.agree());
  const late = await served.join();
  await until(() => served.agree() && late.editor.getText() === 'far near \n');
  await served.close();
});

test('watchers of the one writer of loopback get nothing twice from a relay that starts again', async () => {
  const served = await serveUsers('loopback');
  const [writer, watcher] = [await served.join(), await served.join()];
  writer.editor.insertText(0, 'before ', 'user');
  await until(served.agree);
  await served.restart(() => writer.editor.insertText(0, 'after ', 'user'));
  await until(() => writer.reconnections === 1 && watcher.reconnections === 1 && served.agree());
  expect(watcher.editor.getText()).toBe('after before \n');
  await served.close();
});
