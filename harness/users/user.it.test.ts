/** Single orders to a user, with a control connection and a driver that only note what they are told. */
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { nowMs } from '../../infra/clock.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { AGREED } from '../../tests/runs.ts';
import type { Assignment, ForeignServer, MessageToCoordinator, ScheduledFault } from '../trial/protocol.ts';
import { ASSIGNMENT } from '../trial/test-data/assignment.ts';
import type { EditorDriver, EditorDriverEvents } from './editor-driver.ts';
import { User, type UserControl } from './user.ts';

const assignment: Assignment = {
  ...{ ...ASSIGNMENT, user: 1, users: 2, mode: 'noquill' },
  typing: { ...ASSIGNMENT.typing, rhythm: 'regular', keysPerSecond: 50 },
};

/** A fault that strikes the server. */
const RESTART: ScheduledFault = { atMs: 30_000, forMs: 5000, line: null };

/** A user whose driver has no more than it must, unless it is given more. */
function seat(powers: Partial<EditorDriver> = {}, foreign: ForeignServer | null = null) {
  const sent: MessageToCoordinator[] = [];
  const lines: RecordLine[] = [];
  const joined: { assignment: Assignment; events: EditorDriverEvents }[] = [];
  const typed: string[] = [];
  const ended = new AbortController();
  const control: UserControl = {
    send: (message) => sent.push(message),
    record: (...added) => lines.push(...added),
    flush() {},
    measureClock: async () => ({ offsetMs: 0, errorMs: 1 }),
    orders: (async function* () {})(),
    ended: ended.signal,
    close: () => ended.abort(new Error('closed')),
  };
  const driver: EditorDriver = {
    async join(given, events) {
      joined.push({ assignment: given, events });
    },
    async perform(action) {
      if ('text' in action) typed.push(action.text);
    },
    measureClock: async () => ({ offsetMs: 0, errorMs: 1 }),
    state: async () => AGREED,
    async leave() {},
    ...powers,
  };
  const versions = { framework: '1', chrome: null };
  const user = new User({ control, driver, versions, foreign, onGo: () => {} });
  return { user, sent, lines, joined, typed, ended };
}

/** A user that has joined, by an assignment with these changes. */
async function joinedUser(
  changes: Partial<Assignment> = {},
  powers: Partial<EditorDriver> = {},
  foreign: ForeignServer | null = null,
) {
  const seated = seat(powers, foreign);
  await seated.user.follow({ type: 'assignment', assignment: { ...assignment, ...changes } });
  const [first] = seated.joined;
  return {
    ...seated,
    events: first!.events,
    serverUrl: first!.assignment.serverUrl,
    types: () => seated.lines.map(({ type }) => type),
  };
}

