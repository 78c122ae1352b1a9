import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { resolveExperiment } from './experiment-file.ts';
import { limitsByMode, limitsOf, usersPerProcess } from './fleet-sizes.ts';

const resolve = (file: object) => resolveExperiment(file, { frameworks: [{ name: 'yjs', about: {} }] });
const NONE = { cpus: null, memoryMiB: null };

describe('what a fleet gives', () => {
  test('on this machine 16 users share a browser, and nothing is limited', () => {
    const experiment = resolve({ resources: { user: { cpus: 1 } } });
    expect(usersPerProcess(experiment, { mode: 'optquill', users: 32 })).toBe(16);
    expect(limitsOf(experiment, 'optquill')).toEqual({ server: NONE, users: NONE });
    expect(limitsByMode(experiment)).toBeNull();
  });

  test('without a browser there is one process for each core, or as the file says; in containers one for each user', () => {
    const cores = availableParallelism();
    const usersOf = (file: object, users: number) => usersPerProcess(resolve(file), { mode: 'node', users });
    expect(usersOf({}, 8 * cores)).toBe(8);
    expect(usersOf({}, 8 * cores + 1)).toBe(9);
    expect(usersOf({}, 1)).toBe(1);
    expect(usersOf({ fleet: { usersPerBrowser: 5 } }, 8 * cores)).toBe(5);
    expect(usersOf({ fleet: { on: 'compose' } }, 100)).toBe(1);
  });

  test('in containers each user has its own, of the paper’s size unless the file says another', () => {
    const experiment = resolve({ modes: ['optquill', 'noquill'], fleet: { on: 'compose' } });
    expect(usersPerProcess(experiment, { mode: 'optquill', users: 32 })).toBe(1);
    expect(limitsByMode(experiment)).toEqual({
      optquill: { server: NONE, users: { cpus: 1, memoryMiB: 2048 } },
      noquill: { server: NONE, users: { cpus: 0.5, memoryMiB: 1024 } },
    });
    const other = resolve({
      fleet: { on: 'compose' },
      resources: { server: { cpus: 2 }, user: { cpus: 0.25 } },
    });
    expect(limitsOf(other, 'noquill')).toEqual({
      server: { cpus: 2, memoryMiB: null },
      users: { cpus: 0.25, memoryMiB: 1024 },
    });
  });

  test('users cannot share a browser there', () => {
    expect(() => resolve({ fleet: { on: 'compose', usersPerBrowser: 4 } })).toThrow(
      'fleet.usersPerBrowser: on compose each user has a container of its own, so 4 cannot share a browser; leave it out, or write 1',
    );
  });
});
