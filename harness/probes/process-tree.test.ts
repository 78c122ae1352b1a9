import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { CAN_PROBE_PROCESSES, processCpuMs, processMemoryBytes, processTree } from './process-tree.ts';

test.runIf(CAN_PROBE_PROCESSES)(
  'finds descendants, and reads what they used; what is gone is null or absent',
  async () => {
    // A shell whose child works for a while, then waits; the shell waits for it.
    const work =
      'const end = performance.now() + 300; while (performance.now() < end); console.log("done"); setInterval(() => {}, 1e6)';
    const shell = spawn('sh', ['-c', `"${process.execPath}" -e '${work}'; true`], { detached: true });
    await once(shell.stdout, 'data');
    const tree = processTree(shell.pid!);
    expect(tree).toHaveLength(2);
    expect(tree).toContain(shell.pid);
    const child = tree.find((pid) => pid !== shell.pid)!;
    // 300 ms of work, in steps of 10 ms, and the start of Node.
    expect(processCpuMs(child)).toBeGreaterThanOrEqual(250);
    expect(await processMemoryBytes(child)).toBeGreaterThan(5 * 2 ** 20);
    process.kill(-shell.pid!, 'SIGKILL');
    await once(shell, 'close');
    expect(processTree(shell.pid!)).toEqual([]);
    expect(processCpuMs(shell.pid!)).toBeNull();
    expect(await processMemoryBytes(shell.pid!)).toBeNull();
  },
);
