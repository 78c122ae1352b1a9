import { expect, test } from 'vitest';
import * as z from 'zod';
import { cellSummarySchema } from '../../results/formats/summary.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import { writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { openRecords } from '../views/database.ts';
import { chartsOver, FIGURES, HEADLINE_FIGURES, MEASURED_FIGURES, SUMMARY_FIGURES } from './catalogue.ts';
import { isHeadline } from './figure.ts';
import { columnsOf } from './pooling.ts';

/** The paths of all figures of a summary, by its schema. */
function figurePaths(): string[] {
  const { properties } = z.toJSONSchema(cellSummarySchema) as { properties: Record<string, { properties?: object }> };
  const noFigures = [
    'framework',
    'tier',
    'version',
    'mode',
    'users',
    'readers',
    'store',
    'servers',
    'trials',
    'validTrials',
    'failedTrials',
    'verdict',
    'reasons',
    'notes',
    'messages',
    'missedBounds',
  ];
  // Faults have figures of their own, and nobody knows beforehand the series that a server tells.
  const judged = ['converged', 'fullyFunctional', 'smooth', 'ci95', 'faults', 'serverSeries'];
  return Object.entries(properties)
    .filter(([name]) => ![...noFigures, ...judged].includes(name))
    .flatMap(([name, { properties: parts }]) =>
      parts === undefined ? [name] : Object.keys(parts).map((part) => `${name}.${part}`),
    );
}

test('every figure of a summary is in the catalogue, once, and every interval', () => {
  expect(SUMMARY_FIGURES.map(({ name }) => name).sort()).toEqual(figurePaths().sort());
  expect(HEADLINE_FIGURES.map(({ name }) => name).sort()).toEqual(
    Object.keys(cellSummarySchema.shape.ci95.shape).sort(),
  );
  expect(FIGURES.filter(isHeadline)).toEqual(HEADLINE_FIGURES);
});

test('names, labels, narrow headings and charts are unique', () => {
  for (const of of [FIGURES.map(({ name }) => name), FIGURES.map(({ label }) => label)]) {
    expect(new Set(of).size).toBe(of.length);
  }
  for (const axis of ['users', 'time'] as const) {
    const ids = chartsOver(axis).map(({ chart }) => chart.id);
    expect(new Set(ids).size).toBe(ids.length);
  }
  const short = FIGURES.map((figure) => figure.short.join(' '));
  expect(new Set(short).size).toBe(short.length);
});

test('latencies come first among the charts', () => {
  expect(chartsOver('users').map(({ chart }) => chart.id)).toEqual([
    ...['local-median', 'local-p95', 'end-to-end-median', 'end-to-end-p95'],
    ...['throughput', 'server-cpu', 'user-cpu', 'user-memory', 'saved-state', 'state-ratio'],
  ]);
});

test('all samples and columns that figures come from are in the views', async () => {
  await using run = await temporaryFolder();
  const trial = (localMs: number, serverCpuPercent: number) => ({
    figures: { localMs, endToEndMs: 100, serverCpuPercent },
  });
  await writeHandMadeRun(run.path, { trials: [trial(10, 2)] });
  await using records = await openRecords([run.in('trials/x-noquill-2-1')]);
  const { rows } = await records.ask("SELECT sql FROM duckdb_views() WHERE view_name = 'samples'");
  const samplesView = String(rows[0]![0]);
  const [trialRow] = await records.rows('FROM trial_figures LEFT JOIN backing_figures USING (trial)');
  const [bucketRow] = await records.rows('FROM bucket_figures');
  for (const { name, source, places, isOverTimeOnly } of MEASURED_FIGURES) {
    if ('samples' in source) expect(samplesView, name).toContain(`'${source.samples}'`);
    for (const column of columnsOf(source)) {
      if (isOverTimeOnly !== true) expect(trialRow, name).toHaveProperty(column);
      if (places.includes('series')) expect(bucketRow, name).toHaveProperty(column);
    }
  }
});
