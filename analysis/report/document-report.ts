/** Writes everything that the report of a document scenario's run consists of, from its records. */
import { join } from 'node:path';
import type { DocumentSummary } from '../../results/formats/documents.ts';
import { REPORT_FILE, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import { svgFile } from '../charts/svg-chart.ts';
import { type AnalysedDocumentRun, analyseDocumentRun, documentSummaryOf } from '../documents/analyse.ts';
import { chartsOf } from '../documents/charts.ts';
import type { ScenarioCatalogue } from '../documents/scenario.ts';
import { describeCells, tabulateCells } from '../documents/table.ts';
import { tablesBeside } from '../documents/tables-beside.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type Content, html } from '../tables/markup.ts';
import { type CaptionedTable, left } from '../tables/table.ts';
import { describeRun } from './collect.ts';
import { documentSummaryCsv } from './csv.ts';
import { aboutSection, runLine } from './html/about-section.ts';
import { chartSections, renderPage, tableSection } from './html/page-shell.ts';
import { latexPage, markdownPage } from './report.ts';

export interface WrittenDocumentReport {
  summary: DocumentSummary;
  /** Beside the main one. */
  tables: CaptionedTable[];
}

const INTERVALS = `In brackets: the 95 % interval over trials; without one: fewer than ${MIN_TRIALS} trials have the figure.`;

/**
 * Rebuilds `summary.json`, `report.html`, `summary.csv`, `tables.md`, `tables.tex` and `charts/`; in the run's own
 * folder, it also brings `figures.json` of each trial up to date. It writes nowhere else. The same records give the same bytes.
 *
 * @param options.outDirectory by default the run's own folder
 * @param options.script of the page; by default it is bundled
 * @throws UserError (2) where the run cannot be read
 */
export async function writeDocumentReport(
  runDirectory: string,
  { outDirectory = runDirectory, script }: { outDirectory?: string; script?: string } = {},
): Promise<WrittenDocumentReport> {
  const run = await analyseDocumentRun(runDirectory, { keeps: outDirectory === runDirectory });
  const summary = documentSummaryOf(run);
  const studies = await readPublishedDocumentFigures();
  const tables = tablesBeside(summary, run.plan.experiment.trace, studies);
  const main: CaptionedTable = {
    ...tabulateCells(summary, { withIntervals: true }),
    id: 'main',
    title: `${summary.experiment}, ${summary.startedAt}`,
    notes: [...run.catalogue.legend, INTERVALS],
  };
  const write = (name: string, content: string) => writeFileAtomically(join(outDirectory, name), content);
  await writeJson(join(outDirectory, SUMMARY_FILE), summary);
  await write('summary.csv', documentSummaryCsv(run));
  await write('tables.md', markdownPage([describeCells(summary, '- ')].filter(Boolean), { tables: [main, ...tables] }));
  await write('tables.tex', latexPage([main, ...tables]));
  for (const chart of chartsOf(summary)) await write(`charts/${chart.id}.svg`, svgFile(chart));
  await write(REPORT_FILE, await renderPageOf(run, summary, { tables: [main, ...tables], code: script }));
  return { summary, tables };
}

async function renderPageOf(
  analysed: AnalysedDocumentRun,
  summary: DocumentSummary,
  { tables, code }: { tables: readonly CaptionedTable[]; code?: string },
): Promise<string> {
  const { catalogue } = analysed;
  const run = describeRun(analysed, '.');
  const hasCharts = chartsOf(summary).length > 0;
  return renderPage({
    title: run.experiment,
    lines: [catalogue.title, runLine(run)],
    nav: [
      ['main', 'Figures'],
      ...(hasCharts ? [['charts', 'Charts'] as const] : []),
      ...([
        ['messages', 'Reasons and notes'],
        ['meanings', 'Meanings'],
        ['runs', 'Environment'],
      ] as const),
    ],
    sections: [
      tables.slice(0, 1).map(tableSection),
      hasCharts ? chartSections([['documents', 'Charts']]) : null,
      tables.slice(1).map(tableSection),
      messagesSection(describeCells(summary, '')),
      tableSection(meaningsTable(catalogue)),
      aboutSection([run]),
    ],
    data: summary,
    script: join(import.meta.dirname, 'html/page/document-report.ts'),
    code,
  });
}

function messagesSection(messages: string): Content {
  const items = messages === '' ? ['None.'] : messages.split('\n');
  return html`
<section id="messages" aria-labelledby="messages-title"><h2 id="messages-title">Reasons and notes</h2>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`;
}

function meaningsTable({ figures }: ScenarioCatalogue): CaptionedTable {
  return {
    id: 'meanings',
    title: 'What the figures mean',
    columns: ['figure', 'unit', 'what it is', 'name in summary.json'].map(left),
    rows: figures.map(({ name, label, unit, what }) => [label, unit, what, name]),
    notes: [],
  };
}
