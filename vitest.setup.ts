/**
 * Property tests draw the same cases every time, so that a failure means a change, not luck. `SCRIPTORIUM_SEED=7` draws
 * others; a failure prints its seed.
 */
import fc from 'fast-check';
import { afterAll, vi } from 'vitest';

fc.configureGlobal({ seed: Number(process.env.SCRIPTORIUM_SEED ?? 2023) });

// Tests run beside each other: a speed test would measure that, and take its time.
process.env.SCRIPTORIUM_SPEED_TEST ??= 'off';

// Files of the first suite share a process: a clock or a spy that a failing test leaves must not reach the next file.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
