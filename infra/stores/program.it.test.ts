/** Real programs, as far as they are installed. */
import { access, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive, lastingProcessName } from '../../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { readProcessStat } from '../process/stat.ts';
import { createDatabase } from './database.ts';
import { findStoreProgram } from './find.ts';
import { type StoreProgram, startStoreProgram } from './program.ts';

const isMissing = async (name: 'postgres' | 'redis') => 'problem' in (await findStoreProgram(name));
const [noPostgres, noRedis] = [await isMissing('postgres'), await isMissing('redis')];

const isRunning = (pid: number) => isAlive(pid) && readProcessStat(pid)?.ended !== true;

const folder = folderOfEachTest();
let started: StoreProgram[];
beforeEach(() => {
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((program) => program.stop()));
});

async function start(...[name, options]: Parameters<typeof startStoreProgram>): Promise<StoreProgram> {
  const program = await startStoreProgram(name, options);
  started.push(program);
  return program;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const name: string = 'pg';
  const { default: pg } = await import(name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test.skipIf(noPostgres)('Postgres keeps what was committed when it is killed, and says who ended it', async () => {
  const postgres = await start('postgres', { folder: folder.in('store') });
  await query(postgres.url, 'CREATE TABLE kept AS SELECT 7 AS seven');
  const pids = postgres.pids();
  expect(pids.length).toBeGreaterThan(1);
  await postgres.kill();
  expect([pids.some(isRunning), postgres.pids()]).toEqual([false, []]);
  await postgres.start();
  expect(await query(postgres.url, 'SELECT seven FROM kept')).toEqual([{ seven: 7 }]);

  await expect(startStoreProgram('postgres', { folder: postgres.folder })).rejects.toMatchObject({
    message: expect.stringMatching(/ is in use: it holds .*; name an empty one$/),
    exitCode: 2,
  });
  const name = 'trial "one"';
  const database = await createDatabase(postgres.url, name);
  await query(database.url, 'CREATE TABLE mine ()');
  const reused = await createDatabase(postgres.url, name, { isReused: true });
  await reused.drop();
  expect(await query(database.url, 'SELECT FROM mine')).toEqual([]);
  await database.drop();
  await expect(query(database.url, 'SELECT FROM mine')).rejects.toThrow('does not exist');

  const comment = (text: string) => query(postgres.url, `COMMENT ON DATABASE "trial ""one""" IS ${text}`);
  const madeBy = (owner: string) => comment(`'made by a run of Scriptorium: process ${owner}'`);
  const left = await createDatabase(postgres.url, name);
  const elsewhere = `7-1-000000-${'0'.repeat(16)}-${'1'.repeat(16)}`;
  for (const [mark, told] of [
    [() => comment("'mine'"), /"trial "one"" already, perhaps of another run; drop it, or reuse it/],
    [() => madeBy(lastingProcessName(process.ppid)), new RegExp(`of another run, process ${process.ppid}; wait`)],
    [() => madeBy(elsewhere), /of another run, process 7 of another machine or container; wait .* drop the database/],
  ] as const) {
    await mark();
    const refused = { message: expect.stringMatching(told), exitCode: 2 };
    await expect(createDatabase(postgres.url, name)).rejects.toMatchObject(refused);
  }
  // Of a run that is over; then of an earlier trial of the same run.
  await madeBy(lastingProcessName().replace(/^\d+-[0-9a-z]+/, `${2 ** 22 + 1}-1`));
  for (const _ of ['over', 'same']) {
    await query(left.url, 'CREATE TABLE mine ()');
    await createDatabase(postgres.url, name);
    await expect(query(left.url, 'SELECT FROM mine')).rejects.toThrow('"mine" does not exist');
  }

  const stranger = new URL(postgres.url);
  stranger.password = 'wrong';
  await expect(createDatabase(stranger.href, 'another')).rejects.toMatchObject({
    message: expect.stringMatching(/refuses, or does not answer: password authentication failed .*; see that it runs/),
    exitCode: 3,
  });

  const status = await readFile(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8');
  const [, segment] = status.split('\n')[6]!.trim().split(/ +/);
  const isLeft = async () => new RegExp(`^ *\\d+ +${segment} `, 'm').test(await readFile('/proc/sysvipc/shm', 'utf8'));
  process.kill(postgres.pids()[0]!, 'SIGKILL');
  expect(await postgres.ended).toMatch(/^ended by SIGKILL/);
  await expect(createDatabase(postgres.url, 'another')).rejects.toThrow(/ECONNREFUSED.*; see that it runs/);
  if (process.platform !== 'linux') return;
  expect(await isLeft()).toBe(true);
  await postgres.stop();
  await expect.poll(isLeft).toBe(false);
});

/** The answer of a Redis to these lines. */
async function ask(port: string, words: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.setEncoding('utf8').write(`${words}\r\nQUIT\r\n`);
  let said = '';
  for await (const text of socket) said += text;
  return said;
}

test.skipIf(noRedis)(
  'Redis is a store, or a broker that writes nothing; neither lets in who has no password',
  async () => {
    for (const isBroker of [false, true]) {
      const redis = await start('redis', { folder: folder.in(isBroker ? 'broker' : 'store'), isBroker });
      const { port, password } = new URL(redis.url);
      expect(await ask(port, 'PING')).toContain('NOAUTH');
      expect(await ask(port, `AUTH ${password}\r\nSET key value`)).toContain('+OK\r\n+OK');
      await redis.kill();
      expect(redis.pids()).toEqual([]);
      await redis.start();
      const kept = await ask(port, `AUTH ${password}\r\nGET key`);
      expect(kept.includes('value')).toBe(!isBroker);
    }
  },
);

test('a program that is missing is named, with the way to have it', async () => {
  expect(await findStoreProgram('postgres', [])).toEqual({
    problem:
      'Postgres is not installed (no postgres and initdb); on Debian or Ubuntu: apt-get install postgresql; on macOS: brew install postgresql@17',
  });
  const nowhere = folder.in('none');
  await expect(findStoreProgram('redis', [nowhere])).resolves.toMatchObject({
    problem: expect.stringContaining('apt-get install redis-server'),
  });
  await expect(access(nowhere)).rejects.toThrow();
});
