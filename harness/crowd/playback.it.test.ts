import { expect, test, vi } from 'vitest';
import { NO_LINK } from '../../infra/network/link.ts';
import { webSocketOf } from '../../infra/virtual/client-socket.ts';
import { createVirtualClock } from '../../infra/virtual/clock.ts';
import { VirtualNetwork } from '../../infra/virtual/network.ts';
import { ASSIGNMENT } from '../trial/test-data/assignment.ts';
import { createPlayback, trackOf } from './playback.ts';
import { plannedTyping } from './played-user.ts';

const frames = (...dueMs: number[]) => ({ opening: [], frames: dueMs.map((each) => ({ dueMs: each, frame: 'x' })) });

test('a link moves due times, and keeps the order', () => {
  const delayed = trackOf(frames(0, 100, 100, 250), { ...NO_LINK, oneWayDelayMs: 30 }, 1);
  expect([...delayed.dueMs]).toEqual([30, 130, 130, 280]);
  const jittered = trackOf(frames(0, 1, 2, 3, 4), { ...NO_LINK, oneWayDelayMs: 50, jitterMs: 40 }, 1).dueMs;
  expect([...jittered].sort((a, b) => a - b)).toEqual([...jittered]);
  // A frame of one character has 7 bytes.
  const narrow = trackOf(frames(0, 0), { ...NO_LINK, bandwidthBytesPerSecond: 7000 }, 1);
  expect([...narrow.dueMs]).toEqual([1, 2]);
});

test('jitter delays each frame as it did in the recording, where connection and opening came before', async () => {
  const link = { oneWayDelayMs: 50, jitterMs: 40, bandwidthBytesPerSecond: null };
  const opening = ['hello', 'all of it?'];
  // So far apart that none waits for the one before.
  const typed = frames(0, 1000, 2000, 3000);
  const clock = createVirtualClock();
  const network = new VirtualNetwork(clock, () => ({ link, seed: 7 }));
  const arrivedMs: number[] = [];
  network.listen().on('connection', (socket) => socket.on('message', () => arrivedMs.push(clock.nowMs())));
  const socket = new (webSocketOf(() => network))('ws://crowd');
  socket.onopen = () => {
    for (const frame of opening) socket.send(frame);
  };
  const startMs = 1000;
  for (const { dueMs, frame } of typed.frames) clock.at(startMs + dueMs, () => socket.send(frame));
  await clock.run(startMs + 5000);

  const { dueMs } = trackOf({ ...typed, opening }, link, 7);
  const inRecording = arrivedMs.slice(opening.length).map((ms) => ms - startMs);
  expect(inRecording).toHaveLength(dueMs.length);
  // All arrivals there are as much later: the shortest way of all.
  const laterMs = inRecording.map((ms, index) => ms - dueMs[index]!);
  for (const ms of laterMs) expect(ms).toBeCloseTo(laterMs[0]!, 6);
});

test('each frame leaves when it is due, none before, and the last one is told', async () => {
  vi.useFakeTimers();
  const playback = createPlayback();
  const startMs = performance.timeOrigin + performance.now() + 50;
  const sent: [string, number][] = [];
  const play = (name: string, ...dueMs: number[]) =>
    playback.play(trackOf(frames(...dueMs), NO_LINK, 1), startMs, (_frame, index, lateMs) => {
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(lateMs).toBeLessThan(3);
      sent.push([name, index]);
    });
  const over = Promise.all([play('a', 0, 40, 90), play('b', 20, 41), play('none')]);
  await vi.advanceTimersByTimeAsync(200);
  await over;
  expect(sent).toEqual([
    ['a', 0],
    ['b', 0],
    ['a', 1],
    ['b', 1],
    ['a', 2],
  ]);
  vi.useRealTimers();
});

test('a recorded user typed all that its schedule says', () => {
  const { typing } = ASSIGNMENT;
  const lines = plannedTyping({ user: 3, users: 8, seed: 1, typing, writes: true }, 1000, 10_000);
  expect(lines.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 10 }, (_, second) => 1500 + 1000 * second));
  expect(lines.map(({ offered, performed }) => [offered, performed])).toEqual(lines.map(() => [6, 6]));
  expect(plannedTyping({ user: 3, users: 8, seed: 1, typing, writes: false }, 1000, 10_000)).toEqual([]);
});
