/** The table of all cells. */
import type { CellSummary } from '../../../results/formats/summary.ts';
import type { NamedCell } from '../../charts/chart-model.ts';
import { formatFigure, NOTHING } from '../../figure-text.ts';
import { type Content, html, type Markup } from './markup.ts';
import { swatch } from './swatch.ts';
import { cellAnchor, STATES } from './verdict-section.ts';
import { stateOf } from './verdicts.ts';

interface Column {
  heading: string;
  unit: string;
  text: (cell: CellSummary) => string;
}

const COLUMNS: readonly Column[] = [
  { heading: 'throughput', unit: '%', text: (cell) => formatFigure(cell.throughputPercent) },
  { heading: 'local p50', unit: 'ms', text: (cell) => formatFigure(cell.localLatencyMs.p50) },
  { heading: 'p95', unit: 'ms', text: (cell) => formatFigure(cell.localLatencyMs.p95) },
  { heading: 'end to end p50', unit: 'ms', text: (cell) => formatFigure(cell.endToEndLatencyMs.p50) },
  { heading: 'p95', unit: 'ms', text: (cell) => formatFigure(cell.endToEndLatencyMs.p95) },
  { heading: 'sigils arrived', unit: '%', text: (cell) => formatFigure(cell.sigilsArrivedPercent) },
  { heading: 'server CPU', unit: '% core', text: (cell) => formatFigure(cell.serverCpuPercent) },
  { heading: 'client CPU', unit: '% core', text: (cell) => formatFigure(cell.userCpuPercent) },
  { heading: 'client memory', unit: 'MiB', text: (cell) => formatFigure(cell.userMemoryMiB) },
  { heading: 'driver CPU', unit: '% core', text: (cell) => formatFigure(cell.driverCpuPercent) },
  { heading: 'machine', unit: '% busy', text: (cell) => formatFigure(cell.machineCpuPercent) },
];

export function figuresSection(cells: readonly NamedCell[]): Content {
  if (cells.length === 0) return null;
  return html`
<section id="figures" aria-labelledby="figures-title">
  <h2 id="figures-title">Figures</h2>
  <div class="scroll" tabindex="0" role="region" aria-labelledby="figures-title">
  <table class="figures">
    <thead><tr>
      <th scope="col">framework</th><th scope="col">mode</th><th scope="col" class="number">users</th>
      <th scope="col">verdict</th>
      ${COLUMNS.map(({ heading, unit }) => html`<th scope="col" class="number">${heading} <small>${unit}</small></th>`)}
    </tr></thead>
    <tbody>${cells.map(cellRow)}</tbody>
  </table>
  </div>
  <p class="note">Local: from sending a sigil’s last key to its showing on the own screen; end to end: on another’s.
  CPU in percent of one core; client figures per user, the driver’s for all users together. p50, p95: median and 95th
  percentile. ${NOTHING}: not measured, or too few samples.</p>
</section>`;
}

function cellRow({ line, run, cell }: NamedCell): Markup {
  const { summary, name } = cell;
  const state = stateOf(summary);
  const isMeasured = summary.validTrials > 0;
  return html`
<tr>
  <th scope="row">${swatch(summary.framework, run)} <a href="#${cellAnchor(cell.run, name)}">${line}</a></th>
  <td>${summary.mode}</td><td class="number">${summary.users}</td>
  <td><span class="chip ${state}">${STATES[state].sign}</span> ${verdictText(summary)}</td>
  ${
    isMeasured
      ? COLUMNS.map(({ text }) => html`<td class="number">${text(summary)}</td>`)
      : html`<td colspan="${COLUMNS.length}" class="instead">no figures: no trial is valid</td>`
  }
</tr>`;
}

/** `valid`, or how many of the trials are. */
export function verdictText({ verdict, validTrials, trials }: CellSummary): string {
  return verdict === 'partly valid' ? `${validTrials} of ${trials} valid` : verdict;
}
