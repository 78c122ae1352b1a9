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
    const files = [join(folder, 'memory.events'), vmstat];
    const before = countMemoryKills(files);
    expect(before).toBe(3);
    expect(memoryKillSince(before, files)).toBe('');
    await writeFile(vmstat, 'pgfault 18\noom_kill 4\n');
    expect(memoryKillSince(before, files)).toMatch(/memory ran out/);
    expect(memoryKillSince(null, files)).toBe('');
    // In a container, where another one's process was ended.
    await writeFile(files[0]!, 'max 0\noom 0\noom_kill 3\noom_group_kill 0\n');
    expect(memoryKillSince(before, files)).toBe('');
    await writeFile(vmstat, '');
    expect(countMemoryKills([vmstat])).toBeNull();
    expect(countMemoryKills([join(folder, 'none')])).toBeNull();
  } finally {
    await rm(folder, { recursive: true });
  }
});
