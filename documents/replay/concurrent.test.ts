import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Engine } from '../engines/engine.ts';
import { replaySteps } from './concurrent.ts';
import type { Step } from './edit-files.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('authors let go of the thread now and then, while the clock stands', async () => {
  let made = 0;
  let madeThen = 0;
  const edit = () => {
    if (made++ > 0) return;
    setImmediate(() => {
      madeThen = made;
      vi.advanceTimersByTime(50);
    });
  };
  const engine: Engine = {
    about: { package: null, algorithm: 'none', licence: 'none', kind: 'baseline' },
    open: () => ({ edit, text: () => '', takeUpdate: () => new Uint8Array(1) }),
  };
  const step: Step = { agent: 0, receives: [], edits: [[0, 0, 'a']] };
  const trace = { steps: Array.from({ length: 1500 }, () => step), last: [[]], endContent: '' };
  const { applyMs } = await replaySteps(engine, trace, { identities: [0.3], limitMs: 30 });
  expect([made, madeThen, applyMs]).toEqual([1500, 1000, 0]);
});
