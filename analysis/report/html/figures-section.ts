/** The table of all cells, and others' numbers, apart from this report's own. */
import type { PublishedStudy, PublishedTable } from '../../../results/published/study.ts';
import { swatch } from '../../charts/palette.ts';
import { figuresIn } from '../../figures/catalogue.ts';
import { BUSY_MACHINE_PERCENT } from '../../figures/criterion.ts';
import { longUnit } from '../../figures/figure.ts';
import { BUSY_MARK, formatFigureOf, NOTHING } from '../../figures/figure-text.ts';
import { type Cell, groupByTier } from '../../scenarios/cell.ts';
import { type Content, html, type Markup } from '../../tables/markup.ts';
import { renderHtml } from '../../tables/render.ts';
import { left, right } from '../../tables/table.ts';
import type { NamedReportCell } from '../report-data.ts';
import { publishedTable } from '../tables.ts';
import { scroll } from './page-shell.ts';
import { cellAnchor, STATES } from './verdict-section.ts';
import { stateOf } from './verdicts.ts';
import { wordLink } from './words-section.ts';

const COLUMNS = figuresIn('report');

export function figuresSection(cells: readonly NamedReportCell[]): Content {
  if (cells.length === 0) return null;
  const columns = [
    ...[left('framework'), left('mode'), right('users'), left('verdict')],
    ...COLUMNS.map((figure) => right(figure.label, longUnit(figure))),
  ];
  const groups = groupByTier(cells, ({ cell }) => cell.tier).map(({ title, items }) => ({
    title,
    rows: items.map(cellRow),
  }));
  return html`
<section id="figures" aria-labelledby="figures-title">
  <h2 id="figures-title">Figures</h2>
  ${scroll({ labelledBy: 'figures-title' }, renderHtml({ columns, rows: [] }, { className: 'figures', groups }))}
  <p class="note">Local latency: from sending a ${wordLink('sigil')}’s last key to its showing on the own screen; end-to-end: on
  another’s. User figures are per user, the driver’s for all users together. ${NOTHING}: not measured, or too few
  samples. ${BUSY_MARK}: the machine was over ${BUSY_MACHINE_PERCENT} % busy, so the latency is partly its own.</p>
</section>`;
}

function cellRow({ line, style, cell }: NamedReportCell): Content[] {
  const { parameters, name } = cell;
  const state = stateOf(cell);
  return [
    html`${swatch(style)} <a href="#${cellAnchor(cell.run, name)}">${line}</a>`,
    parameters.mode,
    parameters.users,
    html`<span class="chip ${state}">${STATES[state].sign}</span> ${verdictText(cell)}`,
    ...(cell.validTrials > 0
      ? COLUMNS.map((figure) => formatFigureOf(figure, cell))
      : ['no figures: no trial is valid']),
  ];
}

/** `valid`, or how many of the trials are. */
export function verdictText({ verdict, validTrials, trials }: Cell): string {
  return verdict === 'partly valid' ? `${validTrials} of ${trials} valid` : verdict;
}

export function publishedSection(study: PublishedStudy | null): Content {
  if (study === null) return null;
  return html`
<section id="published" class="published" aria-labelledby="published-title">
  <h2 id="published-title">Published elsewhere: ${study.authors[0] ?? study.title}${study.authors.length > 1 ? ' et al.' : ''} ${study.year}</h2>
  <p>None of these numbers were measured in the runs above: they come from other machines and other versions.
  ${study.authors.join(', ')}: <a href="${study.url}">${study.title}</a>, ${study.year}. ${study.source}</p>
  ${list(study.conditions)}
  ${study.tables.map(publishedFigures)}
  ${study.missing.length === 0 ? null : html`<p class="note">Not taken over:</p>${list(study.missing)}`}
</section>`;
}

function publishedFigures(table: PublishedTable): Markup {
  const { name, title, users, notes } = table;
  const caption = `${name}: ${title}${users === null ? '' : `, ${users} users`}`;
  return html`
${scroll({ label: `${name}, published` }, renderHtml(publishedTable(table), { caption }))}
${list(notes)}`;
}

function list(texts: readonly string[]): Content {
  return texts.length === 0 ? null : html`<ul class="note">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}
