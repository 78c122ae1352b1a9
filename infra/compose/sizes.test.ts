import { describe, expect, test } from 'vitest';
import type { Need } from '../fleet.ts';
import type { Worker } from '../workers/connected-worker.ts';
import { checkSizes, differingLimits, sizeVariables } from './sizes.ts';

const needs = (users: number, cpus: number | null, memoryMiB: number | null): Need[] => [
  { name: 'server', count: 1, resources: { cpus: null, memoryMiB: null } },
  { name: 'users', count: users, resources: { cpus, memoryMiB } },
];
const machine = { cores: 4, memoryMiB: 8192 };

describe('sizes', () => {
  test('what fits is not talked about', () => {
    // 8 × 0.5 cores and 8 × 1 GiB are just what there is.
    expect(checkSizes([needs(8, 0.5, 1024)], machine)).toEqual([]);
    expect(checkSizes([needs(1000, null, null)], machine)).toEqual([]);
  });

  test('a trial that asks for more than there is is warned of, once, by its sums', () => {
    const warnings = checkSizes([needs(8, 1, 2048), needs(4, 1, 512), needs(16, 0.5, 1024)], machine);
    expect(warnings).toEqual([
      'warning: 9 containers may use 8 cores in all, and this machine has 4: where they do, it is the machine that is measured',
      'warning: 9 containers may use 16 GiB of memory in all, and this machine has 8: where they do, some will be killed',
    ]);
  });

  test('a container that alone is too large is refused', () => {
    expect(() => checkSizes([needs(1, 8, 1024)], machine)).toThrow(
      'a container for "users" with 8 cores and 1024 MiB of memory does not fit this machine, which has 4 cores and 8192 MiB of memory',
    );
    expect(() => checkSizes([needs(1, 1, 16384)], machine)).toThrow(/16384 MiB of memory does not fit/);
  });

  test('Compose is told each size, 0 where there is no limit', () => {
    expect(sizeVariables(needs(2, 0.5, 1024))).toEqual({
      SCRIPTORIUM_SERVER_CPUS: '0',
      SCRIPTORIUM_SERVER_MEMORY: '0',
      SCRIPTORIUM_USER_CPUS: '0.5',
      SCRIPTORIUM_USER_MEMORY: '1024m',
    });
  });

  test('limits that the engine does not keep to are told', () => {
    const worker = (role: Worker['role'], cpus: number | null, memoryMiB: number | null): Worker => ({
      role,
      limits: { cpus, memoryMiB },
      group: null,
      name: 'c0ffee',
      address: '',
      seenAt: '',
      busy: false,
    });
    const asked = needs(1, 0.333, 1000);
    expect(differingLimits(asked, [worker('server', null, null), worker('users', 0.333, 1000)])).toBeNull();
    expect(differingLimits(asked, [worker('server', null, null), worker('users', 0.33, 999.99)])).toBeNull();
    expect(differingLimits(asked, [worker('users', null, 1000)])).toMatch(
      /c0ffee for "users" was to have 0.3 cores and 1000 MiB of memory, and has no CPU limit/,
    );
    expect(differingLimits(asked, [worker('server', 1, null)])).toMatch(/"server" was to have no CPU limit/);
  });
});
