/** The report of a run that measures single documents. */
import { join } from 'node:path';
import { readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import { type AnalysedRun, summaryOf } from '../cell/analyse-run.ts';
import { chartsOf } from '../charts/growth-charts.ts';
import { svgFile } from '../charts/svg-chart.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type Content, html } from '../tables/markup.ts';
import { type CaptionedTable, left } from '../tables/table.ts';
import { describeRun, pathFrom } from './collect.ts';
import { summaryCsv } from './csv.ts';
import { documentTables } from './document-tables.ts';
import { aboutSection, runLine } from './html/about-section.ts';
import { chartSections, renderPage, tableSection } from './html/page-shell.ts';
import type { ReportRun } from './report-data.ts';
import type { ReportParts } from './report-parts.ts';
import { describeCells, tabulateCells } from './summary-table.ts';

const INTERVALS = `In brackets: the 95 % interval over trials; without one: fewer than ${MIN_TRIALS} trials have the figure.`;

export async function documentParts(run: AnalysedRun, outDirectory: string): Promise<ReportParts> {
  const described = describeRun(run, pathFrom(outDirectory, run.directory));
  const studies = await readPublishedDocumentFigures();
  const beside = documentTables(run, run.plan.experiment.trace, studies);
  const main = tabulateCells(run, { withIntervals: true }).map(
    ({ table }): CaptionedTable => ({
      ...table,
      id: 'main',
      title: `${run.experiment}, ${run.startedAt}`,
      notes: [...SCENARIOS[run.scenario].legend, INTERVALS],
    }),
  );
  const tables = [...main, ...beside];
  return {
    summaryCsv: summaryCsv({
      ...{ scenario: run.scenario, runs: [described] },
      cells: run.cells.map((cell) => ({ ...cell, run: 0 })),
    }),
    files: chartsOf(run).map((chart) => [`charts/${chart.id}.svg`, svgFile(chart)] as const),
    first: [describeCells(run, '- ')].filter(Boolean),
    problems: [],
    sections: tables,
    last: [],
    latex: tables,
    beside,
    data: null,
    page: (script) => renderPageOf(run, described, { main, beside, script }),
  };
}

async function renderPageOf(
  analysed: AnalysedRun,
  run: ReportRun,
  { main, beside, script }: { main: readonly CaptionedTable[]; beside: readonly CaptionedTable[]; script?: string },
): Promise<string> {
  const scenario = SCENARIOS[analysed.scenario];
  const hasCharts = chartsOf(analysed).length > 0;
  return renderPage({
    title: run.experiment,
    lines: [scenario.title, runLine(run)],
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
      main.map(tableSection),
      hasCharts ? chartSections([['documents', 'Charts']]) : null,
      beside.map(tableSection),
      messagesSection(describeCells(analysed, '')),
      tableSection(meaningsTable(scenario)),
      aboutSection([run]),
    ],
    data: summaryOf(analysed),
    script: join(import.meta.dirname, 'html/page/document-report.ts'),
    code: script,
  });
}

function messagesSection(messages: string): Content {
  const items = messages === '' ? ['None.'] : messages.split('\n');
  return html`
<section id="messages" aria-labelledby="messages-title"><h2 id="messages-title">Reasons and notes</h2>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`;
}

function meaningsTable({ figures }: Scenario): CaptionedTable {
  return {
    id: 'meanings',
    title: 'What the figures mean',
    columns: ['figure', 'unit', 'what it is', 'name in summary.json'].map(left),
    rows: figures.map(({ name, label, unit, what }) => [label, unit, what, name]),
    notes: [],
  };
}
