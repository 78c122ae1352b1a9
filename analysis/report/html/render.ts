/** `report.html`: the verdicts, the charts, every figure and everything that it was measured on, in one file. */
import { join } from 'node:path';
import type { SeriesPoint } from '../../../results/formats/summary.ts';
import { withoutGrowth } from '../../cell/growth.ts';
import { notesOf, reasonsOf } from '../../cell/messages.ts';
import { nameCells } from '../../charts/chart-model.ts';
import { coloursOf } from '../../charts/palette.ts';
import { chartsOver } from '../../figures/catalogue.ts';
import { type Content, html } from '../../tables/markup.ts';
import { answerOf } from '../answer.ts';
import type { NamedReportCell, ReportCell, ReportData } from '../report-data.ts';
import { scalingTables, tierTables } from '../tables.ts';
import { resilienceTables } from '../tables-beside.ts';
import { aboutSection, methodSection, runLine } from './about-section.ts';
import { cellsSection } from './cells-section.ts';
import { figuresSection, publishedSection } from './figures-section.ts';
import { chartSections, renderPage, tableSection } from './page-shell.ts';
import { verdictSection } from './verdict-section.ts';
import { judgeLines } from './verdicts.ts';
import { wordsSection } from './words-section.ts';

/**
 * Renders a report. The same data gives the same bytes.
 *
 * @param code the page's script, if it is bundled already
 * @returns the whole page; write it as `report.html` into the folder that the data's relative paths start from
 * @throws the bundler's error where the page's own script cannot be built
 */
export async function renderReportHtml(data: ReportData, code?: string): Promise<string> {
  const words = await wordsSection();
  const cells = nameCells(data.cells, coloursOf(data.runs.map(({ environment }) => environment)));
  const runName = (index: number) => (data.runs.length > 1 ? html`<b>Run ${index + 1}</b> ` : null);
  return renderPage({
    title: [...new Set(data.runs.map(({ experiment }) => experiment))].join(', '),
    lines: data.runs.map((run, index) => [runName(index), runLine(run)]),
    nav: [
      ...([
        ['answer', 'Answer'],
        ['verdicts', 'Verdicts'],
        ['figures', 'Figures'],
        ['charts', 'Charts'],
        ['cells', 'Every cell'],
      ] as const),
      ...(data.published === null ? [] : [['published', 'Published'] as const]),
      ...([
        ['runs', 'Environment'],
        ['method', 'Method'],
        ['words', 'Words'],
      ] as const),
    ],
    sections: [
      answerSection(cells),
      verdictSection(judgeLines(cells), data.problems),
      figuresSection(cells),
      tierTables(data, resilienceTables).map(tableSection),
      cells.length === 0 ? null : chartSections(CHART_SECTIONS),
      scalingSection(data),
      cellsSection(cells),
      publishedSection(data.published),
      aboutSection(data.runs),
      methodSection(),
      words,
    ],
    data: { ...data, cells: data.cells.map(withoutMessages) },
    script: join(import.meta.dirname, 'page/report.ts'),
    code,
  });
}

/** As the page's script has it: the sentences stand in reasons and notes, and are long. */
function withoutMessages({ messages, series, ...cell }: ReportCell): object {
  return { ...cell, series: series.map(drawn), reasons: reasonsOf(messages), notes: notesOf(messages) };
}

/** Only with figures that a chart shows over time: half of a page with many cells is made of them. */
function drawn({ figures, ...point }: SeriesPoint): SeriesPoint {
  return { ...point, figures: Object.fromEntries(Object.entries(figures).filter(([name]) => DRAWN.has(name))) };
}

const DRAWN = new Set<string>(chartsOver('time').map(({ name }) => name));

/** The question that most readers come with, before everything else; the switches are those of all charts. */
function answerSection(cells: readonly NamedReportCell[]): Content {
  if (cells.length === 0) return null;
  const answered = cells.map(({ cell }) => cell);
  const most = Math.max(...answered.map(({ parameters }) => parameters.users));
  const all = answerOf(answered);
  const sentences =
    all.length > MOST_SENTENCES ? answerOf(answered.filter(({ parameters }) => parameters.users === most)) : all;
  return html`
<section id="answer" aria-labelledby="answer-title">
  <h2 id="answer-title">Answer</h2>
  ${sentences.map((sentence) => html`<p class="answer">${sentence}</p>`)}
</section>
<div id="toolbar" class="toolbar"></div>
<div class="panels" id="answer-panels"></div><p class="note"></p>`;
}

/** More are no answer: then only those with the most users stand here. */
const MOST_SENTENCES = 4;

const CHART_SECTIONS = [
  ['figures', 'By number of users'],
  ['time', 'Over time'],
  ['state', 'Saved state'],
] as const;

/** How figures grow with the number of users. */
function scalingSection(data: ReportData): Content {
  const tables = scalingTables(data).filter(({ rows }) => rows.length > 0);
  if (tables.length > 0) return tables.map(tableSection);
  const without = data.runs.flatMap((_, run) => withoutGrowth(data.cells.filter((cell) => cell.run === run)));
  return without.length === 0 ? null : html`<p class="note">${without.join(' ')}</p>`;
}
