import { renderMarkdown } from '../../analysis/tables/markup-table.ts';

/** A table of texts in Markdown; the formatter aligns its columns. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = headings.map((heading) => ({ heading, align: 'left' as const }));
  return renderMarkdown({ columns, rows: rows.map((row) => [...row]) });
}
