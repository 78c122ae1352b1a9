/** How figures grow with the number of users. */
import { type Content, html, type Markup } from '../../charts/markup.ts';
import type { CaptionedTable } from '../../markup-table.ts';
import { withoutScaling } from '../../scaling.ts';
import type { ReportData } from '../report-data.ts';
import { scalingTables } from '../tables.ts';

export function scalingSection(data: ReportData): Content {
  const tables = scalingTables(data).filter(({ rows }) => rows.length > 0);
  if (tables.length > 0) return tables.map(tableSection);
  const without = data.runs.flatMap((_, run) => withoutScaling(data.cells.filter((cell) => cell.run === run)));
  return without.length === 0 ? null : html`<p class="note">${without.join(' ')}</p>`;
}

function tableSection({ id, title, columns, rows, notes }: CaptionedTable): Markup {
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
