/** Parts of a page that several sections have. */
import { html, type Markup } from '../../tables/markup.ts';
import { renderHtml } from '../../tables/render.ts';
import type { CaptionedTable } from '../../tables/table.ts';

/** A table of the report with its title and notes. */
export function tableSection({ id, title, notes, ...table }: CaptionedTable): Markup {
  return html`
<section id="${id}" aria-labelledby="${id}-title">
  <h2 id="${id}-title">${title}</h2>
  ${scroll({ labelledBy: `${id}-title` }, renderHtml(table))}
  ${notes.map((note) => html`<p class="note">${note}</p>`)}
</section>`;
}

/** A frame for wide content, which scrolls by itself, by keyboard too. */
export function scroll(name: { labelledBy: string } | { label: string }, wide: Markup): Markup {
  const named = 'label' in name ? html`aria-label="${name.label}"` : html`aria-labelledby="${name.labelledBy}"`;
  return html`<div class="scroll" tabindex="0" role="region" ${named}>${wide}</div>`;
}
