import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Check,
  checkClock,
  checkCores,
  checkDisk,
  checkMemory,
  checkNeed,
  checkNode,
  checkOthers,
  checkStartedChrome,
  checkStoreProgram,
  checkTimers,
  doctorExitCode,
  formatChecks,
} from './doctor.ts';
import { measureNoise } from './machine-noise.ts';

const state = ({ state }: Check) => state;

test('what a quiet machine shows is good', () => {
  const noise = { clockDriftMs: -0.6, clockStepMs: 0.00004, busyPercent: 3, stealPercent: 0 };
  const timerLateMs = { median: 0.2, p99: 1.2, max: 2.5 };
  expect(
    [
      checkNode('24.1.0'),
      checkCores(2, 0.4),
      checkMemory(8_000),
      checkClock(noise),
      checkTimers({ timerLateMs }),
      checkOthers(noise),
      checkStartedChrome('Chromium 156 starts', false),
    ].map(state),
  ).toEqual(Array(7).fill('good'));
});

test('what spoils figures is a warning, with advice', () => {
  const warnings = [
    checkCores(1, 0),
    checkCores(2, 1.5),
    checkMemory(1_000),
    checkClock({ clockDriftMs: 40, clockStepMs: 0.00004 }),
    checkClock({ clockDriftMs: 0, clockStepMs: 1 }),
    checkTimers({ timerLateMs: { median: 0.2, p99: 9, max: 30 } }),
    checkOthers({ busyPercent: 60, stealPercent: 0 }),
    checkOthers({ busyPercent: 10, stealPercent: 5 }),
    checkStartedChrome('Chromium 156 starts', true),
  ];
  expect(warnings.map(state)).toEqual(Array(9).fill('warning'));
  expect(warnings.every(({ advice }) => advice)).toBe(true);
  expect(doctorExitCode(warnings)).toBe(0);
});

test('what one framework alone needs is a warning where it is missing', () => {
  const need = { framework: 'yjs-pycrdt', need: 'Python 3.11 or newer', seen: '3.12.1 is here', problem: null };
  expect(checkNeed(need)).toEqual({ name: 'yjs-pycrdt', state: 'good', seen: 'Python 3.11 or newer: 3.12.1 is here' });
  const missing = checkNeed({ ...need, seen: 'not here', problem: 'there is no python3; install it' });
  expect(missing).toMatchObject({
    state: 'warning',
    advice: 'there is no python3; install it; nothing but yjs-pycrdt needs it',
  });
});

test('a database that is not installed is a warning, with the way to have it and the trials that need it', () => {
  const here = { path: '/usr/bin/redis-server', version: '8.0.2' };
  expect(checkStoreProgram('redis', here)).toEqual({
    name: 'redis',
    state: 'good',
    seen: '8.0.2 (/usr/bin/redis-server)',
  });
  expect(checkStoreProgram('postgres', { problem: 'there is no initdb; apt-get install postgresql' })).toEqual({
    name: 'postgres',
    state: 'warning',
    seen: 'not here',
    advice: 'there is no initdb; apt-get install postgresql; only trials with "stores: postgres" need it',
  });
});

test('what nothing runs without is missing, and the exit code says so', () => {
  const checks = [checkNode('22.19.0'), checkMemory(300)];
  expect(checks.map(state)).toEqual(['missing', 'missing']);
  expect(doctorExitCode([...checks, checkNode('24.0.0')])).toBe(3);
});

test('a line for each check, and one for what to do', () => {
  const checks = [checkNode('24.1.0'), checkMemory(1_000), checkMemory(300)];
  expect(formatChecks(checks).split('\n')).toEqual([
    '✓ Node    24.1.0',
    '! Memory  1000 MiB available',
    '          → enough for a few users only; close programs for more',
    '✗ Memory  300 MiB available',
    '          → close programs: 2 users need 512 MiB',
  ]);
});

test('timers do not fire early, and the clock moves in small steps', async () => {
  const { timerLateMs, clockStepMs } = await measureNoise(50);
  // Timers count whole milliseconds from the event loop's own, older, time stamp: that much early they may seem.
  expect(timerLateMs.median).toBeGreaterThan(-1.5);
  expect(timerLateMs.max).toBeGreaterThanOrEqual(timerLateMs.p99);
  expect(clockStepMs).toBeGreaterThan(0);
});

test('the disk is looked at where results will be, though nothing of that path is there yet', async () => {
  expect((await checkDisk(join(import.meta.dirname, 'not/made/yet'))).seen).toMatch(/GiB free where results go/);
});
