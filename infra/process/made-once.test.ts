import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { madeOnce, makeTemporaryFolder } from './made-once.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'made-once-test-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(parent, { recursive: true });
});

const withFile = (name: string) => (partial: string) => writeFile(join(partial, name), '');

test('a folder is made once', async () => {
  const folder = join(parent, 'deep/made');
  await madeOnce(folder, withFile('first'));
  await madeOnce(folder, withFile('second'));
  expect(await readdir(folder)).toEqual(['first']);
  expect(await readdir(join(parent, 'deep'))).toEqual(['made']);
});

test('of two that make it at once one folder stays, and nothing else', async () => {
  const folder = join(parent, 'made');
  await Promise.all([madeOnce(folder, withFile('file')), madeOnce(folder, withFile('file'))]);
  expect(await readdir(parent)).toEqual(['made']);
  expect(await readdir(folder)).toEqual(['file']);
});

test('nothing is left after an error', async () => {
  const folder = join(parent, 'made');
  const failing = async (partial: string) => {
    await writeFile(join(partial, 'file'), '');
    throw new Error('no more room');
  };
  await expect(madeOnce(folder, failing)).rejects.toThrow('no more room');
  expect(await readdir(parent)).toEqual([]);
});

test('parts that killed processes left are removed, and no others', async () => {
  // No process has this number: Linux's largest is 4,194,304.
  const kept = [`a.${process.pid}-x.partial`, 'b.partial', 'c'];
  for (const name of ['made.99999999-x.partial', ...kept]) await mkdir(join(parent, name));
  await madeOnce(join(parent, 'made'), withFile('file'));
  expect((await readdir(parent)).sort()).toEqual([...kept, 'made']);
  expect(existsSync(join(parent, 'made/file'))).toBe(true);
});

test('what killed processes left is removed, whatever it was for, and nothing else', async () => {
  vi.stubEnv('TMPDIR', parent);
  // No process has this number: Linux's largest is 4,194,304.
  const orphans = ['scriptorium-fleet-99999999-x', 'scriptorium-replay-99999999-y'];
  const others = [`scriptorium-rest-${process.pid}-z`, 'scriptorium-base-99999999-x', 'scriptorium-join-x', 'photos'];
  for (const name of [...orphans, ...others]) {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, 'file'), '');
  }
  const made = await makeTemporaryFolder('job');
  expect(basename(made)).toMatch(new RegExp(`^scriptorium-job-${process.pid}-.{6}$`));
  expect((await readdir(parent)).sort()).toEqual([...others, basename(made)].sort());
});
