import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { writeReport } from '../analysis/report/report.ts';
import { writeHandMadeRun } from '../analysis/test-data/hand-made-run.ts';
import { recordPath } from '../results/formats/run-directory.ts';
import { folderOfAllTests } from '../tests/folders.ts';
import { addCompareCommand } from './compare-command.ts';
import { addReportCommand } from './report-command.ts';
import { addSqlCommand } from './sql-command.ts';

const folder = folderOfAllTests();
let base: string;
let slower: string;
beforeAll(async () => {
  [base, slower] = [folder.in('base'), folder.in('slower')];
  const trials = (...localMs: number[]) =>
    localMs.map((each) => ({ figures: { localMs: each, endToEndMs: 100, serverCpuPercent: 2 } }));
  await writeHandMadeRun(base, { trials: [...trials(10, 20, 40), null], isAnalysed: true });
  await writeHandMadeRun(slower, { trials: trials(100, 200, 400), isAnalysed: true });
});

let printed: string[];
let said: string[];
beforeEach(() => {
  [printed, said] = [[], []];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text).trimEnd()) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

/** The stdout of a command. */
async function run(...args: string[]): Promise<string> {
  const program = new Command().exitOverride();
  for (const add of [addReportCommand, addSqlCommand, addCompareCommand]) add(program);
  await program.parseAsync(args, { from: 'user' });
  return printed.join('\n');
}

test('report prints the table, says what is missing, and writes its files', async () => {
  const out = folder.in('out');
  expect(await run('report', base, '--out', out)).toMatch(/noquill[\s\S]*Report: .*report\.html$/);
  expect(said).toEqual(['small (../base): 1 of 4 planned trials have not run']);
  expect(await readFile(join(out, 'tables.md'), 'utf8')).toContain('20 (3.6–110)');
});

test('report --published says where the published numbers are', async () => {
  const text = await run('report', base, '--published', '--out', folder.in('published-out'));
  expect(text).toMatch(/Published numbers: \d+ tables at the end of tables\.md, and in report\.html under Published\./);
  expect(text).toContain('No cell here is one of the paper’s.');
  const tables = await readFile(folder.in('published-out', 'tables.md'), 'utf8');
  expect(tables).toContain('## Published, not measured here: Table 3');
});

test('a report of which no trial can be used ends with 1', async () => {
  const unusable = folder.in('unusable');
  await writeHandMadeRun(unusable, {
    trials: [
      { figures: { localMs: 10, endToEndMs: 100, serverCpuPercent: 2 }, fault: { code: 'lost', message: 'lost' } },
    ],
  });
  await run('report', base, '--out', folder.in('out'));
  expect(process.exitCode).toBe(0);
  await run('report', unusable);
  expect(process.exitCode).toBe(1);
});

test('a summary is not replaced if the records of its trials are gone', async () => {
  const published = folder.in('published');
  await writeHandMadeRun(published, {
    trials: [{ figures: { localMs: 10, endToEndMs: 100, serverCpuPercent: 2 } }],
    isAnalysed: true,
  });
  const summary = join(published, 'summary.json');
  await run('report', published);
  const before = await readFile(summary, 'utf8');
  await rm(join(published, 'trials'), { recursive: true });
  await expect(run('report', published)).rejects.toThrow(/tells of 1 trials, but only 0 have their records here/);
  expect(await readFile(summary, 'utf8')).toBe(before);
  await run('report', published, '--out', folder.in('beside'));
  expect(await readFile(summary, 'utf8')).toBe(before);
  // One of another version of the project.
  await writeFile(summary, '{"schemaVersion":9}');
  await expect(run('report', published)).rejects.toThrow(/tells of an unknown number of trials/);
});

