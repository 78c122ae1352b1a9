/** A table of the report as a section of the page. */
import { html, type Markup } from '../../charts/markup.ts';
import type { CaptionedTable } from '../../tables/markup-table.ts';

export function tableSection({ id, title, columns, rows, notes }: CaptionedTable): Markup {
  const classOf = (column: number) => (columns[column]!.align === 'right' ? 'number' : 'text');
  return html`
<section id="${id}" aria-labelledby="${id}-title">
  <h2 id="${id}-title">${title}</h2>
  <div class="scroll" tabindex="0" role="region" aria-labelledby="${id}-title">
  <table>
    <thead><tr>${columns.map(({ heading }, column) => html`<th scope="col" class="${classOf(column)}">${heading}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((text, column) => html`<td class="${classOf(column)}">${text}</td>`)}</tr>`)}</tbody>
  </table>
  </div>
  ${notes.map((note) => html`<p class="note">${note}</p>`)}
</section>`;
}
