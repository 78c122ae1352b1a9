import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { receiveFiles } from './files.ts';

const folder = folderOfEachTest();

test('a file appears whole, under its name, once its last byte is here', async () => {
  const files = receiveFiles(folder.in('trial'));
  await files.begin('records/user-0.ndjson.gz', 5);
  await files.write(Buffer.from('abc'));
  expect(await readdir(folder.in('trial/records'))).toEqual(['user-0.ndjson.gz.partial']);
  await files.write(Buffer.from('de'));
  expect(await readFile(folder.in('trial/records/user-0.ndjson.gz'), 'utf8')).toBe('abcde');
  await files.begin('verdict.json', 0);
  expect((await readdir(folder.in('trial'))).sort()).toEqual(['records', 'verdict.json']);
});

test('of a file whose rest does not come nothing stays, and what came whole does', async () => {
  const files = receiveFiles(folder.in('trial'));
  const open = async () => (await readdir('/proc/self/fd').catch(() => [])).length;
  const before = await open();
  await files.begin('whole', 1);
  await files.write(Buffer.from('a'));
  await files.begin('records/user-0.ndjson.gz', 5);
  await files.write(Buffer.from('abc'));
  await files.abandon();
  await files.abandon();
  expect((await readdir(folder.in('trial'), { recursive: true })).sort()).toEqual(['records', 'whole']);
  expect(await open()).toBeLessThanOrEqual(before);
});

test.each([
  '../outside',
  'records/../../outside',
  '/etc/passwd',
  'a\\..\\b',
  '.hidden',
  'records/.hidden',
  '',
  'a//b',
  'records/',
  'a\0b',
  'a/b/c/d/e/f',
])('no file is written at %j', async (path) => {
  await expect(receiveFiles(folder.in('trial')).begin(path, 1)).rejects.toThrow('is not the path of a trial');
  expect(await readdir(folder.path)).toEqual([]);
});

test('sizes are bounded, and what was announced holds', async () => {
  const files = receiveFiles(folder.in('trial'));
  await expect(files.begin('large', 2 ** 30)).rejects.toThrow('larger than a trial');
  await expect(files.write(Buffer.from('a'))).rejects.toThrow('more bytes came');
  await files.begin('small', 2);
  await expect(files.begin('next', 1)).rejects.toThrow('before the last was complete');
  await expect(files.write(Buffer.from('abc'))).rejects.toThrow('more bytes came');
  await files.abandon();
});
