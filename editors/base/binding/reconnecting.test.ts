import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ConnectionWatch, createLastingSocket, RECONNECT_LIMIT_MS, watchConnection } from './reconnecting.ts';

/** RFC 6455: the line broke; a message was too large. */
const BROKEN = 1006;
const TOO_LARGE = 1009;

let told: string[];
let watch: ConnectionWatch;
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  watch = watchConnection({
    framework: 'some',
    onReconnected: () => told.push('reconnected'),
    onLost: (reason) => told.push(reason),
    giveUp: () => told.push('gives up'),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('joining is no reconnection', async () => {
  watch.inSync();
  await watch.joined;
  watch.inSync();
  expect(told).toEqual([]);
});

test('each break that ends in time is one reconnection, however many attempts it took', () => {
  watch.inSync();
  for (let round = 0; round < 3; round++) {
    watch.broke(BROKEN);
    vi.advanceTimersByTime(RECONNECT_LIMIT_MS - 1);
    watch.broke(BROKEN);
    watch.inSync();
  }
  vi.advanceTimersByTime(2 * RECONNECT_LIMIT_MS);
  expect(told).toEqual(['reconnected', 'reconnected', 'reconnected']);
});

test('who is not back in time is lost, once; failed attempts buy no time', () => {
  watch.inSync();
  watch.broke(BROKEN);
  vi.advanceTimersByTime(RECONNECT_LIMIT_MS - 1);
  watch.broke(BROKEN);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  watch.broke(BROKEN);
  watch.inSync();
  vi.advanceTimersByTime(2 * RECONNECT_LIMIT_MS);
  expect(told).toEqual([
    'gives up',
    'the some server closed the connection (code 1006), and the user was not back within 10 s',
  ]);
});

test('a break is told once, however many attempts fail; without a limit it lasts as long as it takes', () => {
  const lasting = watchConnection({
    framework: 'some',
    onBroken: () => told.push('broken'),
    onReconnected: () => told.push('reconnected'),
    onLost: (reason) => told.push(reason),
    giveUp: () => told.push('gives up'),
    reconnectLimitMs: null,
  });
  lasting.inSync();
  lasting.broke(BROKEN);
  vi.advanceTimersByTime(1000 * RECONNECT_LIMIT_MS);
  lasting.broke(BROKEN);
  lasting.inSync();
  expect(told).toEqual(['broken', 'reconnected']);
  lasting.broke(BROKEN);
  lasting.refused('not any more');
  expect(told.slice(2)).toEqual(['broken', 'gives up', 'not any more']);
});

test('a message too large is no reason to come back', () => {
  watch.inSync();
  watch.broke(TOO_LARGE);
  expect(told).toEqual(['gives up', expect.stringContaining('a message was larger than it takes')]);
});

test('a connection that ends, or a server that refuses, before the user is in fails the joining', async () => {
  watch.broke(BROKEN);
  await expect(watch.joined).rejects.toThrow('the some server closed the connection (code 1006)');
  expect(told).toEqual(['gives up']);
});

test('a server that refuses later loses the user at once', () => {
  watch.inSync();
  watch.refused('not any more');
  expect(told).toEqual(['gives up', 'not any more']);
});

test('who leaves is not lost', () => {
  watch.inSync();
  watch.broke(BROKEN);
  watch.stop();
  watch.broke(BROKEN);
  vi.advanceTimersByTime(2 * RECONNECT_LIMIT_MS);
  expect(told).toEqual([]);
});

/** To a server that lets everybody connect. */
class OpeningSocket {
  onopen = () => {};
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    setTimeout(() => this.onopen());
  }
  close() {
    setTimeout(() => this.onclose?.({ code: 1005 }));
  }
}

test('a server that lets everybody in and serves nobody is asked after growing pauses, and its reason is told', async () => {
  vi.stubGlobal('WebSocket', OpeningSocket);
  let attempts = 0;
  let isServed = true;
  const lasting = createLastingSocket({
    framework: 'some',
    url: 'ws://some',
    onOpen() {
      attempts++;
      if (isServed) lasting.inSync();
      else lasting.failed('its database is away');
    },
    onMessage() {},
    onClose() {},
    onReconnected: () => told.push('reconnected'),
    onLost: (reason) => told.push(reason),
  });
  const fail = async (forMs: number) => {
    isServed = false;
    attempts = 0;
    lasting.failed('its database is away');
    await vi.advanceTimersByTimeAsync(forMs);
  };
  const joined = lasting.open();
  await vi.advanceTimersByTimeAsync(1);
  await joined;
  await fail(1000);
  isServed = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(told.splice(0)).toEqual(['reconnected']);
  await fail(2 * RECONNECT_LIMIT_MS);
  // After 0.1, 0.2, 0.4, 0.8, 1.6 s, then each 2.5 s.
  expect(attempts).toBe(7);
  expect(told).toEqual([expect.stringMatching(/\(code 1005\), and .* within 10 s: its database is away$/)]);
});
