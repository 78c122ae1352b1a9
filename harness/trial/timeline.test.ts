import { expect, test } from 'vitest';
import { timelineFrom } from './timeline.ts';

const durations = { warmUpMs: 5_000, measureMs: 60_000, profileMs: 10_000, settleMs: 1 };

test('profilers begin when sigils of the measured window have had 3 s to arrive', () => {
  expect(timelineFrom(1_000, durations)).toEqual({
    warmUpMs: 1_000,
    measureMs: 6_000,
    profileMs: 66_000,
    profilersMs: 69_000,
    endMs: 76_000,
  });
});

test('of a short phase they have half; of none, nothing', () => {
  expect(timelineFrom(0, { ...durations, profileMs: 2_000 })).toMatchObject({ profilersMs: 66_000, endMs: 67_000 });
  expect(timelineFrom(0, { ...durations, profileMs: 0 })).toMatchObject({ profilersMs: 65_000, endMs: 65_000 });
});
