import { describe, expect, test } from 'vitest';
import { boundBy } from './trial-failure.ts';

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
