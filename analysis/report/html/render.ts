/** `report.html`: one file that holds its data, its script and its style, and opens without any request. */
import { join } from 'node:path';
import { bundleScript } from '../../charts/bundle.ts';
import { nameCells } from '../../charts/chart-model.ts';
import { coloursOf } from '../../charts/palette.ts';
import { readStyle } from '../../charts/style.ts';
import { type Content, html, Markup, scriptJson } from '../../tables/markup.ts';
import type { ReportData } from '../report-data.ts';
import { aboutSection, methodSection, runLine } from './about-section.ts';
import { cellsSection } from './cells-section.ts';
import { figuresSection } from './figures-section.ts';
import { publishedSection } from './published-section.ts';
import { resilienceSection } from './resilience-section.ts';
import { scalingSection } from './scaling-section.ts';
import { verdictSection } from './verdict-section.ts';
import { judgeLines } from './verdicts.ts';

/** The page may load nothing, from anywhere: what it needs is in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/**
 * Renders a report. The same data gives the same bytes.
 *
 * @returns the whole page; write it as `report.html` into the folder that the data's relative paths start from
 * @throws the bundler's error where the page's own script cannot be built
 */
export async function renderReportHtml(data: ReportData): Promise<string> {
  const [script, style] = await Promise.all([bundleScript(join(import.meta.dirname, 'page/report.ts')), readStyle()]);
  const cells = nameCells(data.cells, coloursOf(data.runs.map(({ environment }) => environment)));
  const names = [...new Set(data.runs.map(({ experiment }) => experiment))].join(', ');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${names}: Scriptorium report</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
<header>
  <p class="brand">Scriptorium</p>
  <h1>${names}</h1>
  ${data.runs.map((run, index) => html`<p class="run-line">${data.runs.length > 1 ? html`<b>Run ${index + 1}</b> ` : null}${runLine(run)}</p>`)}
  <nav aria-label="Sections"><a href="#verdicts">Verdicts</a> <a href="#figures">Figures</a> <a href="#charts">Charts</a>
  <a href="#cells">Every cell</a> ${data.published === null ? null : html`<a href="#published">Published</a> `}<a href="#runs">Environment</a> <a href="#method">Method</a></nav>
</header>
<main>
${verdictSection(judgeLines(cells), data.problems)}
${figuresSection(cells)}
${resilienceSection(data)}
${cells.length === 0 ? null : chartSections()}
${scalingSection(data)}
${cellsSection(cells)}
${publishedSection(data.published)}
${aboutSection(data)}
${methodSection()}
</main>
<script type="application/json" id="report-data">${scriptJson(data)}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

/** Where the script puts the charts. */
function chartSections(): Content {
  return html`
<div id="charts">
<div id="toolbar" class="toolbar"></div>
<noscript><p class="note">The charts need JavaScript. The tables hold every figure without it.</p></noscript>
<section aria-labelledby="figures-charts-title">
  <h2 id="figures-charts-title">By number of users</h2>
  <div class="panels" id="figures-panels"></div><p class="note"></p>
</section>
<section aria-labelledby="time-charts-title">
  <h2 id="time-charts-title">Over time</h2>
  <div class="toolbar-plain" id="time-users"></div>
  <div class="panels" id="time-panels"></div><p class="note"></p>
</section>
<section aria-labelledby="state-charts-title">
  <h2 id="state-charts-title">Saved state</h2>
  <div class="panels" id="state-panels"></div><p class="note"></p>
</section>
</div>`;
}
