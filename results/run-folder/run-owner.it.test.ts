import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { lastingProcessName } from './process-name.ts';
import { isOwnerFile, ownRunFolder, unusable } from './run-owner.ts';

const parent = folderOfEachTest();
let folder: string;
beforeEach(() => {
  folder = parent.in('a', 'run');
});

const ownerFile = (pid: number, host = hostname()) => `.owner-${lastingProcessName(pid)}-${host}`;
/** Of a process in another container. */
const elsewhere = (pid: number) => ownerFile(pid).replace(/-[0-9a-f]{6}-/, '-000000-');

test('a folder has one owner, and another when the first has gone', async () => {
  {
    await using _owner = await ownRunFolder(folder);
    await expect(ownRunFolder(folder)).rejects.toThrow(
      /another run writes into .*run \(process \d+\): wait until it has ended, or give another folder with --out$/,
    );
    await writeFile(join(folder, 'plan.json'), '');
  }
  await using _next = await ownRunFolder(folder);
  expect((await readdir(folder)).filter((name) => !isOwnerFile(name))).toEqual(['plan.json']);
});

test('of a folder into which nothing was written nothing is left', async () => {
  await (await ownRunFolder(folder))[Symbol.asyncDispose]();
  expect(await readdir(parent.path)).toEqual([]);
  // Folders that were there before, and those that others use, stay.
  await mkdir(parent.in('a'));
  await (await ownRunFolder(folder))[Symbol.asyncDispose]();
  expect(await readdir(parent.path)).toEqual(['a']);
  const [one, other] = [await ownRunFolder(parent.in('b', 'c', 'one')), await ownRunFolder(parent.in('b', 'other'))];
  await one[Symbol.asyncDispose]();
  expect(await readdir(parent.in('b'))).toEqual(['other']);
  await other[Symbol.asyncDispose]();
});

test('the owner may be another process; once that is dead it owns nothing', async () => {
  const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  await once(other, 'spawn');
  await mkdir(folder, { recursive: true });
  const file = ownerFile(other.pid!);
  await writeFile(join(folder, file), '');
  await expect(ownRunFolder(folder)).rejects.toThrow(`process ${other.pid}`);
  // Its own file is gone again, the other's stays.
  expect(await readdir(folder)).toEqual([file]);
  other.kill('SIGKILL');
  await once(other, 'close');
  await using _owner = await ownRunFolder(folder);
  expect(await readdir(folder)).toEqual([ownerFile(process.pid)]);
});

test('an owner on another machine is named, with what to remove', async () => {
  await mkdir(folder, { recursive: true });
  const far = `.owner-7-1-000000-${'0'.repeat(16)}-${'1'.repeat(16)}-far.example`;
  for (const [file, said] of [
    [far, 'process 7 of far.example'],
    ['.owner-7-old.example', 'process 7'],
  ]) {
    await writeFile(join(folder, file!), '');
    const { message } = (await ownRunFolder(folder).catch((error: Error) => error as Error)) as Error;
    expect(message).toContain(`(${said}): `);
    expect(message).toContain(`remove ${join(folder, file!)}`);
    await rm(join(folder, file!));
  }
});

test('a container that was started again is not refused for ever, also with the same host name and number', async () => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, elsewhere(process.pid));
  await writeFile(file, '');
  await expect(ownRunFolder(folder)).rejects.toThrow(`remove ${file}`);
  const lastSign = new Date(Date.now() - 25 * 3_600_000);
  await utimes(file, lastSign, lastSign);
  await using _owner = await ownRunFolder(folder);
  expect(await readdir(folder)).toEqual([ownerFile(process.pid)]);
});

test.runIf(process.platform === 'linux')('a number that the system gave to another process owns nothing', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, ownerFile(process.pid).replace(/-[0-9a-z]+-/, '-1-')), '');
  await using _owner = await ownRunFolder(folder);
  expect(await readdir(folder)).toEqual([ownerFile(process.pid)]);
});

test.runIf(existsSync('/proc/self'))('where the system only seems to have a folder, that is said too', async () => {
  await expect(ownRunFolder('/proc/run')).rejects.toThrow(
    /\/proc\/run cannot take a run's results: no folder can be made there/,
  );
  await expect(ownRunFolder('/proc/a/run')).rejects.toThrow(/cannot take a run's results: no folder can be made there/);
});

test('where no folder can be made, that is said', async () => {
  await writeFile(parent.in('a'), '');
  await expect(ownRunFolder(folder)).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
  await expect(ownRunFolder(folder)).rejects.toThrow(/cannot take a run's results: it is a file, or lies below one/);
});

test('a disk that somebody can mend is another kind of error', () => {
  const full = unusable('/a/run', Object.assign(new Error('no'), { code: 'ENOSPC' }));
  expect(full).toMatchObject({ name: 'UserError', exitCode: 3 });
  expect(full.message).toBe('/a/run: the disk is full; free some space, then give the command again');
});
