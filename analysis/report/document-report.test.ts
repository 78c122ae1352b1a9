/** Runs of document scenarios, made by hand: what their records say, and what becomes of them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DocumentCell } from '../../results/formats/documents.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { analyseRun, summaryOf } from '../cell/analyse-run.ts';
import { askDatabase, openRun } from '../cell/query.ts';
import { chartsOf } from '../charts/growth-charts.ts';
import { compareRuns } from '../compare/compare.ts';
import { toBencher, toGithubActionBenchmark } from '../compare/format.ts';
import { failedThresholds, parseThreshold } from '../compare/threshold.ts';
import { formatAmount } from '../figures/figure-text.ts';
import { FigurePool } from '../figures/pooling.ts';
import { DOCUMENT_AT_MS, done, subject, valid, writeHandMadeDocuments } from '../test-data/hand-made-documents.ts';
import { judgeDocumentTrial } from '../trial/analyse-trial.ts';
import { writeReport } from './report.ts';
import { formatTable } from './summary-table.ts';

const folder = folderOfAllTests();

/** @param trials the lines of each trial, by engine */
async function writeRun(name: string, trials: Record<string, RecordLine[][]>): Promise<string> {
  const directory = folder.in(name);
  await writeHandMadeDocuments(directory, trials);
  return directory;
}

test('a trial is what its record says of it', () => {
  expect(judgeDocumentTrial(valid('yjs', 12))).toMatchObject({
    verdict: { verdict: 'valid', reasons: [] },
    version: '1.2.3',
    measured: { columns: { applyMs: 12, savedKiB: 100 } },
  });
  const failure: RecordLine = { type: 'failure', code: 'wrong-content', message: 'another text' };
  const applied: RecordLine = { type: 'figure', figure: 'applyMs', value: 1 };
  expect(judgeDocumentTrial([subject('yjs'), applied, failure, done])).toMatchObject({
    verdict: { verdict: 'failed', reasons: [{ code: 'wrong-content', message: 'another text' }] },
  });
  const fault: RecordLine = { type: 'fault', atMs: DOCUMENT_AT_MS, message: 'no disk' };
  expect(judgeDocumentTrial([subject('yjs'), failure, fault, done]).verdict.verdict).toBe('invalid');
  // A process that was killed wrote no last line.
  expect(judgeDocumentTrial(valid('yjs', 12).slice(0, -1)).verdict).toMatchObject({
    verdict: 'invalid',
    reasons: [{ code: 'cut-off' }],
  });
});

test('a cell is the centre of its valid trials, with intervals; what failed counts against it', async () => {
  const failed: RecordLine[] = [subject('slow'), { type: 'failure', code: 'out-of-time', message: 'too slow' }, done];
  const directory = await writeRun('cells', {
    yjs: [valid('yjs', 10), valid('yjs', 20), valid('yjs', 40)],
    slow: [valid('slow', 10), failed],
    never: [failed],
    twice: [valid('twice', 10), valid('twice', 20)],
  });
  const analysed = await analyseRun(directory);
  const [yjs, slow, never, twice] = summaryOf(analysed).cells as DocumentCell[];
  // The geometric mean of 10, 20, 40; the mean of sizes.
  expect(yjs).toMatchObject({ engine: 'yjs', applyMs: 20, savedKiB: 100, verdict: 'valid', trials: 3 });
  // By hand: ln is 2.303, 2.996, 3.689: 0.693 apart; t(2) is 4.303: 4.303 · 0.6931 / √3 = 1.722, a factor of 5.595.
  expect(yjs!.ci95.applyMs!.low).toBeCloseTo(3.575, 2);
  expect(yjs!.ci95.applyMs!.high).toBeCloseTo(111.9, 1);
  expect(yjs!.curves.editMicroseconds).toEqual({ x: [1000, 2000], y: [2, 4] });
  expect(twice!.curves.editMicroseconds).toEqual({ x: [1000, 2000], y: [1.5, 3] });
  expect(slow).toMatchObject({ verdict: 'partly valid', validTrials: 1, failedTrials: 1, reasons: ['too slow'] });
  expect(never).toMatchObject({ verdict: 'failed', applyMs: null });
  const table = formatTable(analysed);
  expect(table).toContain('yjs     valid        20.0    100');
  expect(table).toContain('never: too slow');
  await writeReport([directory]);
  expect(await readFile(join(directory, 'tables.md'), 'utf8')).toMatch(/20\.0 \(3\.5[78]–112\)/);
  expect(chartsOf(analysed).map(({ id, lines }) => [id, lines.map(({ name }) => name)])).toEqual([
    ['curve-edit-microseconds', ['yjs', 'slow', 'twice']],
  ]);
});

