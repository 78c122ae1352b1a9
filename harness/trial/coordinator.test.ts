import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { connectToCoordinator } from './control-connection.ts';
import { type Coordinator, startCoordinator } from './coordinator.ts';
import { Mailbox } from './member.ts';

const folder = folderOfEachTest();
let coordinator: Coordinator;
const seen: { records: RecordLine[]; failed: string[]; disconnected: number } = {
  records: [],
  failed: [],
  disconnected: 0,
};
beforeEach(async () => {
  Object.assign(seen, { records: [], failed: [], disconnected: 0 });
  await writeFile(folder.in('index.html'), '<p>the page</p>');
  coordinator = await startCoordinator({
    host: '127.0.0.1',
    pageFolder: folder.path,
    events: {
      onRecords: (_member, lines) => seen.records.push(...lines),
      onFailed: (_member, message) => seen.failed.push(message),
      onDisconnected: () => seen.disconnected++,
    },
  });
});
afterEach(async () => {
  await coordinator.close();
});

const never = new AbortController().signal;
const connectionEnd = (socket: WebSocket) =>
  new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', (code) => resolve(`closed ${code}`));
  });

describe('coordinator', () => {
  test('serves the page to who knows the token, isolated so that its clock is fine-grained', async () => {
    const response = await fetch(coordinator.pageUrl('127.0.0.1'));
    expect(await response.text()).toBe('<p>the page</p>');
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(response.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  });

  test('cuts off who does not speak the protocol', async () => {
    const socket = new WebSocket(coordinator.controlUrl('127.0.0.1'));
    socket.on('open', () => socket.send('{"type":"records","lines":[{"type":"sigil-shown","sigil":1}]}'));
    expect(await connectionEnd(socket)).toBe('closed 1008');
    expect(seen.records).toEqual([]);
  });

  test('has users by their numbers, tells the time, and hands on records and failures', async () => {
    const url = coordinator.controlUrl('127.0.0.1');
    const first = await connectToCoordinator({ url, user: 1 });
    await coordinator.untilConnected({ users: 1, server: false }, never);
    const second = await connectToCoordinator({ url, user: 0 });
    await coordinator.untilConnected({ users: 2, server: false }, never);
    expect(coordinator.users.map(({ user }) => user)).toEqual([0, 1]);
    expect(coordinator.server).toBeNull();

    // One machine, one clock: the offset must be within its own bound of nothing.
    const { offsetMs, errorMs } = await first.measureClock();
    expect(Math.abs(offsetMs)).toBeLessThanOrEqual(errorMs + 0.5);

    second.record({ type: 'sigil-shown', sigil: '000a@', shownMs: 5 });
    second.send({ type: 'failed', message: 'the page crashed' });
    second.close();
    while (seen.disconnected === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual({
      records: [{ type: 'sigil-shown', sigil: '000a@', shownMs: 5 }],
      failed: ['the page crashed'],
      disconnected: 1,
    });
    first.close();
  });

  test('who is no longer waited for may come all the same', async () => {
    const user = await connectToCoordinator({ url: coordinator.controlUrl('127.0.0.1'), user: 0 });
    const patience = new AbortController();
    const both = coordinator.untilConnected({ users: 1, server: true }, patience.signal);
    patience.abort(new Error('no server'));
    await expect(both).rejects.toThrow('no server');
    await expect(coordinator.untilConnected({ users: 0, server: false }, patience.signal)).rejects.toThrow('no server');
    const server = await connectToCoordinator({ url: coordinator.controlUrl('127.0.0.1'), user: null });
    await coordinator.untilConnected({ users: 1, server: true }, never);
    server.close();
    user.close();
  });

  test('an answer that came before it was asked for is not lost, and one that came too late is not taken for another', async () => {
    const user = await connectToCoordinator({ url: coordinator.controlUrl('127.0.0.1'), user: 0 });
    user.send({ type: 'cpu-profile', profile: 'early' });
    await coordinator.untilConnected({ users: 1, server: false }, never);
    const member = coordinator.users[0]!;
    expect((await member.expect('cpu-profile', never)).profile).toBe('early');
    await expect(member.expect('cpu-profile', AbortSignal.timeout(5))).rejects.toThrow(/timeout/i);
    const next = member.expect('cpu-profile', never);
    user.send({ type: 'cpu-profile', profile: 'next' });
    expect((await next).profile).toBe('next');
    expect([member.hasSaid('cpu-profile'), member.hasSaid('ready')]).toEqual([true, false]);
    user.close();
  });
});

type Message = { type: 'a'; value: number } | { type: 'b' };
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
