/** The relay by itself, spoken to frame by frame. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FRAME_KINDS, frameOf } from '../editors/base/binding/relay-protocol.ts';
import { type Compact, createRelay, type RelayOptions } from './relay.ts';
import type { RunningServer } from './server.ts';

let server: RunningServer;
let sockets: WebSocket[];
const compact: Compact = (saved, log) => Buffer.from(`<${[...(saved === null ? [] : [saved]), ...log].join(' ')}>`);
const start = (options: RelayOptions) => createRelay(options).start({ host: '127.0.0.1', port: 0 });
beforeEach(async () => {
  sockets = [];
  server = await start({ compact });
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await server.stop();
});

/** Connects, and collects what comes: messages as text, the relay's word as `caught up N`, of the log `log()`. */
async function connect(
  query: string,
): Promise<{ socket: WebSocket; heard: string[]; until(count: number): Promise<void>; log(): string }> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/document?${query}`);
  sockets.push(socket);
  const heard: string[] = [];
  let log = '';
  socket.on('message', (data, isBinary) => {
    if (isBinary) return heard.push(saidBy(data as Buffer));
    const caughtUp = JSON.parse(String(data));
    log = caughtUp.log;
    heard.push(`caught up ${caughtUp.taken}`);
  });
  const until = async (count: number) => {
    for (let attempt = 0; attempt < 200 && heard.length < count; attempt++) await pause(5);
    expect(heard.length).toBeGreaterThanOrEqual(count);
  };
  await until(1);
  return { socket, heard, until, log: () => log };
}

/** As text; of a frame that says what it is, that first. */
function saidBy(frame: Buffer): string {
  const kind = Object.entries(FRAME_KINDS).find(([, byte]) => byte === frame[0])?.[0];
  return kind === undefined ? String(frame) : `${kind} ${frame.subarray(1)}`;
}

/** Not what a test listens to. */
const { setTimeout: realTimeout } = globalThis;
const pause = (ms: number) => new Promise((resolve) => realTimeout(resolve, ms));

test('a newcomer gets one saved state, made of the last one and what came since', async () => {
  const writer = await connect('client=writer');
  writer.socket.send('a');
  writer.socket.send('b');
  await pause(30);
  expect((await connect('client=second')).heard).toEqual(['<a b>', 'caught up 0']);
  writer.socket.send('c');
  await pause(30);
  expect((await connect('client=third')).heard).toEqual(['<<a b> c>', 'caught up 0']);
});

test.each([
  [3, ['<<> a b c>', 'd', 'caught up 0']],
  [Number.POSITIVE_INFINITY, ['<>', 'a', 'b', 'c', 'd', 'caught up 0']],
])(
  'a relay that saves a state after every %d messages hands out the last one and the rest',
  async (compactEvery, all) => {
    await server.stop();
    server = await start({ compact, compactEvery });
    const writer = await connect('client=writer');
    expect(writer.heard[0]).toBe('<>');
    for (const text of ['a', 'b', 'c', 'd']) writer.socket.send(text);
    await pause(30);
    const newcomer = await connect('client=newcomer');
    await newcomer.until(all.length);
    expect(newcomer.heard).toEqual(all);
  },
);

test('a document that nobody is connected to is dropped after a while, unless somebody came back', async () => {
  await server.stop();
  const keptMs = 123_456;
  /** Calls that the relay puts off by that time, one for each time that all had left. */
  const later: (() => void)[] = [];
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((call: () => void, ms: number) => {
    const timer = realTimeout(call, ms);
    if (ms === keptMs) later.push(call);
    return timer;
  }) as typeof setTimeout);
  onTestFinished(() => void timers.mockRestore());
  server = await start({ compact: (_, log) => Buffer.concat(log), keptMs });
  const all = [await connect('client=first')];
  const leave = async () => {
    const before = later.length;
    for (const { socket } of all.splice(0)) socket.close();
    while (later.length === before) await pause(5);
  };
  all[0]!.socket.send('a');
  await leave();
  all.push(await connect('client=second'));
  expect(all[0]!.heard).toEqual(['a', 'caught up 0']);
  later[0]!();
  all.push(await connect('client=third'));
  expect(all[1]!.heard).toEqual(['a', 'caught up 0']);
  await leave();
  later[1]!();
  expect((await connect('client=last')).heard).toEqual(['caught up 0']);
});

test('who comes back gets what the others sent meanwhile, and hears how much of its own arrived', async () => {
  const early = await connect('client=early');
  early.socket.send('before');
  await pause(30);
  const away = await connect('client=away');
  expect(away.heard).toEqual(['<before>', 'caught up 0']);
  away.socket.send('own 1');
  early.socket.send('seen');
  await away.until(3);
  away.socket.terminate();
  for (const text of ['missed 1', 'missed 2']) early.socket.send(text);
  await pause(30);
  const back = await connect(`client=away&log=${away.log()}&received=1`);
  await back.until(3);
  expect(back.heard).toEqual(['missed 1', 'missed 2', 'caught up 1']);
  early.socket.send('after');
  await back.until(4);
  expect(back.heard.at(-1)).toBe('after');
});

test('counts hold for the log that they were counted in alone', async () => {
  const log = (await connect('client=same')).log();
  expect((await connect(`client=same&log=${log}&received=0`)).log()).toBe(log);
  const other = await connect('client=other');
  for (const text of ['a', 'b']) other.socket.send(text);
  await pause(30);
  expect((await connect(`client=same&log=${log}&received=1`)).heard).toEqual(['b', 'caught up 0']);
  // Of a client from before a restart, whose answer was lost the first time.
  for (let attempt = 0; attempt < 2; attempt++) {
    expect((await connect('client=from-before&log=another&received=1')).heard).toEqual(['a', 'b', 'caught up 0']);
  }
});

test('a connection that has not ended here yet is replaced by the one that its client opens', async () => {
  const first = await connect('client=same');
  const other = await connect('client=other');
  const second = await connect(`client=same&log=${first.log()}&received=0`);
  second.socket.send('once');
  await other.until(2);
  await pause(30);
  expect(other.heard).toEqual(['caught up 0', 'once']);
  expect(first.socket.readyState).toBe(WebSocket.CLOSED);
});

test('cursors are passed on and not logged: a newcomer gets the last of each who is there', async () => {
  const text = (content: string) => Buffer.from(content);
  const ada = await connect('client=ada&presence');
  const ben = await connect('client=ben&presence');
  const blind = await connect('client=blind');
  ada.socket.send(frameOf('message', text('a')));
  for (const place of ['1', '2', '3']) ada.socket.send(frameOf('presence', text(`ada at ${place}`)));
  ben.socket.send(frameOf('presence', text('ben at 7')));
  blind.socket.send('b');
  await ben.until(6);
  expect(ben.heard).toEqual(
    expect.arrayContaining(['message a', 'presence ada at 1', 'presence ada at 2', 'presence ada at 3', 'message b']),
  );
  expect(ben.heard).toHaveLength(6);
  await ada.until(3);
  expect(ada.heard.toSorted()).toEqual(['caught up 0', 'message b', 'presence ben at 7']);
  expect(blind.heard).toEqual(['caught up 0', 'a']);
  ben.socket.close();
  await once(ben.socket, 'close');
  await pause(30);
  const late = await connect('client=late&presence');
  await late.until(3);
  await pause(30);
  expect(late.heard).toEqual([expect.stringMatching(/^message <(a b|b a)>$/), 'caught up 0', 'presence ada at 3']);
  expect((await connect('client=blind-too')).heard).toEqual([expect.stringMatching(/^<(a b|b a)>$/), 'caught up 0']);
});

test('a request that is for no document, or no WebSocket, is answered, and ends nobody', async () => {
  const stays = await connect('client=stays');
  const nameless = new WebSocket(`ws://127.0.0.1:${server.port}//`);
  const [refusal] = await once(nameless, 'error');
  expect(refusal.message).toContain('400');
  expect(await fetch(`http://127.0.0.1:${server.port}/document`)).toMatchObject({ status: 426 });
  const other = await connect('client=other');
  other.socket.send('still here');
  await stays.until(2);
});