test('the report holds tables, charts, and what others published', async () => {
  const directory = await writeRun('report', { yjs: [valid('yjs', 1940)], string: [valid('string', 610)] });
  const { beside } = await writeReport([directory]);
  const published = beside.find(({ title }) => title.includes('5000x'))!;
  expect(published.rows).toContainEqual(['Yjs 13.5.5', 'yjs 1.2.3', 'all edits, ms', '970', '1940', '2.00']);
  const page = await readFile(join(directory, 'report.html'), 'utf8');
  // The same page as of typing, which reads without its script.
  expect(page.match(/<script/g)).toHaveLength(2);
  const readable = page.replace(/<script[\s\S]*?<\/script>/g, '');
  for (const text of ['How fast is an edit applied?', '>1940<', '>970<', 'id="cell-1-', 'What the figures mean'])
    expect(readable).toContain(text);
  expect(await readFile(join(directory, 'charts/curve-edit-microseconds.svg'), 'utf8')).toMatch(/^<\?xml /);
  expect((await readFile(join(directory, 'summary.csv'), 'utf8')).split('\n')[0]).toContain('applyMs');
});

test('its records can be asked in SQL', async () => {
  const directory = await writeRun('sql', { yjs: [valid('yjs', 12)] });
  await using run = await openRun(directory);
  expect(run.notValid).toEqual([]);
  const { rows } = await askDatabase(
    run.database,
    "SELECT cell ->> '$.engine', figure, value FROM document_figures ORDER BY figure",
  );
  expect(rows).toEqual([
    ['yjs', 'applyMs', 12],
    ['yjs', 'savedKiB', 100],
  ]);
});

test('two runs are compared cell by cell, as a ratio', async () => {
  const times = (factor: number) => [100, 101, 102].map((ms) => valid('yjs', factor * ms));
  const base = await writeRun('base', { yjs: times(1), string: [valid('string', 1)] });
  const fresh = await writeRun('fresh', { yjs: times(0.5) });
  const comparison = await compareRuns(base, fresh);
  const { cells, unmatched } = comparison;
  expect(cells.map(({ name }) => name)).toEqual(['yjs']);
  const applied = cells[0]!.figures.find(({ figure }) => figure.name === 'applyMs')!;
  expect(applied).toMatchObject({ word: 'faster', isBetter: true });
  expect(applied.changePercent).toBeCloseTo(-50);
  expect(unmatched).toEqual([expect.stringContaining('string: only in')]);
  expect(
    failedThresholds(comparison, [
      parseThreshold(
        'applyMs < 60',
        comparison.cells[0]!.figures.map(({ figure }) => figure),
      ),
    ]),
  ).toEqual([expect.stringMatching(/^yjs: applyMs < 60: it is 50\.5 ms$/)]);
  expect(toBencher(comparison)).toMatchObject({ yjs: { 'all-edits': { value: expect.closeTo(50.5) } } });
  expect(toGithubActionBenchmark(comparison)[0]).toMatchObject({ name: 'yjs: all edits', unit: 'ms' });
  const refused = compareRuns(base, folder.in('none'));
  await expect(refused).rejects.toThrow(/holds no run/);
});

test('times are pooled by their geometric mean', () => {
  const centreOf = (...values: number[]) =>
    new FigurePool(values.map((applyMs) => ({ columns: { applyMs }, samples: {} }))).figure({
      pooled: 'geometric mean',
      column: 'applyMs',
    });
  expect(centreOf()).toBeNull();
  expect(centreOf(2, 8)).toBeCloseTo(4);
  // Of none above zero there is no logarithm.
  expect(centreOf(0, 8)).toBe(4);
});

test('figures have three digits', () => {
  expect([0.00912, 0.5, 12.34, 123.4, 15416, 0, null].map(formatAmount)).toEqual([
    ...['0.00912', '0.500', '12.3', '123', '15416', '0', '–'],
  ]);
});
