import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countMemoryKills, memoryKillSince } from './child.ts';

test('a message tells of memory where the kernel ended a process for it since', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vmstat-'));
  const vmstat = join(folder, 'vmstat');
  try {
    await writeFile(vmstat, 'pgfault 17\noom_kill 3\noom_kill_other 9\n');
    const before = countMemoryKills(vmstat);
    expect(before).toBe(3);
    expect(memoryKillSince(before, vmstat)).toBe('');
    await writeFile(vmstat, 'pgfault 18\noom_kill 4\n');
    expect(memoryKillSince(before, vmstat)).toMatch(/memory ran out/);
    expect(memoryKillSince(null, vmstat)).toBe('');
    await writeFile(vmstat, '');
    expect(countMemoryKills(vmstat)).toBeNull();
    expect(countMemoryKills(join(folder, 'none'))).toBeNull();
  } finally {
    await rm(folder, { recursive: true });
  }
});
