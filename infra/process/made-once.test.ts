import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processName } from '../../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { isMade, madeOnce } from './made-once.ts';

const parent = folderOfEachTest();

const withFile = (name: string) => (partial: string) => writeFile(join(partial, name), '');

test('a folder is made once', async () => {
  const folder = parent.in('deep/made');
  await madeOnce(folder, withFile('first'));
  await madeOnce(folder, withFile('second'));
  expect(await readdir(folder)).toEqual(['.whole', 'first']);
  expect(await readdir(parent.in('deep'))).toEqual(['made']);
});

test('of two that make it at once one folder stays, and nothing else', async () => {
  const folder = parent.in('made');
  await Promise.all([madeOnce(folder, withFile('file')), madeOnce(folder, withFile('file'))]);
  expect(await readdir(parent.path)).toEqual(['made']);
  expect(await readdir(folder)).toEqual(['.whole', 'file']);
});

test('a folder that lost a part, or never was whole, is made anew', async () => {
  const folder = parent.in('made');
  await mkdir(folder);
  await writeFile(join(folder, 'half'), '');
  expect(isMade(folder)).toBe(false);
  await madeOnce(folder, withFile('file'));
  expect(await readdir(folder)).toEqual(['.whole', 'file']);
  expect(isMade(folder)).toBe(true);
});

test('many that find it so at once all get it whole', async () => {
  const folder = parent.in('made');
  for (let time = 0; time < 10; time++) {
    await mkdir(folder);
    await Promise.all(Array.from({ length: 4 }, () => madeOnce(folder, withFile('file'))));
    expect(await readdir(folder)).toEqual(['.whole', 'file']);
    expect(await readdir(parent.path)).toEqual(['made']);
    await rm(folder, { recursive: true });
  }
});

test('nothing is left after an error', async () => {
  const folder = parent.in('made');
  const failing = async (partial: string) => {
    await writeFile(join(partial, 'file'), '');
    throw new Error('no more room');
  };
  await expect(madeOnce(folder, failing)).rejects.toThrow('no more room');
  expect(await readdir(parent.path)).toEqual([]);
});

test('parts that killed processes left are removed, and no others', async () => {
  // No process has this number: Linux's largest is 4,194,304.
  const elsewhere = `d.${process.pid}-1-000000-x.partial`;
  const kept = [`a.${processName()}-x.partial`, 'b.partial', 'c', elsewhere];
  for (const name of [`made.${processName(99999999)}-x.partial`, ...kept]) await mkdir(parent.in(name));
  for (const name of kept.filter((name) => name !== elsewhere)) await utimes(parent.in(name), 0, 0);
  await madeOnce(parent.in('made'), withFile('file'));
  expect((await readdir(parent.path)).sort()).toEqual([...kept, 'made']);
  expect(existsSync(parent.in('made/file'))).toBe(true);
  // Of a process that cannot be seen from here; but no folder takes a day to fill.
  await utimes(parent.in(elsewhere), 0, 0);
  await madeOnce(parent.in('another'), withFile('file'));
  expect(await readdir(parent.path)).not.toContain(elsewhere);
});
