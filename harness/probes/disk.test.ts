import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { UserError } from '../../results/user-error.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { namingFullDisk, sizeOnDisk, WrittenBytes, writtenBytes } from './disk.ts';

const folder = folderOfEachTest();

test.runIf(process.platform === 'linux')('what this process writes is counted', async () => {
  const before = writtenBytes()!;
  await appendFile(folder.in('file'), Buffer.alloc(100_000));
  expect(writtenBytes()! - before).toBeGreaterThanOrEqual(100_000);
  const written = new WrittenBytes();
  expect(written.read([])).toBeNull();
  expect(written.read([process.pid, 2 ** 30])).toBeGreaterThanOrEqual(100_000);
  // One that ended counts with its last reading.
  expect(written.read([])).toBeGreaterThanOrEqual(100_000);
});

test('the size of a folder is that of all files below it', async () => {
  await folder.put('one', 'x'.repeat(10));
  await folder.put('a/b/two', 'x'.repeat(5));
  expect(await sizeOnDisk(folder.path)).toBe(15);
});

test('where the system does not say, it is not known', () => {
  expect(writtenBytes('/proc/self/no-such-file')).toBeNull();
  expect(writtenBytes(import.meta.filename)).toBeNull();
});

const WHERE = { directory: '/there', remedy: 'go elsewhere' };
/** A part of Linux that has no room for anything. */
const ALWAYS_FULL = '/proc';
/** As LMDB says it of a write that the disk took a part of. */
const shortWrite = new Error('Input/output error');

test.each([
  ['the system', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ['SQLite', new Error('database or disk is full')],
  ['LevelDB', new Error('IO error: /there/000003.log: No space left on device')],
])('a full disk as %s says it is named, with what to do', async (_, error) => {
  const named = namingFullDisk(WHERE, () => Promise.reject(error));
  await expect(named).rejects.toThrow('no space is left on the disk of /there: free some, or go elsewhere');
  await expect(named).rejects.toBeInstanceOf(UserError);
});

test.runIf(existsSync(ALWAYS_FULL))('a short write is one of a full disk where nothing is free', async () => {
  const where = { ...WHERE, directory: ALWAYS_FULL };
  await expect(namingFullDisk(where, () => Promise.reject(shortWrite))).rejects.toThrow('no space is left');
});

test('another error stays as it is', async () => {
  const error = new Error('something else');
  await expect(namingFullDisk(WHERE, () => Promise.reject(error))).rejects.toBe(error);
  await expect(namingFullDisk({ ...WHERE, directory: tmpdir() }, () => Promise.reject(shortWrite))).rejects.toBe(
    shortWrite,
  );
  expect(await namingFullDisk(WHERE, async () => 1)).toBe(1);
});
