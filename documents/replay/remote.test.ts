import { expect, test } from 'vitest';
import type { Engine } from '../engines/engine.ts';
import { BATCH_EDITS, isFollowed, warmUpRemote } from './remote.ts';

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
