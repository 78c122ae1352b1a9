/** Files after a loss of power, as the runtimes of this project's servers write them, and as this project does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { folderOfAllTests } from '../../tests/folders.ts';
import { isMade } from '../process/made-once.ts';
import { powerLoss, powerProblem, readySynced } from './power-loss.ts';

/** It says "ready", waits for a line, writes, says "done", and is killed. */
const WRITER = `
  const { appendFileSync, closeSync, fsyncSync, openSync, renameSync, writeFileSync, promises } = require('node:fs');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync('database');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE words (word TEXT)');
  const lax = new DatabaseSync('lax');
  lax.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE words (word TEXT)');
  console.log('ready');
  process.stdin.once('data', async () => {
    const synced = openSync('synced', 'w');
    writeFileSync(synced, 'first');
    fsyncSync(synced);
    appendFileSync('synced', ' second');
    writeFileSync('never', 'synced');
    appendFileSync('before', ' and after');
    const moved = await promises.open('moving', 'w');
    await moved.writeFile('moved');
    await moved.datasync();
    await moved.close();
    renameSync('moving', 'moved');
    database.exec("INSERT INTO words VALUES ('kept')");
    lax.exec("INSERT INTO words VALUES ('not synced')");
    console.log('done');
    setInterval(() => {}, 1000);
  });`;

/** More than the system gives to any process. */
const GONE = 2 ** 22 + 1;

const problem = await powerProblem();
const root = folderOfAllTests();
let library: string;
beforeAll(async () => {
  if (problem === null) library = await readySynced(root.path, root.in('cache'));
});

/** Has a process of Node write into a folder, and takes the power from it. */
async function afterPowerLoss(folder: string, writes: string[]): Promise<void> {
  const power = powerLoss(library, `${folder}-synced`);
  const environment = { ...process.env, ...power.environment, NODE_OPTIONS: '' };
  const writer = spawn(process.execPath, writes, { cwd: folder, env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  await once(writer.stdout!, 'data');
  // A process that ended meanwhile does not matter.
  await power.begin(folder, [writer.pid!, GONE]);
  writer.stdin!.write('go\n');
  await once(writer.stdout!, 'data');
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  await power.strike(folder);
}

test.skipIf(problem !== null)('contents that were not synced are gone, and all that was synced is there', async () => {
  const folder = root.in('store');
  await mkdir(folder);
  await writeFile(join(folder, 'before'), 'before');
  await chmod(join(folder, 'before'), 0o640);
  await afterPowerLoss(folder, ['-e', WRITER]);
  const text = (name: string) => readFile(join(folder, name), 'utf8');
  expect(await text('synced')).toBe('first');
  expect(await text('never')).toBe('');
  expect(await text('before')).toBe('before');
  expect(await text('moved')).toBe('moved');
  const wordsIn = (name: string) => new DatabaseSync(join(folder, name)).prepare('SELECT word FROM words').all();
  expect(wordsIn('database')).toEqual([{ word: 'kept' }]);
  expect(wordsIn('lax')).toEqual([]);
});

test.skipIf(problem !== null)('a folder that is there is whole', async () => {
  const folder = root.in('cache-of-ours');
  await mkdir(folder);
  const script = `
    import { once } from 'node:events';
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { madeOnce } from ${JSON.stringify(join(import.meta.dirname, '../process/made-once.ts'))};
    console.log('ready');
    await once(process.stdin, 'data');
    await madeOnce('made', async (partial) => {
      mkdirSync(partial + '/deep');
      writeFileSync(partial + '/deep/file', 'content');
    });
    console.log('done');
    setInterval(() => {}, 1000);`;
  await afterPowerLoss(folder, ['--input-type=module', '--eval', script]);
  expect(isMade(join(folder, 'made'))).toBe(true);
  expect(await readFile(join(folder, 'made/deep/file'), 'utf8')).toBe('content');
});

test.skipIf(problem !== null)('a process whose syncs cannot be seen is found out', async () => {
  const power = powerLoss(library, root.in('unseen'));
  await expect(power.begin(root.path, [process.pid])).rejects.toThrow(
    `the syncs of process ${process.pid} are not seen`,
  );
  await expect(power.begin(root.path, [])).rejects.toThrow('power cannot be lost');
});
