import { expect, test } from 'vitest';
import { SIGIL_LENGTH } from '../../editors/base/sigils.ts';
import { makeSchedule, typeOnSchedule } from '../users/typing/schedule.ts';
import type { Action } from '../users/typing/typist.ts';
import {
  FROZEN_KEYS,
  INJECTIONS,
  KEYS_PER_SECOND,
  MEASURE_MS,
  sigilPeriodMs,
  USERS,
  WARM_UP_MS,
} from './injections.ts';

const { defects, rhythm } = INJECTIONS.far;
const KEY: Action = { kind: 'key', move: 0, text: 'x' };

test.each([
  { acknowledgementMs: 5, keysOff: 0, longerMs: 0 },
  { acknowledgementMs: 60, keysOff: -3, longerMs: 0 },
  { acknowledgementMs: 60, keysOff: 3, longerMs: 0 },
  { acknowledgementMs: 5, keysOff: 0, longerMs: 200 },
  { acknowledgementMs: 5, keysOff: 0, longerMs: -400 },
])('the freeze costs the same keys with %o, all of the measured window', async (machine) => {
  const { acknowledgementMs, keysOff, longerMs } = machine;
  const skippedMs: number[] = [];
  let now = 0;
  let changes = SIGIL_LENGTH;
  await typeOnSchedule({
    schedule: makeSchedule({
      ...{ user: 0, users: USERS, seed: 1, rhythm },
      ...{ keysPerSecond: KEYS_PER_SECOND, sigilPeriodMs: sigilPeriodMs(KEYS_PER_SECOND) },
    }),
    typist: {
      nextEdit: () => KEY,
      nextSigil: () => Array.from({ length: SIGIL_LENGTH }, () => KEY),
      changeOf: () => null,
    },
    startMs: 0,
    endMs: WARM_UP_MS + MEASURE_MS,
    async perform() {
      now += acknowledgementMs + (++changes === defects.freezeAt + keysOff ? defects.freezeMs + longerMs : 0);
    },
    timer: {
      nowMs: () => now,
      async until(atMs) {
        now = Math.max(now, atMs);
      },
    },
    signal: new AbortController().signal,
    events: { onTyped() {}, onSkipped: ({ dueMs }) => skippedMs.push(dueMs) },
  });
  expect(skippedMs).toHaveLength(FROZEN_KEYS);
  expect(Math.min(...skippedMs)).toBeGreaterThan(WARM_UP_MS);
});
