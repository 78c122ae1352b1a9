import { expect, test } from 'vitest';
import { KeySchedule } from './written-document.ts';

test('keys come at their pace, whenever one looks', () => {
  const schedule = new KeySchedule({ keysPerSecond: 10, phase: 0.5, startMs: 1000 });
  expect(schedule.take(1049)).toEqual({ due: 0, keys: 0 });
  expect(schedule.take(1050)).toEqual({ due: 1, keys: 1 });
  expect(schedule.take(1149)).toEqual({ due: 0, keys: 0 });
  expect(schedule.take(1350)).toEqual({ due: 3, keys: 3 });
});

test('what is more than a second late is due, but not typed', () => {
  const schedule = new KeySchedule({ keysPerSecond: 10, phase: 0, startMs: 0 });
  // Due at 0, 100, …, 3000; the last second's are typed.
  expect(schedule.take(3000)).toEqual({ due: 31, keys: 11 });
  expect(schedule.take(3100)).toEqual({ due: 1, keys: 1 });
});
