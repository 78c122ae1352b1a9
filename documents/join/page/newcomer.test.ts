import { expect, test } from 'vitest';
import { blockedMs } from './newcomer.ts';

test('of a stretch of time, what lies within long tasks is blocked, and no more', () => {
  const tasks = [
    { startTime: 0, duration: 80 },
    { startTime: 100, duration: 60 },
    { startTime: 190, duration: 300 },
  ];
  expect(blockedMs(tasks, { fromMs: 50, toMs: 200 })).toBe(30 + 60 + 10);
  expect(blockedMs(tasks, { fromMs: 80, toMs: 100 })).toBe(0);
  expect(blockedMs(tasks, { fromMs: 100, toMs: Number.POSITIVE_INFINITY })).toBe(360);
  expect(blockedMs([], { fromMs: 0, toMs: 1000 })).toBe(0);
});
