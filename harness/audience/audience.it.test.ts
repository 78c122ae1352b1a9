/** Readers at the real servers of the frameworks that have them, beside one user who types. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { findFramework } from '../../frameworks/discover.ts';
import { loadClient, loadServer } from '../../frameworks/framework.ts';
import { nowMs } from '../../infra/clock.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import { readingOf } from '../attached/protocols.ts';
import {
  CERTIFICATE,
  startAnswering,
  startTls,
  startWebSockets,
  startYWebsocket,
} from '../attached/test-data/foreign-servers.ts';
import type { Assignment, ForeignServer } from '../trial/protocol.ts';
import { ASSIGNMENT } from '../trial/test-data/assignment.ts';
import { createNodeDriver } from '../users/node/drivers.ts';
import { Audience } from './audience.ts';

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const COUNT = 3;
const NOTHING_HAPPENS = {
  ...{ onSigil() {}, onSigilChanged() {}, onLongTask() {}, onLost() {}, onBroken() {}, onReconnected() {} },
  ...{ onCursorMoved() {}, onKeys() {}, onPageError() {} },
};

function assignmentAt(port: number, framework: string): Assignment {
  const serverUrl = `ws://127.0.0.1:${port}`;
  const presence = { name: 'User 0', colour: 'blue' };
  return { ...ASSIGNMENT, framework, serverUrl, presence, writes: false, edits: [] };
}

async function openAudience(port: number, name: string, foreign: ForeignServer | null = null) {
  const framework = await findFramework(name);
  const sent: unknown[] = [];
  const failures: string[] = [];
  const lines: { type: string }[] = [];
  const ended = new AbortController();
  const control = {
    send(message: { type: string; message?: string }) {
      sent.push(message.type);
      if (message.message !== undefined) failures.push(message.message);
    },
    record: (...added: { type: string }[]) => void lines.push(...added),
    ...{ flush() {}, close() {}, ended: ended.signal, orders: (async function* () {})() },
    measureClock: async () => ({ offsetMs: 0, errorMs: 1 }),
  };
  const audience = new Audience({
    control,
    reading: readingOf(framework.about)!,
    frameworkVersion: '1',
    foreign,
  });
  stops.push(() => audience.end());
  const readers = { count: COUNT, joinPeriodMs: 0 };
  await audience.follow({ type: 'assignment', assignment: { ...assignmentAt(port, name), user: 1, readers } });
  const received = async () => {
    await audience.follow({ type: 'collect', withContents: false });
    return lines.findLast(({ type }) => type === 'readers') as RecordOf<'readers'>;
  };
  const go = async () => {
    await audience.follow({ type: 'go', startMs: nowMs(), endMs: nowMs(), memoryAtMs: nowMs() });
    // Typing begins some time after the order, so that all have read what came before.
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  return { audience, sent, failures, lines, received, go };
}

test.each(['yjs', 'yjs-hocuspocus', 'sharedb'])('readers of %s get the document, edits and cursors', async (name) => {
  const framework = await findFramework(name);
  const { port, stop } = await (await loadServer(framework)).start({ host: '127.0.0.1', port: 0 });
  stops.push(stop);
  const writer = createNodeDriver(await loadClient(framework));
  await writer.join(assignmentAt(port, name), NOTHING_HAPPENS);
  stops.push(() => writer.leave());
  await writer.perform({ kind: 'paste', move: 0, text: 'a text that was there before '.repeat(40) });
  await new Promise((resolve) => setTimeout(resolve, 100));

  const { sent, lines, received, go } = await openAudience(port, name);
  expect(sent).toEqual(['ready']);
  expect(lines.map(({ type }) => type)).toEqual(['process', 'clock']);
  // A start of a thousand characters, however packed, is more than the words of a protocol.
  await expect.poll(async () => (await received()).leastBytes).toBeGreaterThan(150);
  // Servers gather, so it is not known in how many messages.
  const rests = async () => {
    const first = await received();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return (await received()).receivedMessages === first.receivedMessages;
  };
  await expect.poll(rests).toBe(true);
  await go();
  expect(await received()).toMatchObject({ readers: COUNT, receivedBytes: 0, leastBytes: 0 });
  for (const text of 'edit') await writer.perform({ kind: 'key', move: 0, text });
  await expect.poll(async () => (await received()).leastBytes).toBeGreaterThan(4);
  await expect.poll(rests).toBe(true);
  const typed = await received();
  expect(typed.leastBytes * COUNT).toBeGreaterThan(0.9 * typed.receivedBytes);
  // A cursor that only looks elsewhere makes messages of its own.
  await writer.perform({ kind: 'look', distance: -20, length: 5 });
  await expect.poll(async () => (await received()).receivedMessages).toBeGreaterThan(typed.receivedMessages);
  expect(sent).not.toContain('failed');
});

test('readers go straight to a server that somebody else runs, by TLS', async () => {
  const server = await startYWebsocket();
  stops.push(() => void server.stop());
  const tls = await startTls(server.port);
  stops.push(() => void tls.stop());
  const writer = createNodeDriver(await loadClient(await findFramework('yjs')));
  await writer.join(assignmentAt(server.port, 'yjs'), NOTHING_HAPPENS);
  stops.push(() => writer.leave());
  const way = { headers: { Cookie: 'a=b' }, ca: readFileSync(CERTIFICATE, 'utf8'), token: null };
  const url = `wss://localhost:${tls.port}/document`;
  const { sent, received, go } = await openAudience(server.port, 'yjs', { url, ...way });
  await go();
  // More than fits into one record of TLS, twice: readers rest between two looks, and miss nothing.
  for (const text of ['x', 'y']) {
    const before = (await received()).leastBytes;
    await writer.perform({ kind: 'paste', move: 0, text: text.repeat(100_000) });
    await expect.poll(async () => (await received()).leastBytes, { timeout: 5000 }).toBeGreaterThan(before + 100_000);
  }
  expect(sent).not.toContain('failed');
});

test('a part of the document that was still on its way when typing began is not of what was typed', async () => {
  let readers = 0;
  const server = await startWebSockets((socket) => {
    const isSlow = readers++ === 0;
    socket.on('message', () => setTimeout(() => socket.send(Buffer.alloc(1000)), isSlow ? 30 : 0));
  });
  stops.push(() => void server.stop());
  const { received, go } = await openAudience(server.port, 'yjs');
  await new Promise((resolve) => setTimeout(resolve, 100));
  await go();
  // Long enough for a look at what came.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await received()).toMatchObject({ receivedBytes: 0, leastBytes: 0 });
});

test('readers hear how such a server turns them away', async () => {
  const server = await startAnswering((_request, response) => response.writeHead(429).end());
  stops.push(() => void server.stop());
  const url = `ws://127.0.0.1:${server.port}/document`;
  const { failures } = await openAudience(server.port, 'yjs', { url, headers: {}, ca: null, token: null });
  expect(failures[0]).toContain('the server answered with HTTP 429 (rate limit)');
});
