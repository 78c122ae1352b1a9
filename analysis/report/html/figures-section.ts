/** The table of all cells. */
import type { CellSummary } from '../../../results/formats/summary.ts';
import { groupByTier } from '../../cell/tiers.ts';
import { swatch } from '../../charts/swatch.ts';
import { figuresIn } from '../../figures/catalogue.ts';
import { longUnit } from '../../figures/figure.ts';
import { formatFigureOf, NOTHING } from '../../figures/figure-text.ts';
import { type Content, html } from '../../tables/markup.ts';
import { renderHtml } from '../../tables/render.ts';
import { left, right } from '../../tables/table.ts';
import type { NamedReportCell } from '../report-data.ts';
import { scroll } from './sections.ts';
import { cellAnchor, STATES } from './verdict-section.ts';
import { stateOf } from './verdicts.ts';

const COLUMNS = figuresIn('report');

export function figuresSection(cells: readonly NamedReportCell[]): Content {
  if (cells.length === 0) return null;
  const columns = [
    ...[left('framework'), left('mode'), right('users'), left('verdict')],
    ...COLUMNS.map((figure) => right(figure.label, longUnit(figure))),
  ];
  const groups = groupByTier(cells, ({ cell }) => cell.summary.tier).map(({ title, items }) => ({
    title,
    rows: items.map(cellRow),
  }));
  return html`
<section id="figures" aria-labelledby="figures-title">
  <h2 id="figures-title">Figures</h2>
  ${scroll({ labelledBy: 'figures-title' }, renderHtml({ columns, rows: [] }, { className: 'figures', groups }))}
  <p class="note">Local latency: from sending a sigil’s last key to its showing on the own screen; end-to-end: on
  another’s. User figures are per user, the driver’s for all users together. ${NOTHING}: not measured, or too few
  samples.</p>
</section>`;
}

function cellRow({ line, style, cell }: NamedReportCell): Content[] {
  const { summary, name } = cell;
  const state = stateOf(summary);
  return [
    html`${swatch(style)} <a href="#${cellAnchor(cell.run, name)}">${line}</a>`,
    summary.mode,
    summary.users,
    html`<span class="chip ${state}">${STATES[state].sign}</span> ${verdictText(summary)}`,
    ...(summary.validTrials > 0
      ? COLUMNS.map((figure) => formatFigureOf(figure, summary))
      : ['no figures: no trial is valid']),
  ];
}

/** `valid`, or how many of the trials are. */
export function verdictText({ verdict, validTrials, trials }: CellSummary): string {
  return verdict === 'partly valid' ? `${validTrials} of ${trials} valid` : verdict;
}
