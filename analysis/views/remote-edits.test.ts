import { expect, test } from 'vitest';
import { resources, typing, writeHandMadeTrial } from '../test-data/hand-made-trial.ts';
import { user, useTrialFolder } from '../test-data/trial-folder.ts';
import { openRecords } from './database.ts';

const trial = useTrialFolder();

test('golden: what a remote edit costs a probe, and how many there are, counts the crowd’s edits too', async () => {
  // Two probes and one of the crowd perform 40 edits each. Of the 120, each probe gets all but its own 40: 80, and both
  // 160. Their Chrome takes 4,000 ms within 8 s, 5,000 ms over the window of 10 s: 31.25 for each.
  const types = typing(15_000, { offered: 40, performed: 40 });
  const chrome = [11_000, 19_000].map((ms) => resources('chrome', ms, { cpuMs: ms / 2, memoryBytes: null, users: 2 }));
  const users = [user(types, ...chrome), user(types), user(types)];
  await writeHandMadeTrial(trial.directory, { users, probes: 2 });
  await using records = await openRecords([trial.directory]);
  expect(await records.rows('SELECT own, remote FROM edit_counts')).toEqual([{ own: 80, remote: 160 }]);
  expect(await records.rows('SELECT userCpuMsPerRemoteEdit FROM resource_figures')).toEqual([
    { userCpuMsPerRemoteEdit: 31.25 },
  ]);
});

test('one probe alone has no remote edits but the crowd’s', async () => {
  const types = typing(15_000, { offered: 40, performed: 40 });
  await writeHandMadeTrial(trial.directory, { users: [user(types)] });
  await using records = await openRecords([trial.directory]);
  expect(await records.rows('SELECT own, remote FROM edit_counts')).toEqual([{ own: 40, remote: null }]);
});
