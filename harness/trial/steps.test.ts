import { describe, expect, test } from 'vitest';
import { boundBy, timelineFrom } from './steps.ts';

const forever = () => new Promise<never>(() => {});

describe('a bounded step', () => {
  test('that ends in time gives what it brings, or its own error', async () => {
    const within = boundBy(new AbortController().signal);
    expect(await within(1000, 'it', async () => 5)).toBe(5);
    const failing = within(1000, 'it', () => Promise.reject(new Error('its own')));
    await expect(failing).rejects.toThrow('its own');
  });

  test('that does not, is a failure of the trial, though the step itself heeds no signal', async () => {
    const within = boundBy(new AbortController().signal);
    await expect(within(10, 'the start of the server', forever)).rejects.toMatchObject({
      code: 'too-slow',
      message: 'the start of the server did not happen within 1 s',
    });
  });

  test('ends with the trial, and does not begin after it', async () => {
    const trial = new AbortController();
    const within = boundBy(trial.signal);
    const step = within(60_000, 'it', forever);
    trial.abort(new Error('Ctrl-C'));
    await expect(step).rejects.toThrow('Ctrl-C');
    let begun = false;
    const next = within(60_000, 'it', async () => {
      begun = true;
    });
    await expect(next).rejects.toThrow('Ctrl-C');
    expect(begun).toBe(false);
  });
});

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
