/** Every cell with its figures and intervals, its trials, reasons, notes and CPU profiles. */
import type { CellSummary } from '../../../results/formats/summary.ts';
import type { NamedCell } from '../../charts/chart-model.ts';
import { CELL_METRICS } from '../../charts/metrics.ts';
import { countOf, formatInterval } from '../../charts/numbers.ts';
import { formatFigure, NOTHING } from '../../figure-text.ts';
import { INTERVAL_MEANING } from '../../statistics/interval.ts';
import type { ReportCell, ReportTrial } from '../report-data.ts';
import { verdictText } from './figures-section.ts';
import { type Content, html, type Markup } from './markup.ts';
import { cellAnchor, STATES } from './verdict-section.ts';
import { stateOf } from './verdicts.ts';

/** The figures that no chart shows. */
const FURTHER: readonly { title: string; text: (cell: CellSummary) => string }[] = [
  { title: 'Worst user’s throughput, %', text: (cell) => formatFigure(cell.worstUserThroughputPercent) },
  { title: 'Sigils arrived, %', text: (cell) => formatFigure(cell.sigilsArrivedPercent) },
  {
    title: 'Response time, p50 / p95, ms',
    text: ({ responseTimeMs }) => `${formatFigure(responseTimeMs.p50)} / ${formatFigure(responseTimeMs.p95)}`,
  },
  {
    title: 'Schedule lag, p50 / p95, ms',
    text: ({ scheduleLagMs }) => `${formatFigure(scheduleLagMs.p50)} / ${formatFigure(scheduleLagMs.p95)}`,
  },
  { title: 'Server memory, MiB', text: (cell) => formatFigure(cell.serverMemoryMiB) },
  { title: 'Driver CPU, ms per edit', text: (cell) => formatFigure(cell.driverCpuMsPerEdit) },
  { title: 'Machine busy, %', text: (cell) => formatFigure(cell.machineCpuPercent) },
  {
    title: 'User’s network, sent / received, KiB/s',
    text: ({ userNetworkKiBps: { sent, received } }) => `${formatFigure(sent)} / ${formatFigure(received)}`,
  },
  {
    title: 'Bytes sent per own edit, received per remote edit',
    text: ({ userBytesPerEdit: { sent, received } }) => `${formatFigure(sent)} / ${formatFigure(received)}`,
  },
  {
    title: 'Server’s network, sent / received, KiB/s',
    text: ({ serverNetworkKiBps: { sent, received } }) => `${formatFigure(sent)} / ${formatFigure(received)}`,
  },
  { title: 'Document, characters', text: ({ documentCharacters }) => documentCharacters?.toFixed(0) ?? NOTHING },
  {
    title: 'Samples, local / end to end',
    text: ({ localLatencyMs, endToEndLatencyMs }) => `${localLatencyMs.samples} / ${endToEndLatencyMs.samples}`,
  },
  { title: 'Error bound of the clocks, ms', text: (cell) => formatFigure(cell.clockErrorMs) },
  {
    title: 'Receipts filtered: never sent, before sent, repeated, out of order',
    text: ({ sigilsFiltered: { neverSent, beforeSent, repeated, outOfOrder } }) =>
      [neverSent, beforeSent, repeated, outOfOrder].join(', '),
  },
  { title: 'Converged', text: ({ converged }) => (converged === null ? NOTHING : converged ? 'yes' : 'no') },
];

export function cellsSection(cells: readonly NamedCell[]): Content {
  if (cells.length === 0) return null;
  return html`
<section id="cells" aria-labelledby="cells-title">
  <h2 id="cells-title">Every cell</h2>
  <p class="note">${INTERVAL_MEANING}</p>
  ${cells.map(cellDetails)}
</section>`;
}

function cellDetails({ line, cell }: NamedCell): Markup {
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

/** What has an interval is a trial's own figure, too. */
const HEADLINE_METRICS = CELL_METRICS.filter(({ interval }) => interval !== null);

function trialTable(trials: readonly ReportTrial[]): Markup {
  return html`
<table>
  <thead><tr><th scope="col">trial</th><th scope="col">verdict</th>
  ${HEADLINE_METRICS.map(({ title, unit }) => html`<th scope="col" class="number">${title} <small>${unit}</small></th>`)}
  <th scope="col">CPU profiles</th></tr></thead>
  <tbody>${trials.map(trialRow)}</tbody>
</table>`;
}

function trialRow({ trial, verdict, reasons, figures, cpuProfiles }: ReportTrial): Markup {
  return html`
<tr><th scope="row">${trial}</th><td>${verdict}</td>
${
  figures === null
    ? html`<td colspan="${HEADLINE_METRICS.length}" class="instead">${reasons.join('; ')}</td>`
    : HEADLINE_METRICS.map(({ interval }) => html`<td class="number">${formatFigure(figures[interval!])}</td>`)
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
  <tbody>${CELL_METRICS.map(
    ({ title, unit, interval, figureOf }) =>
      html`<tr><th scope="row">${title}, ${unit}</th><td class="number">${formatFigure(figureOf(summary))}</td>
      <td class="number">${interval === null ? null : formatInterval(summary.ci95[interval], summary)}</td></tr>`,
  )}</tbody>
</table>
<table>
  <thead><tr><th scope="col">further</th><th scope="col" class="number">figure</th></tr></thead>
  <tbody>${FURTHER.map(({ title, text }) => html`<tr><th scope="row">${title}</th><td class="number">${text(summary)}</td></tr>`)}</tbody>
</table>
</div>`;
}
