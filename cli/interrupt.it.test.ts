import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Interrupted, interruptOnSignals } from './interrupt.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => {
  vi.useRealTimers();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
});

test('the first signal stops in order, and a second one ends at once; one that comes twice is one', () => {
  const onInterrupt = vi.fn();
  const endAtOnce = vi.fn();
  const { signal } = interruptOnSignals('what is left', onInterrupt, { endAtOnce });
  process.emit('SIGINT');
  expect(signal.reason).toEqual(new Interrupted('what is left'));
  vi.advanceTimersByTime(100);
  process.emit('SIGTERM');
  expect(endAtOnce).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  process.emit('SIGINT');
  expect(endAtOnce).toHaveBeenCalledOnce();
  expect(onInterrupt).toHaveBeenCalledOnce();
});

test('once all is done signals are the system’s again, but not after an interruption: its exit code is to stand', () => {
  const endAtOnce = vi.fn();
  interruptOnSignals('what is left', () => {}, { endAtOnce }).release();
  expect(process.listeners('SIGHUP')).toEqual([]);

  const { release } = interruptOnSignals('what is left', () => {}, { endAtOnce });
  process.emit('SIGINT');
  release();
  vi.advanceTimersByTime(1000);
  process.emit('SIGINT');
  expect(endAtOnce).toHaveBeenCalledOnce();
});
