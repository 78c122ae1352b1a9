/** Admission to a trial, the messages that it accepts from each process, and the places where its token may be written. */
import { glob, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { discoverAll, findFramework } from '../../frameworks/discover.ts';
import { loadServer } from '../../frameworks/framework.ts';
import { withNeedsMet } from '../../frameworks/needs.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { connectToCoordinator } from './control-connection.ts';
import { type Coordinator, startCoordinator } from './coordinator.ts';
import type { Member } from './member.ts';
import type { MessageToCoordinator } from './protocol.ts';

/** Those with a server of their own, whose packages are there, and what else they need. */
const known = await discoverAll();
const usable = await withNeedsMet(known, { say: () => {} });
const leftOut = known.filter((each) => each.about.onDemand !== undefined || !usable.includes(each));
const FRAMEWORKS = (await Array.fromAsync(glob('*/server.ts', { cwd: join(PROJECT_ROOT, 'servers') })))
  .map(dirname)
  .filter((name) => !leftOut.some((each) => each.name === name));

const LIMITS = { messageBytes: 2000, recordBytes: 3000 };

/** For a server that somebody else runs. In JSON its quotes are escaped. */
const FOREIGN_SECRET = 's3cret "of" mine';

const folder = folderOfEachTest();
let coordinator: Coordinator;
let records: { user: number | null; line: RecordLine }[];
let failed: string[];
const never = new AbortController().signal;

beforeEach(async () => {
  records = [];
  failed = [];
  await mkdir(folder.in('page'));
  await writeFile(folder.in('page/index.html'), '<p>the page</p>');
  await writeFile(folder.in('beside.txt'), 'a secret');
  coordinator = await startCoordinator({
    host: '127.0.0.1',
    users: 2,
    limits: LIMITS,
    secrets: [FOREIGN_SECRET],
    pageFolder: folder.in('page'),
    events: {
      onRecords: ({ user }: Member, lines) => records.push(...lines.map((line) => ({ user, line }))),
      onFailed: (_member, message) => failed.push(message),
      onDisconnected: () => {},
    },
  });
});
afterEach(async () => {
  await coordinator.close();
});

const line: RecordLine = { type: 'sigil-shown', sigil: '000a@', shownMs: 5 };
const outcome: MessageToCoordinator = { type: 'outcome', contents: null, editorContents: null, savedState: null };

/** Says these things in order, as a process could that does not keep to its part. @returns how it was cut off */
async function say(...messages: object[]): Promise<string> {
  const socket = new WebSocket(coordinator.controlUrl('127.0.0.1'));
  return new Promise((resolve) => {
    socket.on('open', () => {
      for (const message of messages) socket.send(JSON.stringify(message));
    });
    socket.on('close', (code, reason) => resolve(`${code} ${reason}`));
    socket.on('error', (error) => resolve(error.message));
  });
}
const hello = (user: number | null) => ({ type: 'hello', user });

describe('the token', () => {
  test('is needed for every page and socket of the coordinator', async () => {
    const token = new RegExp(coordinator.token);
    for (const guess of ['', 'guess', coordinator.token.slice(1), `${coordinator.token}0`]) {
      const page = coordinator.pageUrl('127.0.0.1').replace(token, guess);
      expect((await fetch(page)).status).toBe(403);
      const socket = new WebSocket(coordinator.controlUrl('127.0.0.1').replace(token, guess));
      expect(await new Promise((resolve) => socket.on('error', ({ message }) => resolve(message)))).toMatch(/403/);
    }
    expect((await fetch(coordinator.pageUrl('127.0.0.1'))).status).toBe(200);
  });

  test('opens no file beside the page', async () => {
    for (const path of ['../beside.txt', '..%2fbeside.txt', '%2e%2e/beside.txt', '/etc/passwd']) {
      const response = await fetch(coordinator.pageUrl('127.0.0.1') + path);
      expect(await response.text()).not.toContain('a secret');
      expect(response.ok).toBe(false);
    }
  });

  test.each(FRAMEWORKS)('is needed for every socket of the server of %s', async (name) => {
    const server = await (await loadServer(await findFramework(name))).start({
      host: '127.0.0.1',
      port: 0,
      token: 'secret',
    });
    const open = (path: string) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`);
        socket.on('open', () => {
          resolve('open');
          socket.close();
        });
        socket.on('error', ({ message }) => resolve(message));
      });
    for (const path of ['/', '/document', '/guess/document', '/secre/document']) {
      expect(await open(path)).toMatch(/403/);
      expect((await fetch(`http://127.0.0.1:${server.port}${path}`)).status).toBe(403);
    }
    expect(await open('/secret/document')).toBe('open');
    await server.stop();
  });

  test('does not get into what is written, whatever a process says', async () => {
    const user = await connectToCoordinator({ url: coordinator.controlUrl('127.0.0.1'), user: 0 });
    const address = coordinator.pageUrl('127.0.0.1');
    user.record({ type: 'fault', atMs: 1, message: `net::ERR_FAILED at ${address}` });
    user.flush();
    user.send({ type: 'failed', message: `cannot open ${address}` });
    user.send({ type: 'failed', message: `the server closed the connection: ${FOREIGN_SECRET} is no token` });
    user.send({ type: 'cpu-profile', profile: JSON.stringify({ url: `${address}assets/index.js` }) });
    await coordinator.untilConnected({ users: 1, server: false }, never);
    const { profile } = await coordinator.users[0]!.expect('cpu-profile', never);
    const written = JSON.stringify([records, failed, profile]);
    expect(written).toContain('(token)/assets/index.js');
    expect(written).not.toContain(coordinator.token);
    expect(failed.at(-1)).toBe('the server closed the connection: (token) is no token');
    user.close();
  });
});

