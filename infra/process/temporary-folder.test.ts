import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from './temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporary-folder-test-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('what killed processes left is removed, whatever it was for, and nothing else', async () => {
  // No process has this number: Linux's largest is 4,194,304.
  const orphans = ['scriptorium-fleet-99999999-x', 'scriptorium-replay-99999999-y'];
  const others = [`scriptorium-rest-${process.pid}-z`, 'scriptorium-base-99999999-x', 'scriptorium-join-x', 'photos'];
  for (const name of [...orphans, ...others]) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'file'), '');
  }
  const made = await makeTemporaryFolder('job');
  expect(basename(made)).toMatch(new RegExp(`^scriptorium-job-${process.pid}-.{6}$`));
  expect((await readdir(folder)).sort()).toEqual([...others, basename(made)].sort());
});
