/** Writes everything that the report of a document scenario's run consists of, from its records. */
import { join } from 'node:path';
import type { DocumentSummary } from '../../results/formats/document-summary.ts';
import { REPORT_FILE, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { type PublishedDocumentStudy, readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import { readStyle } from '../charts/style.ts';
import { svgFile, svgLines } from '../charts/svg-lines.ts';
import { runDetails } from '../report/html/about-section.ts';
import { tableSection } from '../report/html/sections.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type Content, html, Markup } from '../tables/markup.ts';
import { renderCsv, renderLatex, renderMarkdown } from '../tables/render.ts';
import type { CaptionedTable } from '../tables/table.ts';
import { type AnalysedDocumentRun, analyseDocumentRun, documentSummaryOf } from './analyse.ts';
import { chartsOf } from './charts.ts';
import { publishedSlopeTables } from './published-slopes.ts';
import type { ScenarioFigure } from './scenario.ts';
import { slopeTables } from './slopes.ts';
import { describeCells, publishedTables, tabulateCells } from './table.ts';

export interface WrittenDocumentReport {
  summary: DocumentSummary;
  /** Beside the main one. */
  tables: CaptionedTable[];
}

const INTERVALS = `In brackets: the 95 % interval over trials; without one: fewer than ${MIN_TRIALS} trials have the figure.`;

/** The page may load nothing, from anywhere: what it needs is in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/**
 * Rebuilds `summary.json`, `report.html`, `summary.csv`, `tables.md`, `tables.tex` and `charts/`, and writes nowhere else.
 * The same records give the same bytes.
 *
 * @param outDirectory by default the run's own folder
 * @throws UserError (2) where the run cannot be read
 */
export async function writeDocumentReport(
  runDirectory: string,
  { outDirectory = runDirectory }: { outDirectory?: string } = {},
): Promise<WrittenDocumentReport> {
  const run = await analyseDocumentRun(runDirectory);
  const summary = documentSummaryOf(run);
  const studies = await readPublishedDocumentFigures();
  const tables = tablesBeside(summary, run.plan.experiment.trace, studies);
  const main: CaptionedTable = {
    ...tabulateCells(summary, { withIntervals: true }),
    id: 'main',
    title: titleOf(summary),
    notes: [...run.catalogue.legend, INTERVALS],
  };
  const write = (name: string, content: string) => writeFileAtomically(join(outDirectory, name), content);
  await writeJson(join(outDirectory, SUMMARY_FILE), summary);
  await write('summary.csv', summaryCsv(run));
  await write('tables.md', `${[main, ...tables].map(markdownOf).join('\n\n')}\n`);
  await write('tables.tex', `${[main, ...tables].map(renderLatex).join('\n\n')}\n`);
  for (const chart of chartsOf(summary)) await write(`charts/${chart.id}.svg`, svgFile(chart));
  await write(REPORT_FILE, await renderPage(run, summary, [main, ...tables]));
  return { summary, tables };
}

/**
 * What stands beside the cells: others' figures, and how what was measured grows.
 *
 * @param trace of the experiment
 */
export function tablesBeside(
  summary: DocumentSummary,
  trace: unknown,
  studies: readonly PublishedDocumentStudy[],
): CaptionedTable[] {
  return [...publishedTables(summary, trace, studies), ...publishedSlopeTables(summary), ...slopeTables(summary)];
}

function titleOf({ experiment, startedAt }: DocumentSummary): string {
  return `${experiment}, ${startedAt}`;
}

function markdownOf(table: CaptionedTable): string {
  return [`### ${table.title}`, renderMarkdown(table), ...table.notes].join('\n\n');
}

/** Every figure of every cell, an interval as two columns. */
function summaryCsv({ plan, catalogue, cells }: AnalysedDocumentRun): string {
  const parameters = catalogue.parameters.map(({ name }) => name);
  const figures = catalogue.figures.map(({ name }) => name);
  const columns = [
    ...['experiment', 'startedAt', 'cell', ...parameters, 'version', 'trials', 'validTrials', 'verdict'],
    ...figures,
    ...figures.flatMap((name) => [`ci95.${name}.low`, `ci95.${name}.high`]),
  ];
  const field = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? value : null);
  return renderCsv(
    columns,
    cells.map(({ name, summary }) => [
      plan.experiment.name,
      plan.startedAt,
      name,
      ...parameters.map((each) => field(summary[each])),
      summary.version,
      summary.trials,
      summary.validTrials,
      summary.verdict,
      ...figures.map((each) => field(summary[each])),
      ...figures.flatMap((each) => [summary.ci95[each]?.low ?? null, summary.ci95[each]?.high ?? null]),
    ]),
  );
}

async function renderPage(
  run: AnalysedDocumentRun,
  summary: DocumentSummary,
  tables: readonly CaptionedTable[],
): Promise<string> {
  const style = await readStyle();
  const trials = run.cells.flatMap((cell) => cell.trials);
  const valid = trials.filter(({ verdict }) => verdict === 'valid').length;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${summary.experiment}: Scriptorium report</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
<header>
  <p class="brand">Scriptorium</p>
  <h1>${summary.experiment}</h1>
  <p class="run-line">${run.catalogue.title} · ${summary.startedAt} · ${valid} of ${trials.length} trials valid</p>
</header>
<main>
${tables.map(tableSection)}
<section aria-labelledby="said-title"><h2 id="said-title">Reasons and notes</h2>
${listOf(describeCells(summary))}</section>
<section aria-labelledby="charts-title"><h2 id="charts-title">Charts</h2>
${chartsOf(summary).map((chart) => html`<figure>${svgLines(chart)}</figure>`)}</section>
<section aria-labelledby="figures-title"><h2 id="figures-title">Figures</h2>
<dl>${run.catalogue.figures.map(meaningOf)}</dl></section>
<section aria-labelledby="runs-title"><h2 id="runs-title">Environment and versions</h2>
${runDetails(
  {
    directory: '.',
    experiment: summary.experiment,
    startedAt: summary.startedAt,
    environment: summary.environment,
    plan: run.plan.experiment,
    plannedTrials: run.plan.trials.length,
    finishedTrials: trials.length,
    validTrials: valid,
  },
  '',
)}</section>
</main>
</body>
</html>
`;
  return page.text;
}

function listOf(lines: readonly string[]): Content {
  return lines.length === 0
    ? html`<p class="note">None.</p>`
    : html`<ul>${lines.map((line) => html`<li>${line.trim()}</li>`)}</ul>`;
}

function meaningOf({ name, label, unit, what }: ScenarioFigure): Content {
  return html`<div><dt>${label} (<code>${name}</code>, ${unit})</dt><dd>${what}</dd></div>`;
}
