/** Others' numbers, apart from this report's own: nothing in it was measured here. */
import type { PublishedStudy, PublishedTable } from '../../../results/published/study.ts';
import { NOTHING } from '../../figures/figure-text.ts';
import { type Content, html, type Markup } from '../../tables/markup.ts';
import { renderHtml } from '../../tables/render.ts';
import { left, right } from '../../tables/table.ts';
import { scroll } from './sections.ts';

export function publishedSection(study: PublishedStudy | null): Content {
  if (study === null) return null;
  return html`
<section id="published" class="published" aria-labelledby="published-title">
  <h2 id="published-title">Published elsewhere: ${study.authors[0] ?? study.title}${study.authors.length > 1 ? ' et al.' : ''} ${study.year}</h2>
  <p>None of these numbers were measured in the runs above: they come from other machines and other versions.
  ${study.authors.join(', ')}: <a href="${study.url}">${study.title}</a>, ${study.year}. ${study.source}</p>
  ${list(study.conditions)}
  ${study.tables.map(publishedTable)}
  ${study.missing.length === 0 ? null : html`<p class="note">Not taken over:</p>${list(study.missing)}`}
</section>`;
}

function publishedTable({ name, title, users, columns, rows, notes }: PublishedTable): Markup {
  const table = renderHtml(
    {
      columns: [left('framework'), ...columns.map((column) => right(column.name, column.unit))],
      rows: rows.map(({ framework, figures }) => [framework, ...figures.map((figure) => figure ?? NOTHING)]),
    },
    { caption: `${name}: ${title}${users === null ? '' : `, ${users} users`}` },
  );
  return html`
${scroll({ label: `${name}, published` }, table)}
${list(notes)}`;
}

function list(texts: readonly string[]): Content {
  return texts.length === 0 ? null : html`<ul class="note">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}
