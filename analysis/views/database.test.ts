import { copyFile, rm, writeFile } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { test } from '../test-data/at-once.ts';
import { at, sent, shown, writeHandMadeTrial } from '../test-data/hand-made-trial.ts';
import { figuresIn, user, useTrialFolders } from '../test-data/trial-folder.ts';
import { openRecords } from './database.ts';

const newFolder = useTrialFolders();

test('a folder whose name reads like a pattern is read, and not one that the pattern would find', async () => {
  const directory = await newFolder();
  const [named, found] = ['x[1]', 'x1'].map((name) => join(directory, name, 'a-1')) as [string, string];
  await writeHandMadeTrial(named, { users: [user(), user()] });
  await writeHandMadeTrial(found, { users: [user()] });
  await using records = await openRecords([named]);
  expect(await records.rows('SELECT users FROM user_counts')).toEqual([{ users: 2 }]);
});

test('a file that is no NDJSON stops the reading and is named', async () => {
  const directory = await newFolder({ users: [user()] });
  const file = join(directory, 'records', 'user-000.ndjson.gz');
  await writeFile(file, gzipSync('{"type":"sigil-shown","sigil"\n'));
  await expect(figuresIn(directory)).rejects.toThrow(/A record cannot be read.*user-000\.ndjson\.gz/);
  await writeFile(file, '');
  await expect(figuresIn(directory)).rejects.toThrow(/user-000\.ndjson\.gz is cut off or damaged/);
  await rm(join(directory, 'records'), { recursive: true });
  await expect(figuresIn(directory)).rejects.toThrow(/records holds no records/);
});

test('sigils that showed, and what became of them, have lines of their own types', async () => {
  const changed = { type: 'sigil-change-shown', sigil: '0000@', change: 'deleted', shownMs: at(13_000) } as const;
  await using records = await openRecords([await newFolder({ users: [user(shown('0000@', 12_000), changed)] })]);
  expect(await records.rows('SELECT sigil, shownMs FROM line.sigil_shown')).toEqual([
    { sigil: '0000@', shownMs: at(12_000) },
  ]);
  expect(await records.rows('SELECT change, shownMs FROM line.sigil_change_shown')).toEqual([
    { change: 'deleted', shownMs: at(13_000) },
  ]);
});

test('a record that unpacks to more than any is refused before it is loaded', async () => {
  const directory = await newFolder({ users: [user()] });
  const file = join(directory, 'records', 'user-000.ndjson.gz');
  await writeFile(file, gzipSync(`${JSON.stringify({ type: 'phase', phase: 'x'.repeat(900) })}\n`.repeat(5000)));
  await expect(openRecords([directory], { mostBytes: 2 ** 20 })).rejects.toThrow(
    /user-000\.ndjson\.gz is .* too large \(it has more than 1048576 bytes\)$/,
  );
});

test('several trials stand side by side in one database', async () => {
  const directory = await newFolder();
  for (const name of ['a-1', 'b-1']) {
    await writeHandMadeTrial(join(directory, name), { users: [user(sent('0000@', 12_000)), user()] });
  }
  await using records = await openRecords([join(directory, 'a-1'), join(directory, 'b-1')]);
  expect(await records.rows('SELECT trial, sigil FROM arrivals ORDER BY trial')).toEqual([
    { trial: 'a-1', sigil: '0000@' },
    { trial: 'b-1', sigil: '0000@' },
  ]);
});

test('processes are in the order of their users’ numbers, also of more than a thousand', async () => {
  const directory = await newFolder({ users: [user(), user()] });
  const record = (name: string) => join(directory, 'records', `${name}.ndjson.gz`);
  for (const name of ['user-999', 'user-1000', 'user-101']) await copyFile(record('user-001'), record(name));
  await using records = await openRecords([directory]);
  const rows = await records.rows<{ process: string }>('SELECT process FROM processes ORDER BY process');
  const names = ['coordinator', 'user-000', 'user-001', 'user-101', 'user-999', 'user-1000'];
  expect(rows.map(({ process }) => process)).toEqual(names);
});

test('queries get no more memory than is free', async () => {
  const before = freemem();
  await using records = await openRecords([await newFolder({ users: [user()] })]);
  const [row] = await records.rows<{ limit: string }>("SELECT current_setting('memory_limit') AS limit");
  const [, value, unit] = /^([\d.]+) (GiB|MiB)$/.exec(row!.limit)!;
  const limitBytes = Number(value) * (unit === 'GiB' ? 2 ** 30 : 2 ** 20);
  // Other programs may have ended since.
  expect(limitBytes).toBeLessThan(0.85 * Math.max(before, freemem()));
});

test('a database is closed after all that was asked, with what that had to make first', async () => {
  const directory = await newFolder({ users: [user(), user()] });
  const records = await openRecords([directory]);
  const asked = records.rows('SELECT trial FROM trial_figures');
  await records[Symbol.asyncDispose]();
  // DuckDB would end the whole process where a statement begins after the end.
  expect(await asked).toHaveLength(1);
});
