import { expect, test, vi } from 'vitest';
import type { Engine } from '../engines/engine.ts';
import { BATCH_EDITS, isFollowed, measureRemote, warmUpRemote } from './remote.ts';
import { EDITS_PER_STRETCH } from './stopwatch.ts';

test('updates are kept for a second replica only, and not of a trace many times over', () => {
  const task = { observe: 'updates', remoteMs: 5000 } as const;
  expect(isFollowed(task, { repeat: 1 })).toBe(true);
  expect(isFollowed(task, { repeat: 1000 })).toBe(false);
  expect(isFollowed({ ...task, remoteMs: 0 }, { repeat: 1 })).toBe(false);
  expect(isFollowed({ ...task, observe: 'edits' }, { repeat: 1 })).toBe(false);
});

test('before the clock starts, replicas take updates in one by one and in batches', async () => {
  const replicas: number[][] = [];
  const engine: Engine = {
    about: { package: null, algorithm: 'none', licence: 'none', kind: 'baseline' },
    open({ identity }) {
      expect(identity).toBe(0.7);
      const sizes: number[] = [];
      replicas.push(sizes);
      return { edit() {}, text: () => '', receive: (updates) => void sizes.push(updates.length) };
    },
  };
  const updates = Array.from({ length: BATCH_EDITS + 1 }, () => new Uint8Array(1));
  await warmUpRemote(engine, updates, 0.7);
  expect(replicas).toEqual([updates.map(() => 1), [BATCH_EDITS, 1]]);
});

test('a replica that follows lets the thread go after a stretch of edits, one by one and in batches', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const count = 2 * EDITS_PER_STRETCH;
  const received: number[] = [];
  /** Of the current replica, when the thread was first free. */
  const free: number[] = [];
  const engine: Engine = {
    about: { package: null, algorithm: 'none', licence: 'none', kind: 'baseline' },
    open() {
      const replica = received.push(0) - 1;
      setImmediate(() => free.push(received[replica]!));
      return {
        edit() {},
        text: () => 'a'.repeat(received[replica]!),
        receive: (updates) => {
          received[replica]! += updates.length;
        },
      };
    },
  };
  const edits = {
    ...{ positions: new Uint32Array(count), deleted: new Uint32Array(count) },
    ...{ inserted: Array.from({ length: count }, () => 'a'), count, repeat: 1, endContent: 'a'.repeat(count) },
  };
  const updates = Array.from({ length: count }, () => new Uint8Array(1));
  await measureRemote(engine, updates, edits, { identity: 0.7, limitMs: 10_000 });
  vi.restoreAllMocks();
  expect(received).toEqual([count, count]);
  for (const then of free) {
    expect(then).toBeGreaterThan(0);
    expect(then).toBeLessThanOrEqual(EDITS_PER_STRETCH);
  }
});
