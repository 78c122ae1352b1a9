import { expect } from 'vitest';
import { test } from '../test-data/at-once.ts';
import { resources, typing } from '../test-data/hand-made-trial.ts';
import { askTrial } from '../test-data/opened-together.ts';
import { rowsOf, user } from '../test-data/trial-folder.ts';

test('golden: what a remote edit costs a probe, and how many there are, counts the crowd’s edits too', async () => {
  // Two probes and one of the crowd perform 40 edits each. Of the 120, each probe gets all but its own 40: 80, and both
  // 160. Their Chrome takes 4,000 ms within 8 s, 5,000 ms over the window of 10 s: 31.25 for each.
  const types = typing(15_000, { offered: 40, performed: 40 });
  const chrome = [11_000, 19_000].map((ms) => resources('chrome', ms, { cpuMs: ms / 2, memoryBytes: null, users: 2 }));
  const users = [user(types, ...chrome), user(types), user(types)];
  await askTrial({ users, probes: 2 }, async ({ records }) => {
    expect(await records.rows('SELECT own, remote FROM edit_counts')).toEqual([{ own: 80, remote: 160 }]);
    expect(await records.rows('SELECT userCpuMsPerRemoteEdit FROM resource_figures')).toEqual([
      { userCpuMsPerRemoteEdit: 31.25 },
    ]);
  });
});

test('one probe alone has no remote edits but the crowd’s', async () => {
  const types = typing(15_000, { offered: 40, performed: 40 });
  expect(await rowsOf([user(types)], 'SELECT own, remote FROM edit_counts')).toEqual([{ own: 40, remote: null }]);
});
