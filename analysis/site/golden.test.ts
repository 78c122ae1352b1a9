/**
 * Golden: every table of the runs that the project keeps, and a report of typing and one of documents, byte for byte. After a
 * change that is meant, `npx vitest run analysis/site/golden -u` takes what there is now; its difference belongs into the
 * commit. SCRIPTORIUM_GOLDEN=FOLDER writes the texts behind the digests there, to compare two commits by `diff -r`.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import { readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { maxUsersOf } from '../cell/max-users.ts';
import { documentTables } from '../report/document-tables.ts';
import { writeReport } from '../report/report.ts';
import { faultTables } from '../report/resilience-tables.ts';
import { formatMarkdownTable, formatTable } from '../report/summary-table.ts';
import { typingCells } from '../scenarios/cell.ts';
import { renderMarkdown } from '../tables/render.ts';
import { done, subject, valid, writeHandMadeDocuments } from '../test-data/hand-made-documents.ts';
import { writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { SITE_SURROUNDINGS } from '../test-data/site-surroundings.ts';
import { collectSite } from './collect-site.ts';
import type { KeptRun } from './kept-file.ts';
import { keptNames, readKept } from './kept-runs.ts';
import { poolCampaigns } from './pool-campaigns.ts';

/** Runs that were kept later join when this is moved on. */
const KEPT_UNTIL = '2026-11-26T2215';
const GOLDEN = '../test-data/golden';
const TEXTS = process.env.SCRIPTORIUM_GOLDEN;

const folder = folderOfAllTests();

const markdown = (tables: readonly Parameters<typeof renderMarkdown>[0][]) => tables.map(renderMarkdown).join('\n\n');

async function tablesOf({ summary, plan }: KeptRun): Promise<string> {
  if (summary.scenario !== 'typing') {
    const beside = documentTables(summary, plan.experiment.trace, await readPublishedDocumentFigures());
    return [formatTable(summary), markdown(beside)].join('\n\n');
  }
  const cells = typingCells(summary);
  const most = maxUsersOf({ cells: cells.map((cell) => ({ ...cell, run: 0 })) });
  return [
    ...[formatTable(summary), formatTable(summary, { wide: true }), formatMarkdownTable(summary)],
    ...[markdown(faultTables(cells)), JSON.stringify(most, null, 1)],
  ].join('\n\n');
}

test('what is told of the kept runs, and of the blocks of campaigns together', async () => {
  const names = (await keptNames()).filter((name) => name < KEPT_UNTIL);
  const runs = await Promise.all(names.map(async (name) => ({ name, kept: await readKept(name) })));
  const pooled = poolCampaigns(runs).filter(({ blocks }) => blocks !== undefined);
  const site = collectSite(
    runs.map((run) => ({ ...run, isSubmitted: false })),
    SITE_SURROUNDINGS,
  );
  const texts = [
    ...(await Promise.all(runs.map(async ({ name, kept }) => [name, await tablesOf(kept)] as const))),
    ...(await Promise.all(pooled.map(async ({ name, kept }) => [`${name}-blocks`, await tablesOf(kept)] as const))),
    ...site.runs.map(({ name }, run) => {
      // Without their place among the runs, which moves with each that is kept.
      const rows = site.rows.flatMap(({ run: place, ...row }) => (place === run ? [row] : []));
      return [`${name}-site`, JSON.stringify(rows, null, 1)] as const;
    }),
  ];
  if (TEXTS !== undefined)
    for (const [name, text] of texts) await writeFileAtomically(join(TEXTS, `${name}.txt`), text);
  const digests = texts.map(
    ([name, text]) => `${createHash('sha256').update(text).digest('hex').slice(0, 12)} ${name}\n`,
  );
  await expect(digests.join('')).toMatchFileSnapshot(`${GOLDEN}/kept-runs.txt`);
  const example = await readKept('2026-11-26T2214-offline');
  await expect(await tablesOf(example)).toMatchFileSnapshot(`${GOLDEN}/offline.txt`);
});

describe('a report', () => {
  const FILES = ['summary.json', 'summary.csv', 'tables.md', 'tables.tex'];

  test('of typing', async () => {
    const figures = { localMs: 20, endToEndMs: 100, serverCpuPercent: 2 };
    const fault = { code: 'chrome-crashed', message: 'Chrome of user-001 crashed' };
    const found = { verdict: 'invalid', reasons: [{ code: 'machine-slept', message: 'the machine: slept' }] } as const;
    const slow = { ...figures, localMs: 130, endToEndMs: 7000 };
    const run = folder.in('typing');
    await writeHandMadeRun(run, {
      trials: [
        { figures },
        { figures: { ...figures, localMs: 40 }, verdict: { ...found, reasons: [...found.reasons] } },
        ...[{ figures: slow }, { figures, fault }, { figures, fault }, null],
      ],
      isAnalysed: true,
    });
    await writeReport([run], { script: '' });
    for (const file of [...FILES, 'series/x-noquill-2.csv']) {
      await expect(await readFile(join(run, file), 'utf8')).toMatchFileSnapshot(`${GOLDEN}/typing/${file}`);
    }
  });

  test('of documents', async () => {
    const run = folder.in('documents');
    const failed = { type: 'failure', code: 'out-of-time', message: 'it had made 10 of 20 edits after 5 s' } as const;
    const note = { type: 'note', code: 'cut', message: 'it is given the first edits only' } as const;
    await writeHandMadeDocuments(run, {
      yjs: [valid('yjs', 10), [note, ...valid('yjs', 20)], [note, ...valid('yjs', 40)]],
      slow: [valid('slow', 10), [subject('slow'), failed, done], [subject('slow'), failed, done]],
    });
    await writeReport([run], { script: '' });
    for (const file of FILES) {
      await expect(await readFile(join(run, file), 'utf8')).toMatchFileSnapshot(`${GOLDEN}/documents/${file}`);
    }
  });
});