test('another run’s report is not written over, nor that of one of several', async () => {
  const before = await readFile(join(slower, 'report.html'), 'utf8').catch(() => null);
  await expect(run('report', base, '--out', slower)).rejects.toThrow(
    /holds a run, whose own report would be lost; give/,
  );
  await expect(run('report', base, slower, '--out', slower)).rejects.toThrow(/would be lost/);
  expect(await readFile(join(slower, 'report.html'), 'utf8').catch(() => null)).toBe(before);
  await folder.put('a file', '');
  await expect(run('report', folder.in('a file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.each(['cut off', 'missing'])('summary and figures are not replaced if records are %s', async (state) => {
  const damaged = folder.in(`records ${state}`);
  await writeHandMadeRun(damaged, {
    trials: [10, 20].map((localMs) => ({ figures: { localMs, endToEndMs: 100, serverCpuPercent: 2 } })),
    isAnalysed: true,
  });
  await run('report', damaged);
  const trial = join(damaged, 'trials/x-noquill-2-2');
  const kept = () =>
    Promise.all([join(damaged, 'summary.json'), join(trial, 'figures.json')].map((path) => readFile(path, 'utf8')));
  const before = await kept();
  const record = recordPath(trial, 'coordinator');
  if (state === 'missing') await rm(join(trial, 'records'), { recursive: true });
  else await writeFile(record, (await readFile(record)).subarray(0, 100));
  await expect(run('report', damaged)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(
      state === 'missing'
        ? /x-noquill-2-2 has no records; /
        : /coordinator\S* is cut off or damaged, .* end of file\); /,
    ),
  });
  expect(await kept()).toEqual(before);
  await run('report', damaged, '--out', folder.in(`of what is not ${state}`));
  // The run's own report, after a further trial, takes nothing away either.
  await writeReport([damaged], { script: '' });
  expect((await kept())[1]).toBe(before[1]);
});

test('sql prints a table, CSV or JSON', async () => {
  const query = 'SELECT cell, trials, localP50Ms, localP95Ms FROM cell_summaries';
  expect(await run('sql', base, query)).toBe(
    'cell         trials  localP50Ms  localP95Ms\nx-noquill-2       3          20  –',
  );
  printed = [];
  expect(await run('sql', base, query, '--csv')).toBe('cell,trials,localP50Ms,localP95Ms\nx-noquill-2,3,20,');
  printed = [];
  expect(JSON.parse(await run('sql', base, query, '--json'))).toEqual([
    { cell: 'x-noquill-2', trials: 3, localP50Ms: 20, localP95Ms: null },
  ]);
});

test('compare fails with 1 where a threshold is passed, and only there', async () => {
  expect(await run('compare', base, slower, '--fail-if', 'localLatencyMs.p50 > +1000%')).toContain('slower');
  expect(process.exitCode).toBe(0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  await run('compare', base, slower, '--fail-if', 'throughputPercent < 98', '--fail-if', 'localLatencyMs.p50 > +10%');
  expect(process.exitCode).toBe(1);
  expect(said).toEqual([
    'x, noquill, 2 users: localLatencyMs.p50 > +10%: it changed by +900.0 %, between two runs made apart\n',
  ]);
});

test('compare prints Markdown and JSON forms', async () => {
  expect(await run('compare', base, slower, '--markdown')).toMatch(/^## Comparison/);
  printed = [];
  expect(JSON.parse(await run('compare', base, slower, '--format', 'bencher'))).toHaveProperty('x, noquill, 2 users');
  printed = [];
  expect(JSON.parse(await run('compare', base, slower, '--format', 'json')).cells[0].figures[1]).toMatchObject({
    figure: { name: 'localLatencyMs.p50' },
    word: 'may be chance',
  });
  await expect(run('compare', base, slower, '--format', 'xml')).rejects.toThrow(/Allowed choices are table/);
});

test('two forms at once are refused', async () => {
  await expect(run('compare', base, slower, '--markdown', '--format', 'json')).rejects.toThrow(
    /'--markdown' cannot be used with option '--format <format>'/,
  );
  await expect(run('sql', base, 'SELECT 1', '--csv', '--json')).rejects.toThrow(
    /'--json' cannot be used with option '--csv'/,
  );
});
