import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FIGURES_FILE, recordPath, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { folderOfAllTests, folderOfEachTest } from '../../tests/folders.ts';
import { writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { analyseRun, summaryOf } from './analyse-run.ts';
import { askDatabase, listViews, type OpenRun, openRun } from './query.ts';

const analysed = folderOfAllTests();
/** Of the run as it is, for questions that are not refused. */
let open: OpenRun;
const run = folderOfEachTest();
beforeAll(async () => {
  const trial = (localMs: number) => ({ figures: { localMs, endToEndMs: 100, serverCpuPercent: 2 } });
  await writeHandMadeRun(analysed.path, {
    trials: [trial(10), trial(20), { ...trial(1000), fault: { code: 'lost', message: 'user 1 was lost' } }, trial(40)],
    isAnalysed: true,
  });
  await writeJson(analysed.in(SUMMARY_FILE), summaryOf(await analyseRun(analysed.path, { keeps: true })));
  open = await openRun(analysed.path);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await cp(analysed.path, run.path, { recursive: true });
});

const trialFolder = (trial: number) => run.in(`trials/x-noquill-2-${trial}`);

test('golden: the summary of a cell pools its valid trials only, and says which are not', async () => {
  expect(open.leftOut).toEqual([]);
  expect(open.notValid).toEqual(['x-noquill-2-3 is invalid: user 1 was lost']);
  // 10, 20 and 40 ms, six sigils each; with the invalid trial's 1000 ms the median would be 30.
  const columns = ['cell', 'trials', 'localP50Ms', 'localP95Ms', 'localSamples', 'sigilsArrivedPercent'];
  const sql = `SELECT ${columns.join(', ')} FROM cell_summaries`;
  expect(await askDatabase(open.database, sql)).toEqual({
    isCut: false,
    statements: 1,
    columns,
    rows: [['x-noquill-2', 3, 20, null, 18, 100]],
  });
  expect(await askDatabase(open.database, 'SELECT trial FROM trials ORDER BY number')).toMatchObject({
    rows: [['x-noquill-2-1'], ['x-noquill-2-2'], ['x-noquill-2-3'], ['x-noquill-2-4']],
  });
});

test('trials that cannot be read are left out, each with its reason', async () => {
  const cutOff = recordPath(trialFolder(1), 'user-000');
  await truncate(cutOff, (await readFile(cutOff)).length - 12);
  await writeFile(recordPath(trialFolder(2), 'user-000'), gzipSync('{"type":"sigil-shown","sigil"\n'));
  await rm(recordPath(trialFolder(4), 'user-001'));
  await using open = await openRun(run.path);
  expect(open.leftOut).toEqual([
    expect.stringMatching(/^x-noquill-2-1: .* is cut off or damaged/),
    expect.stringMatching(/^x-noquill-2-2: A record cannot be read/),
  ]);
  expect(open.notValid).toEqual([
    'x-noquill-2-3 is invalid: user 1 was lost',
    'x-noquill-2-4 is invalid: the records: missing or incomplete at user-001 (no process, no clock, no settled line)',
  ]);
});

test('of an older run its trials are judged, and its cells made, from the records', async () => {
  await rm(run.in(SUMMARY_FILE));
  for (const trial of [1, 2, 3, 4]) await rm(join(trialFolder(trial), FIGURES_FILE));
  await using open = await openRun(run.path);
  expect(open.notValid).toEqual(['x-noquill-2-3 is invalid: user 1 was lost']);
  const { rows } = await askDatabase(open.database, 'SELECT cell, trials, localP50Ms FROM cell_summaries');
  expect(rows).toEqual([['x-noquill-2', 3, 20]]);
});

test('only the trials that are asked for are opened', async () => {
  await using open = await openRun(run.path, { trials: ['x-noquill-2-4'] });
  expect((await askDatabase(open.database, 'FROM trials')).rows).toHaveLength(1);
  await expect(openRun(run.path, { trials: ['y'] })).rejects.toThrow(
    /no trial .* begins with y; there are x-noquill-2-1, /,
  );
  // As where a query was taken for one more name.
  await expect(openRun(run.path, { trials: ['x', 'FROM trials'] })).rejects.toThrow(
    /takes "FROM trials" as a name of trials; put the query before/,
  );
});

test('of several statements the last one answers, and they are counted; a comment alone is none', async () => {
  const two = "SET VARIABLE least = 2; FROM range(4) WHERE range > getvariable('least')";
  expect(await askDatabase(open.database, two)).toMatchObject({ rows: [[3]], statements: 2 });
  for (const none of [';', '-- FROM trials'])
    await expect(askDatabase(open.database, none)).rejects.toThrow(
      'the query was refused: it has no statement, such as',
    );
});

test('numbers come as numbers, lists as text', async () => {
  const { rows } = await askDatabase(open.database, "SELECT count(*), 1.5, 0.5::DOUBLE, NULL, [1, 2], 'a' FROM trials");
  expect(rows).toEqual([[4, 1.5, 0.5, null, '[1,2]', 'a']]);
});

test('the views and functions that can be asked are listed with their columns', async () => {
  const { columns, rows } = await listViews(open.database);
  expect(columns).toEqual(['view', 'columns']);
  expect(rows).toContainEqual(['own_latencies', 'trial, sender, sigil, localLatencyMs, responseTimeMs']);
  expect(rows).toContainEqual(['driver_lags_at(p)', 'a function']);
});

test('an answer that is too long is cut, and says so', async () => {
  const { rows, isCut } = await askDatabase(open.database, 'FROM range(100_000_000_000)', { atMost: 3 });
  expect(rows).toEqual([[0], [1], [2]]);
  expect(isCut).toBe(true);
  expect(await askDatabase(open.database, 'FROM range(3)', { atMost: 3 })).toMatchObject({ isCut: false });
});

/** Queries of a stranger. `OWN`: a file of the run; `FOLDER`: its folder; `TEMPORARY`: one where DuckDB would spill. */
const HOSTILE = [
  ...[
    "COPY (SELECT 1) TO 'OWN'",
    "COPY (SELECT 1) TO 'TEMPORARY'",
    "COPY lines FROM 'OWN'",
    "EXPORT DATABASE 'FOLDER/all'",
  ],
  ...[
    "IMPORT DATABASE 'FOLDER'",
    "FROM read_text('OWN')",
    "FROM read_text('TEMPORARY')",
    "FROM read_blob('/etc/passwd')",
  ],
  ...[
    "FROM read_csv('OWN')",
    "FROM read_json('OWN')",
    "FROM read_parquet('FOLDER/*')",
    "FROM glob('FOLDER/*')",
    "FROM 'OWN'",
  ],
  ...["FROM sniff_csv('OWN')", "ATTACH 'FOLDER/more.db'", "ATTACH 'TEMPORARY'"],
  ...['INSTALL httpfs', 'LOAD httpfs', "LOAD 'FOLDER/x.duckdb_extension'", "INSTALL x FROM 'FOLDER'"],
  ...['SET enable_external_access = true', "SET temp_directory = 'FOLDER'", "SET home_directory = 'FOLDER'"],
  ...["SET allowed_directories = ['/']", 'RESET enable_external_access', "SET log_query_path = 'FOLDER/log'"],
  ...[
    "PRAGMA enable_profiling = 'json'",
    "PRAGMA profiling_output = 'FOLDER/profile'",
    'SET lock_configuration = false',
  ],
  ...["CREATE SECRET s (TYPE http, BEARER_TOKEN 'x')", "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')"],
  ...["CALL enable_logging('QueryLog', storage = 'file', storage_path = 'FOLDER/log.csv')", 'CALL Disable_Logging()'],
  ...["FROM system.main.enable_logging(storage = 'file', storage_path = 'FOLDER')", 'FROM truncate_duckdb_logs()'],
  ...['DROP TABLE lines', 'UPDATE trials SET users = 3', 'CREATE TABLE t AS SELECT 1'],
  ...['CREATE OR REPLACE VIEW trials AS SELECT 1', "COMMIT; COPY (SELECT 1) TO 'OWN'", 'SELECT nonsense'],
];

test('a query neither reads nor writes a file, and changes nothing; a refused one says so in the database’s words', async () => {
  const own = join(trialFolder(1), 'verdict.json');
  // The folder in which DuckDB would put what memory does not hold; whatever else is forbidden, it may go there.
  const spilled = resolve('.tmp');
  const isTheirs = existsSync(spilled);
  const temporary = join(spilled, `query-test-${process.pid}`);
  await mkdir(spilled, { recursive: true });
  await writeFile(temporary, 'theirs');
  try {
    const before = await readFile(own);
    const there = await readdir(run.path, { recursive: true });
    await using open = await openRun(run.path, { trials: ['x-noquill-2-1'] });
    for (const hostile of HOSTILE) {
      // As at first, whatever the one before did to the transaction.
      await open.database.ask('ROLLBACK').catch(() => {});
      await open.database.ask('BEGIN TRANSACTION READ ONLY');
      const sql = hostile.replaceAll('OWN', own).replaceAll('FOLDER', run.path).replaceAll('TEMPORARY', temporary);
      await expect(askDatabase(open.database, sql), sql).rejects.toMatchObject({
        ...{ name: 'UserError', exitCode: 2, message: expect.stringContaining('the query was refused: ') },
      });
    }
    expect(await readFile(own)).toEqual(before);
    expect(await readdir(run.path, { recursive: true })).toEqual(there);
    expect(await readFile(temporary, 'utf8')).toBe('theirs');
  } finally {
    await rm(isTheirs ? temporary : spilled, { recursive: true });
  }
});
