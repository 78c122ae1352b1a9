import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processName } from '../../results/run-folder/process-name.ts';
import { isMade, madeOnce } from './made-once.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'made-once-test-'));
});
afterEach(async () => {
  await rm(parent, { recursive: true });
});

const withFile = (name: string) => (partial: string) => writeFile(join(partial, name), '');

test('a folder is made once', async () => {
  const folder = join(parent, 'deep/made');
  await madeOnce(folder, withFile('first'));
  await madeOnce(folder, withFile('second'));
  expect(await readdir(folder)).toEqual(['.whole', 'first']);
  expect(await readdir(join(parent, 'deep'))).toEqual(['made']);
});

test('of two that make it at once one folder stays, and nothing else', async () => {
  const folder = join(parent, 'made');
  await Promise.all([madeOnce(folder, withFile('file')), madeOnce(folder, withFile('file'))]);
  expect(await readdir(parent)).toEqual(['made']);
  expect(await readdir(folder)).toEqual(['.whole', 'file']);
});

test('a folder that lost a part, or never was whole, is made anew', async () => {
  const folder = join(parent, 'made');
  await mkdir(folder);
  await writeFile(join(folder, 'half'), '');
  expect(isMade(folder)).toBe(false);
  await madeOnce(folder, withFile('file'));
  expect(await readdir(folder)).toEqual(['.whole', 'file']);
  expect(isMade(folder)).toBe(true);
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
  const elsewhere = `d.${process.pid}-1-000000-x.partial`;
  const kept = [`a.${processName()}-x.partial`, 'b.partial', 'c', elsewhere];
  for (const name of [`made.${processName(99999999)}-x.partial`, ...kept]) await mkdir(join(parent, name));
  for (const name of kept.filter((name) => name !== elsewhere)) await utimes(join(parent, name), 0, 0);
  await madeOnce(join(parent, 'made'), withFile('file'));
  expect((await readdir(parent)).sort()).toEqual([...kept, 'made']);
  expect(existsSync(join(parent, 'made/file'))).toBe(true);
  // Of a process that cannot be seen from here; but no folder takes a day to fill.
  await utimes(join(parent, elsewhere), 0, 0);
  await madeOnce(join(parent, 'another'), withFile('file'));
  expect(await readdir(parent)).not.toContain(elsewhere);
});
