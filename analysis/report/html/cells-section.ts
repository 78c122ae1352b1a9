/** Every cell with its figures and intervals, its trials, reasons, notes and CPU profiles. */
import type { CellSummary } from '../../../results/formats/summary.ts';
import { type Content, html, type Markup } from '../../charts/markup.ts';
import { countOf, formatInterval } from '../../charts/numbers.ts';
import { chartsOver, HEADLINE_FIGURES, SUMMARY_FIGURES } from '../../figures/catalogue.ts';
import { type Figure, isHeadline, longUnit, titleOf } from '../../figures/figure.ts';
import { formatFigure, formatFigureOf, NOTHING } from '../../figures/figure-text.ts';
import { INTERVAL_MEANING } from '../../statistics/interval.ts';
import type { NamedReportCell, ReportCell, ReportTrial } from '../report-data.ts';
import { verdictText } from './figures-section.ts';
import { cellAnchor, STATES } from './verdict-section.ts';
import { stateOf } from './verdicts.ts';

const CHARTED = chartsOver('users');
/** What no chart against users shows. */
const FURTHER = SUMMARY_FIGURES.filter((figure) => !CHARTED.some(({ name }) => name === figure.name));

export function cellsSection(cells: readonly NamedReportCell[]): Content {
  if (cells.length === 0) return null;
  return html`
<section id="cells" aria-labelledby="cells-title">
  <h2 id="cells-title">Every cell</h2>
  <p class="note">${INTERVAL_MEANING}</p>
  ${cells.map(cellDetails)}
</section>`;
}

function cellDetails({ line, cell }: NamedReportCell): Markup {
  const { summary, trials, run, name } = cell;
  const state = stateOf(summary);
  return html`
<details class="cell" id="${cellAnchor(run, name)}">
  <summary><span class="chip ${state}">${STATES[state].sign}</span> <b>${line}</b> <span class="version">${summary.version}</span>
  ${summary.mode}, ${countOf(summary.users, 'user')} <span class="quiet">${standing(summary)}</span></summary>
  ${messages('Reasons', summary.reasons)}
  ${messages('Notes', summary.notes)}
  <div class="scroll" tabindex="0" role="region" aria-label="Trials of ${line}, ${summary.mode}, ${summary.users} users">${trialTable(trials)}</div>
  ${summary.validTrials === 0 ? null : figureList(cell)}
</details>`;
}

/** `valid, fully functional`; a cell without a valid trial is neither functional nor not. */
function standing(summary: CellSummary): string {
  if (summary.validTrials === 0) return summary.verdict;
  const state = stateOf(summary);
  return `${verdictText(summary)}, ${state === 'unknown' ? 'fully functional or not is not known' : STATES[state].word}`;
}

function messages(title: string, texts: readonly string[]): Content {
  if (texts.length === 0) return null;
  return html`<h4>${title}</h4><ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function trialTable(trials: readonly ReportTrial[]): Markup {
  return html`
<table>
  <thead><tr><th scope="col">trial</th><th scope="col">verdict</th>
  ${HEADLINE_FIGURES.map((figure) => html`<th scope="col" class="number">${titleOf(figure)} <small>${longUnit(figure)}</small></th>`)}
  <th scope="col">CPU profiles</th></tr></thead>
  <tbody>${trials.map(trialRow)}</tbody>
</table>`;
}

function trialRow({ trial, verdict, reasons, figures, cpuProfiles }: ReportTrial): Markup {
  return html`
<tr><th scope="row">${trial}</th><td>${verdict}</td>
${
  figures === null
    ? html`<td colspan="${HEADLINE_FIGURES.length}" class="instead">${reasons.join('; ')}</td>`
    : HEADLINE_FIGURES.map(({ name }) => html`<td class="number">${formatFigure(figures[name] ?? null)}</td>`)
}
<td>${cpuProfiles.length === 0 ? NOTHING : cpuProfiles.map((path) => html`<a href="${encodeURI(path)}">${profileName(path)}</a> `)}</td></tr>`;
}

/** `user-000` of `trials/yjs-optquill-4-1/profiles/user-000.cpuprofile`. */
function profileName(path: string): string {
  return path
    .split('/')
    .at(-1)!
    .replace(/\.cpuprofile$/, '');
}

function figureList({ summary }: ReportCell): Markup {
  return html`
<div class="columns">
<table>
  <thead><tr><th scope="col">of all valid trials</th><th scope="col" class="number">figure</th><th scope="col" class="number">95 % interval</th></tr></thead>
  <tbody>${CHARTED.map(
    (figure) =>
      html`<tr><th scope="row">${titleOf(figure)}, ${longUnit(figure)}</th><td class="number">${formatFigureOf(figure, summary)}</td>
      <td class="number">${intervalText(figure, summary)}</td></tr>`,
  )}</tbody>
</table>
<table>
  <thead><tr><th scope="col">further</th><th scope="col" class="number">figure</th></tr></thead>
  <tbody>${FURTHER.map((figure) => furtherRow(`${titleOf(figure)}, ${longUnit(figure)}`, formatFigureOf(figure, summary)))}
  ${furtherRow('Converged', summary.converged === null ? NOTHING : summary.converged ? 'yes' : 'no')}</tbody>
</table>
</div>`;
}

function intervalText(figure: Figure, summary: CellSummary): string {
  return isHeadline(figure) ? formatInterval(summary.ci95[figure.name], summary) : '';
}

function furtherRow(title: string, text: string): Markup {
  return html`<tr><th scope="row">${title}</th><td class="number">${text}</td></tr>`;
}
