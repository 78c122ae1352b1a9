import { describe, expect, test } from 'vitest';
import { checkTaskSize, smallestTaskSize } from './sizes.ts';

describe('task sizes', () => {
  test.each([
    // The paper's users fit exactly.
    [
      { cpus: 1, memoryMiB: 2048 },
      { cpuUnits: 1024, memoryMiB: 2048 },
    ],
    [
      { cpus: 0.5, memoryMiB: 1024 },
      { cpuUnits: 512, memoryMiB: 1024 },
    ],
    // A quarter of a core comes with 512, 1024 or 2048 MiB: 1536 is not offered.
    [
      { cpus: 0.25, memoryMiB: 1500 },
      { cpuUnits: 256, memoryMiB: 2048 },
    ],
    // More memory than the row has takes the next row.
    [
      { cpus: 0.25, memoryMiB: 3000 },
      { cpuUnits: 512, memoryMiB: 3072 },
    ],
    // 8 vCPU come in steps of 4 GiB, 16 in steps of 8.
    [
      { cpus: 8, memoryMiB: 17 * 1024 },
      { cpuUnits: 8192, memoryMiB: 20 * 1024 },
    ],
    [
      { cpus: 10, memoryMiB: 20 * 1024 },
      { cpuUnits: 16384, memoryMiB: 32 * 1024 },
    ],
    [
      { cpus: 3, memoryMiB: 6 * 1024 },
      { cpuUnits: 4096, memoryMiB: 8 * 1024 },
    ],
  ])('the smallest with %j is %j', (needs, size) => {
    expect(smallestTaskSize(needs, 'a task')).toEqual(size);
    expect(() => checkTaskSize(size, 'a task')).not.toThrow();
  });

  test('what is too large is refused with the largest that there is', () => {
    expect(() => smallestTaskSize({ cpus: 17, memoryMiB: 1024 }, 'the task of 10 users')).toThrow(
      /the task of 10 users needs 17 vCPU .*16 vCPU and 122880 MiB/,
    );
  });

  test('a size that Fargate does not offer is refused with the next one that it does', () => {
    expect(() => checkTaskSize({ cpuUnits: 1024, memoryMiB: 1024 }, '"users"')).toThrow(
      'Fargate has no task of 1 vCPU and 1024 MiB for "users"; the next that it has is 1 vCPU and 2048 MiB',
    );
    expect(() => checkTaskSize({ cpuUnits: 600, memoryMiB: 2048 }, '"users"')).toThrow(
      /next .* is 1 vCPU and 2048 MiB/,
    );
  });
});
