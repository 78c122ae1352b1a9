import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { startHostProbe } from './host-probe.ts';
import { CAN_PROBE_PROCESSES } from './process-tree.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The lines of one sample. */
async function sample(editorsPid: number): Promise<RecordLine[]> {
  const lines: RecordLine[] = [];
  const record = (...added: RecordLine[]) => void lines.push(...added);
  const stop = startHostProbe({ editorsPid, host: 'host-0', users: 3, memoryAtMs: 0, recordOffsetMs: 0, record });
  vi.advanceTimersByTime(2000);
  stop();
  await vi.waitFor(() => expect(lines.at(-1)).toMatchObject({ of: 'chrome' }));
  return lines;
}

test.runIf(CAN_PROBE_PROCESSES)('editors in processes of their own are told from the driver', async () => {
  const editors = spawn('sleep', ['10']);
  try {
    const lines = await sample(editors.pid!);
    expect(lines).toMatchObject([
      { of: 'driver' },
      { type: 'withheld', cores: expect.any(Number) },
      { of: 'chrome', host: 'host-0', users: 3, cpuMs: expect.any(Number) },
    ]);
    expect(lines.every((line) => line.type !== 'resources' || line.memoryBytes! > 0)).toBe(true);
  } finally {
    editors.kill();
  }
});

test.runIf(CAN_PROBE_PROCESSES)('editors in this process are not, so there is no line of the driver', async () => {
  const lines = await sample(process.pid);
  expect(lines).toMatchObject([{ type: 'loop-delay' }, { type: 'withheld' }, { of: 'chrome', users: 3 }]);
});
