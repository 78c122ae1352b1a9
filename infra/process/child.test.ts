import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { countMemoryKills, memoryKillSince } from './child.ts';

const folder = folderOfEachTest();

test('a message tells of memory where the kernel ended a process for it since', async () => {
  await folder.put('vmstat', 'pgfault 17\noom_kill 3\noom_kill_other 9\n');
  const files = [folder.in('memory.events'), folder.in('vmstat')];
  const before = countMemoryKills(files);
  expect(before).toBe(3);
  expect(memoryKillSince(before, files)).toBe('');
  await folder.put('vmstat', 'pgfault 18\noom_kill 4\n');
  expect(memoryKillSince(before, files)).toMatch(/memory ran out/);
  expect(memoryKillSince(null, files)).toBe('');
  // In a container, where another one's process was ended.
  await folder.put('memory.events', 'max 0\noom 0\noom_kill 3\noom_group_kill 0\n');
  expect(memoryKillSince(before, files)).toBe('');
  await folder.put('vmstat');
  expect(countMemoryKills(files.slice(1))).toBeNull();
  expect(countMemoryKills([folder.in('none')])).toBeNull();
});
