/** The table of all cells. */
import type { CellSummary } from '../../../results/formats/summary.ts';
import { groupByTier, type TierGroup } from '../../cell/tiers.ts';
import { type Content, html, type Markup } from '../../charts/markup.ts';
import { swatch } from '../../charts/swatch.ts';
import { figuresIn } from '../../figures/catalogue.ts';
import { longUnit } from '../../figures/figure.ts';
import { formatFigureOf, NOTHING } from '../../figures/figure-text.ts';
import type { NamedReportCell } from '../report-data.ts';
import { cellAnchor, STATES } from './verdict-section.ts';
import { stateOf } from './verdicts.ts';

const COLUMNS = figuresIn('report');

export function figuresSection(cells: readonly NamedReportCell[]): Content {
  if (cells.length === 0) return null;
  return html`
<section id="figures" aria-labelledby="figures-title">
  <h2 id="figures-title">Figures</h2>
  <div class="scroll" tabindex="0" role="region" aria-labelledby="figures-title">
  <table class="figures">
    <thead><tr>
      <th scope="col">framework</th><th scope="col">mode</th><th scope="col" class="number">users</th>
      <th scope="col">verdict</th>
      ${COLUMNS.map((figure) => html`<th scope="col" class="number">${figure.label} <small>${longUnit(figure)}</small></th>`)}
    </tr></thead>
    ${groupByTier(cells, ({ cell }) => cell.summary.tier).map(tierRows)}
  </table>
  </div>
  <p class="note">Local latency: from sending a sigil’s last key to its showing on the own screen; end-to-end: on
  another’s. User figures are per user, the driver’s for all users together. ${NOTHING}: not measured, or too few
  samples.</p>
</section>`;
}

function tierRows({ title, items }: TierGroup<NamedReportCell>): Markup {
  const heading = html`<tr><th scope="rowgroup" colspan="${4 + COLUMNS.length}">${title}</th></tr>`;
  return html`
<tbody>${title === null ? null : heading}${items.map(cellRow)}</tbody>`;
}

function cellRow({ line, style, cell }: NamedReportCell): Markup {
  const { summary, name } = cell;
  const state = stateOf(summary);
  const isMeasured = summary.validTrials > 0;
  return html`
<tr>
  <th scope="row">${swatch(style)} <a href="#${cellAnchor(cell.run, name)}">${line}</a></th>
  <td>${summary.mode}</td><td class="number">${summary.users}</td>
  <td><span class="chip ${state}">${STATES[state].sign}</span> ${verdictText(summary)}</td>
  ${
    isMeasured
      ? COLUMNS.map((figure) => html`<td class="number">${formatFigureOf(figure, summary)}</td>`)
      : html`<td colspan="${COLUMNS.length}" class="instead">no figures: no trial is valid</td>`
  }
</tr>`;
}

/** `valid`, or how many of the trials are. */
export function verdictText({ verdict, validTrials, trials }: CellSummary): string {
  return verdict === 'partly valid' ? `${validTrials} of ${trials} valid` : verdict;
}
