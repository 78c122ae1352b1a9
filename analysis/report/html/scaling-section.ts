/** How figures grow with the number of users. */
import { type Content, html } from '../../charts/markup.ts';
import { withoutScaling } from '../../scaling.ts';
import type { ReportData } from '../report-data.ts';
import { scalingTable } from '../scaling-table.ts';

export function scalingSection(data: ReportData): Content {
  const { title, columns, rows, notes } = scalingTable(data);
  const without = data.runs.flatMap((_, run) => withoutScaling(data.cells.filter((cell) => cell.run === run)));
  if (rows.length === 0) return without.length === 0 ? null : html`<p class="note">${without.join(' ')}</p>`;
  const classOf = (column: number) => (columns[column]!.align === 'right' ? 'number' : 'text');
  return html`
<section id="scaling" aria-labelledby="scaling-title">
  <h2 id="scaling-title">${title}</h2>
  <div class="scroll" tabindex="0" role="region" aria-labelledby="scaling-title">
  <table>
    <thead><tr>${columns.map(({ heading }, column) => html`<th scope="col" class="${classOf(column)}">${heading}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((text, column) => html`<td class="${classOf(column)}">${text}</td>`)}</tr>`)}</tbody>
  </table>
  </div>
  ${notes.map((note) => html`<p class="note">${note}</p>`)}
</section>`;
}
