import { existsSync } from 'node:fs';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { makeFolder, writeFileAtomically } from './write-file.ts';

const folder = folderOfEachTest();

test('of several writes of one file at once one is there, whole, and nothing beside it', async () => {
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(300_000));
  await Promise.all(texts.map((text) => writeFileAtomically(folder.in('new/file'), text)));
  expect(texts).toContain(await readFile(folder.in('new/file'), 'utf8'));
  expect(await readdir(folder.in('new'))).toEqual(['file']);
});

test('an error names the file, and leaves nothing half written', async () => {
  makeFolder(folder.in('file/below'));
  await expect(writeFileAtomically(folder.in('file'), 'x')).rejects.toMatchObject({ path: folder.in('file') });
  expect(await readdir(folder.path)).toEqual(['file']);
});

test('a folder is made with those above it, and what is there already stays', async () => {
  makeFolder(folder.in('a/b/c'));
  makeFolder(folder.in('a/b'));
  makeFolder('.');
  expect((await stat(folder.in('a/b/c'))).isDirectory()).toBe(true);
});

test('no folder is made in the place of a file, below one, or behind a link to nothing', async () => {
  await writeFile(folder.in('file'), '');
  await symlink(folder.in('nothing'), folder.in('link'));
  for (const path of ['file', 'file/below', 'file/below/that', 'link'])
    expect(() => makeFolder(folder.in(path))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  expect(existsSync(folder.in('nothing'))).toBe(false);
});

test.runIf(process.platform === 'linux')('below /proc and /sys it fails at once', async () => {
  for (const path of ['/proc/x/y/z', '/sys/x/y']) expect(() => makeFolder(path)).toThrow(/ENOENT|EPERM|EROFS|EACCES/);
  await expect(writeFileAtomically('/proc/x/y', '')).rejects.toThrow('/proc/x');
});
