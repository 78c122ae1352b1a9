import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Interrupted, interruptOnSignals } from './interrupt.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('the first signal stops in order, and a second one ends at once; one that comes twice is one', () => {
  const onInterrupt = vi.fn();
  const endAtOnce = vi.fn();
  const { signal, release } = interruptOnSignals('what is left', onInterrupt, { endAtOnce });
  process.emit('SIGINT');
  expect(signal.reason).toEqual(new Interrupted('what is left'));
  vi.advanceTimersByTime(100);
  process.emit('SIGTERM');
  expect(endAtOnce).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  process.emit('SIGINT');
  expect(endAtOnce).toHaveBeenCalledOnce();
  expect(onInterrupt).toHaveBeenCalledOnce();
  release();
  expect(process.listeners('SIGHUP')).toEqual([]);
});