/** A server that sends back what it gets. */
async function echoServer() {
  const server = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, serverUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/token` };
}

function connectTo(serverUrl: string) {
  return createConnection(Number(new URL(serverUrl).port), '127.0.0.1');
}

const FAR = { ...assignment.link, oneWayDelayMs: 5 };
const goNow = () => ({ type: 'go', startMs: nowMs(), endMs: nowMs() + 200, memoryAtMs: nowMs() }) as const;

test('an assignment leads to the document, a first line, and a clock that is measured', async () => {
  const { sent, joined, types } = await joinedUser();
  expect(joined[0]!.assignment).toEqual({ ...assignment, begins: false });
  expect(types()).toEqual(['process', 'clock']);
  expect(sent).toEqual([{ type: 'ready' }]);
});

test('a link that delays lies between the driver and the server, until the user’s end', async () => {
  const { user, serverUrl } = await joinedUser({ link: FAR });
  expect(serverUrl).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/token$/);
  expect(serverUrl).not.toBe(assignment.serverUrl);
  await user.end();
});

test('how late its delay line was stands in the record in the end, and nothing where there is none', async () => {
  const { server, serverUrl } = await echoServer();
  const { user, lines, ...far } = await joinedUser({ serverUrl, link: FAR });
  const socket = connectTo(far.serverUrl);
  socket.write('x');
  await once(socket, 'data');
  await user.follow({ type: 'collect', withContents: false });
  const [line] = lines.filter(({ type }) => type === 'delay-line') as RecordOf<'delay-line'>[];
  expect(line!.delays.reduce((sum, [count]) => sum + count, 0)).toBe(2);
  // Half a tick sooner at most.
  expect(line!.delays[0]![1]).toBeGreaterThanOrEqual(-0.5);
  socket.destroy();
  await user.end();
  server.close();

  const near = await joinedUser();
  await near.user.follow({ type: 'collect', withContents: false });
  expect(near.types()).not.toContain('delay-line');
});

test('a marker is typed by whom it is asked of, and told once the screen shows it', async () => {
  const { user, sent, events, typed, types } = await joinedUser();
  const shown = user.follow({ type: 'marker', marker: '00@a0', typeIt: true, startText: '' });
  events.onSigil('00@a0', nowMs());
  await shown;
  expect(typed.join('')).toBe('00@a0');
  expect(sent.at(-1)).toEqual({ type: 'marker-shown' });
  // It proves readiness; it is no measurement.
  expect(types()).not.toContain('sigil-shown');
});

test('what the document begins with goes in before the marker, in pieces that cut no character', async () => {
  const { user, sent, events, typed } = await joinedUser();
  const startText = `${'x'.repeat(9999)}🎉${'y'.repeat(12_000)}`;
  const shown = user.follow({ type: 'marker', marker: '00@a0', typeIt: true, startText });
  events.onSigil('00@a0', nowMs());
  await shown;
  expect(typed.map(({ length }) => length)).toEqual([9999, 10_000, 2002, 1, 1, 1, 1, 1]);
  expect(typed.every((text) => text.isWellFormed())).toBe(true);
  expect(typed.join('')).toBe(`${startText}00@a0`);
  expect(sent.at(-1)).toEqual({ type: 'marker-shown' });
});

test('what a user sees while typing, or meets, is in its record', async () => {
  const { user, sent, lines, events } = await joinedUser({ writes: false });
  await user.follow(goNow());
  events.onSigil('00@a0', 5);
  events.onLongTask(6, 70);
  events.onBroken(6.5);
  events.onReconnected(7);
  events.onCursorMoved(7.5, -3);
  events.onKeys({ atMs: 8, keys: 3, slowMs: [24], slowInteractionMs: [32] });
  expect(lines.slice(-7)).toEqual([
    { type: 'sigil-shown', sigil: '00@a0', shownMs: 5 },
    { type: 'long-task', atMs: 6, durationMs: 70 },
    { type: 'connection', atMs: 6.5, state: 'lost' },
    { type: 'reconnected', atMs: 7 },
    { type: 'connection', atMs: 7, state: 'back' },
    { type: 'cursor', atMs: 7.5, movedBy: -3 },
    { type: 'key-latency', atMs: 8, keys: 3, slowMs: [24], slowInteractionMs: [32] },
  ]);
  events.onLost('its page crashed');
  expect(sent.at(-1)).toEqual({ type: 'failed', message: 'its page crashed' });
  await user.end();
});

test('whose client gives up among injected faults stays, and types on', async () => {
  const { user, sent, lines, events, typed } = await joinedUser({ faults: [RESTART] });
  await user.follow(goNow());
  events.onLost('the server has forgotten the document', 'framework');
  expect(lines.at(-1)).toEqual({
    type: 'connection',
    atMs: expect.any(Number),
    state: 'gone',
    why: 'the server has forgotten the document',
  });
  expect(sent.map(({ type }) => type)).not.toContain('failed');
  await user.end();
  expect(typed).toHaveLength(10);
  // A page that is gone is another matter.
  events.onLost('its page crashed');
  expect(sent.at(-1)).toEqual({ type: 'failed', message: 'its page crashed' });
});

test('what its library cannot hand out once its client gave up is not known, and what it can is handed in', async () => {
  const savedStateBase64 = () => Promise.reject(new Error('there is no document'));
  const { user, sent, lines, events } = await joinedUser({ faults: [RESTART] }, { savedStateBase64 });
  await user.follow(goNow());
  const collect = { type: 'collect', withContents: true } as const;
  await expect(user.follow(collect)).rejects.toThrow('there is no document');
  events.onLost('the server has forgotten the document', 'framework');
  await user.follow(collect);
  expect(lines.at(-1)).toMatchObject({ type: 'settled', modelDigest: 'model', savedStateBytes: null });
  expect(sent.at(-1)).toMatchObject({ type: 'outcome', savedState: null });
  await user.end();
});

test('a server that somebody else runs, and that is gone or turns the user away, is no failure of the framework', async () => {
  const foreign = { url: 'ws://127.0.0.1:9/path', headers: {}, ca: null, token: 's3cret' };
  const away = await joinedUser({}, {}, foreign);
  expect(away.joined[0]!.assignment).toMatchObject({ token: 's3cret', serverUrl: expect.not.stringContaining('path') });
  const socket = connectTo(away.serverUrl).on('error', () => {});
  socket.write('GET /token HTTP/1.1\r\n\r\n');
  await once(socket, 'close');
  // Its client still tries.
  expect(away.sent.at(-1)).toMatchObject({ type: 'ready' });
  away.events.onLost('not back within 10 s', 'framework');
  const gone = { type: 'failed', by: 'foreign', message: expect.stringContaining('ECONNREFUSED') };
  expect(away.sent.at(-1)).toMatchObject(gone);
  await away.user.end();

  const refused = await joinedUser({}, {}, foreign);
  refused.events.onLost('it takes no edit', 'framework', 'read-only');
  const message = 'the server turned it away: it takes no edit (read-only)';
  expect(refused.sent.at(-1)).toMatchObject({ by: 'read-only', message: expect.stringContaining(message) });
  await refused.user.end();
});

test('whose client gives up before anyone types cannot take part', async () => {
  const { sent, events } = await joinedUser({ faults: [RESTART] });
  events.onLost('the server refuses', 'framework');
  expect(sent.at(-1)).toEqual({ type: 'failed', message: 'the server refuses', by: 'framework' });
});

test('faults befall its line in their time, and the page is told where its machine is off the network', async () => {
  const { server, serverUrl } = await echoServer();
  const said: boolean[] = [];
  const faults: ScheduledFault[] = [{ atMs: 50, forMs: 100, line: { kind: 'offline' } }];
  const sayOnline = async (isOnline: boolean) => void said.push(isOnline);
  const { user, ...joined } = await joinedUser({ serverUrl, faults }, { sayOnline });
  const connect = () => connectTo(joined.serverUrl);
  const socket = connect();
  await once(socket, 'connect');
  const go = goNow();
  const fromMs = go.startMs + 50;
  await user.follow(go);
  await new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
  expect(nowMs()).toBeGreaterThanOrEqual(fromMs);
  await expect.poll(() => said).toEqual([false, true]);
  expect(nowMs()).toBeGreaterThanOrEqual(fromMs + 100);
  const again = connect();
  again.write('x');
  await once(again, 'data');
  again.destroy();
  await user.end();
  server.close();
});

test('typing goes on beside other orders, and is over at the end', async () => {
  const { user, sent, lines, typed } = await joinedUser();
  await user.follow(goNow());
  await user.follow({ type: 'ask-document-state' });
  expect(sent.at(-1)).toMatchObject({ type: 'document-state', typing: true });
  await user.end();
  expect(typed).toEqual(Array(10).fill('x'));
  const offered = lines.flatMap((line) => (line.type === 'typing' ? [line.offered] : []));
  expect(offered.reduce((sum, each) => sum + each)).toBe(10);
});

test('what a driver cannot do is handed in as not known', async () => {
  const { user, sent, lines, types } = await joinedUser();
  await user.follow({ type: 'profile', durationMs: 10 });
  await user.follow({ type: 'collect', withContents: true });
  const unknown = { insertedCharacters: null, savedStateBytes: null, quillStateBytes: null };
  expect(lines.at(-1)).toMatchObject({ type: 'settled', modelDigest: 'model', ...unknown });
  for (const unknown of ['account', 'copies']) expect(types()).not.toContain(unknown);
  expect(sent).toContainEqual({ type: 'cpu-profile', profile: null });
  expect(sent.at(-1)).toEqual({ type: 'outcome', contents: null, editorContents: null, savedState: null });
});

const account = {
  insertedHash: 9,
  deletedOfOthersCharacters: 1,
  takenCharacters: 2,
  restoredCharacters: 3,
  formats: 4,
  undoneFormats: 5,
  undoneFormatsByChance: 0,
  restoredByChanceCharacters: 0,
  mostVanishedCharacters: 0,
  claimedCharacters: 6,
  claimedHash: 7,
  documentHash: 8,
};

test('what it can do is handed in, the documents only where they are wanted', async () => {
  const powers: Partial<EditorDriver> = {
    ownEdits: async () => ({ insertedCharacters: 3, deletedCharacters: 1, ...account }),
    copies: async ({ withNewcomer }) => ({ savedDigest: 'model', lateDigest: String(withNewcomer), lateProblem: null }),
    contents: async () => ({ model: '[1]', editor: '[2]' }),
    savedStateBase64: async () => btoa('state'),
    profile: async () => '{}',
  };
  const { user, sent, lines } = await joinedUser({}, powers);
  await user.follow({ type: 'profile', durationMs: 10 });
  await user.follow({ type: 'collect', withContents: false });
  expect(lines.at(-1)).toMatchObject({ insertedCharacters: 3, savedStateBytes: 5, quillStateBytes: 3 });
  const atMs = expect.any(Number);
  expect(lines.slice(-3, -1)).toEqual([
    { type: 'account', atMs, typedHash: 0, ...account },
    { type: 'copies', atMs, savedDigest: 'model', lateDigest: 'false', lateProblem: null },
  ]);
  expect(sent).toContainEqual({ type: 'cpu-profile', profile: '{}' });
  expect(sent.at(-1)).toEqual({ type: 'outcome', contents: null, editorContents: '[2]', savedState: null });
});

test('an order that comes before the assignment is refused', async () => {
  await expect(seat().user.follow(goNow())).rejects.toThrow('an order came before the assignment');
});