describe('records are taken', () => {
  test('from nobody who has not said who it is', async () => {
    expect(await say({ type: 'records', lines: [line] }, hello(0))).toBe('1008 it must say hello first');
    expect(await say(outcome)).toMatch(/1008/);
    // A refused process is not let in by its next message.
    expect(coordinator.users).toEqual([]);
    expect(records).toEqual([]);
  });

  test('from no user more than there are, nor from a second one with the same number, nor from two servers', async () => {
    const url = coordinator.controlUrl('127.0.0.1');
    const open = [await connectToCoordinator({ url, user: 1 }), await connectToCoordinator({ url, user: null })];
    await coordinator.untilConnected({ users: 1, server: true }, never);
    const refused = '1008 nobody more is expected';
    expect(await say(hello(1), { type: 'records', lines: [line] })).toBe(refused);
    expect(await say(hello(2), { type: 'records', lines: [line] })).toBe(refused);
    expect(await say(hello(null), { type: 'records', lines: [line] })).toBe(refused);
    open.push(await connectToCoordinator({ url, user: 0 }));
    await coordinator.untilConnected({ users: 2, server: true }, never);
    expect(coordinator.users.map(({ user }) => user)).toEqual([0, 1]);
    expect(await say(hello(0), { type: 'records', lines: [line] })).toBe(refused);
    expect(records).toEqual([]);
    for (const connection of open) connection.close();
  });

  test('after the hand-in only that it is lost, with its own reason', async () => {
    await say(hello(0), outcome, { type: 'failed', message: 'the server is gone', by: 'framework' }, outcome);
    expect(failed[0]).toBe('the server is gone');
  });

  test('once: what comes after the hand-in is refused, and told', async () => {
    const said = await say(hello(0), { type: 'records', lines: [line] }, outcome, { type: 'records', lines: [line] });
    expect(said).toBe('1008 it had already handed in everything');
    expect(records).toEqual([{ user: 0, line }]);
    expect(failed).toEqual(['it was cut off: it had already handed in everything']);
    // Its place is taken, so it cannot come back and hand in again.
    expect(await say(hello(0), outcome)).toBe('1008 nobody more is expected');
  });

  test('a well-behaved process sends nothing after its hand-in', async () => {
    const user = await connectToCoordinator({ url: coordinator.controlUrl('127.0.0.1'), user: 0 });
    user.record(line);
    user.flush();
    user.send(outcome);
    user.record(line);
    user.flush();
    await user.measureClock();
    expect(failed).toEqual([]);
    expect(records).toHaveLength(1);
    user.close();
  });

  test('of the sender only: of another user, or of the trial itself, it may not write', async () => {
    const process: RecordLine = {
      type: 'process',
      schemaVersion: 2,
      role: 'user',
      user: 1,
      framework: 'yjs',
      frameworkVersion: '1',
      mode: 'noquill',
      node: 'v24',
      chrome: null,
      atMs: 1,
    };
    expect(await say(hello(0), { type: 'records', lines: [process] })).toMatch(/1008 .*"process"/);
    const phase: RecordLine = { type: 'phase', atMs: 1, phase: 'done' };
    expect(await say(hello(1), { type: 'records', lines: [phase] })).toMatch(/1008 .*"phase"/);
    const proof: RecordLine = { type: 'convergence', atMs: 1, proof: 'reached' };
    expect(await say(hello(null), { type: 'records', lines: [proof] })).toMatch(/1008 .*"convergence"/);
    expect(records).toEqual([]);
  });

  test('under no name that the user chooses', async () => {
    const path = '../../../etc/passwd';
    for (const user of [path, -1, 0.5, 1e9]) expect(await say({ type: 'hello', user })).toMatch(/^1008/);
    expect(
      await say({ ...hello(0), name: path }, { type: 'records', lines: [{ ...line, path }] }, outcome, outcome),
    ).toMatch(/^1008 it had already handed in/);
    expect(records).toEqual([{ user: 0, line }]);
  });

  test('within a limit of size: one message, and all of them', async () => {
    expect(await say(hello(0), { type: 'failed', message: 'x'.repeat(LIMITS.messageBytes) })).toMatch(/^1009/);
    // One line of 600 bytes and its message's frame: four make more than 2,400 bytes and less than 3,000.
    const message = { type: 'records', lines: [{ type: 'fault', atMs: 1, message: 'é'.repeat(300) }] };
    expect(await say(hello(1), message, message, message, message, message)).toBe('1008 its record is too large');
    expect(records).toHaveLength(4);
  });
});
