import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PLAN_FILE } from '../results/formats/run-directory.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { Interrupted, interruptOnSignals } from './interrupt.ts';
import { runInto } from './watched-run.ts';

const folder = folderOfEachTest();

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

test('a run that was interrupted says how it goes on, unless it had not begun', async () => {
  const interrupt = (...files: string[]) =>
    runInto(folder.in('run'), { say() {}, canResume: true }, async (signal) => {
      for (const file of files) await folder.put(`run/${file}`);
      process.emit('SIGINT');
      signal.throwIfAborted();
    });
  await expect(interrupt()).rejects.toThrow('Interrupted before the run began');
  await expect(interrupt(`base/${PLAN_FILE}`)).rejects.toThrow(/The same command with --out .*run --resume goes on/);
});
