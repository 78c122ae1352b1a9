/** How figures grow with the number of users. */

import { withoutScaling } from '../../cell/scaling.ts';
import { type Content, html } from '../../tables/markup.ts';
import type { ReportData } from '../report-data.ts';
import { scalingTables } from '../tables.ts';
import { tableSection } from './sections.ts';

export function scalingSection(data: ReportData): Content {
  const tables = scalingTables(data).filter(({ rows }) => rows.length > 0);
  if (tables.length > 0) return tables.map(tableSection);
  const without = data.runs.flatMap((_, run) => withoutScaling(data.cells.filter((cell) => cell.run === run)));
  return without.length === 0 ? null : html`<p class="note">${without.join(' ')}</p>`;
}
