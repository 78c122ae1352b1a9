/** The forms of a table: text for a terminal, Markdown for a page, LaTeX for a paper, HTML for the report, CSV for programs. */
import { alignRows, widthsOf } from '../../results/text-table.ts';
import { type Content, html, type Markup } from './markup.ts';
import { type CaptionedTable, type Column, headingOf, left, type RowGroup, type Table } from './table.ts';

const MAX_WIDTH = 120;

/** Headings in one line, or in two with a rule below. */
export function renderText({ columns, rows }: Table): string {
  return renderGroups(columns, [{ title: null, rows }]);
}

/** Headings once, then each group's rows. Two spaces between columns, or one where that is wider than `most`. */
export function renderGroups(columns: readonly Column[], groups: readonly RowGroup[], most = MAX_WIDTH): string {
  const inTwo = isInTwo(columns);
  const headings = headingLines(columns);
  const rows = [...headings, ...groups.flatMap((group) => group.rows)];
  const widthWith = (gap: string) => textWidth(columns, groups, gap);
  const gap = !inTwo || widthWith('  ') <= most ? '  ' : ' ';
  const aligns = columns.map(({ align }) => align);
  const lines = alignRows(rows, aligns, gap);
  let next = headings.length;
  const body = groups.map(({ title, rows: { length } }) => {
    next += length;
    return [...(title === null ? [] : [`${title}:`]), ...lines.slice(next - length, next)].join('\n');
  });
  const rule = inTwo ? ['─'.repeat(widthWith(gap))] : [];
  return [...lines.slice(0, headings.length), ...rule, body.join('\n\n')].join('\n');
}

/** The characters in a line of such a table, at its narrowest unless a gap is given. */
export function textWidth(columns: readonly Column[], groups: readonly RowGroup[], gap = ' '): number {
  const rows = [...headingLines(columns), ...groups.flatMap((group) => group.rows)];
  return widthsOf(rows, columns.length).reduce((total, width) => total + width, gap.length * (columns.length - 1));
}

function isInTwo(columns: readonly Column[]): boolean {
  return columns.some(({ heading }) => typeof heading !== 'string');
}

function headingLines(columns: readonly Column[]): string[][] {
  if (!isInTwo(columns)) return [columns.map(inOneLine)];
  return [0, 1].map((line) => columns.map((column) => halfOf(column, line)));
}

/** With its title above it and its notes below. */
export function renderCaptioned({ title, notes, ...table }: CaptionedTable): string {
  return [title, renderText(table), notes.join('\n')].join('\n\n');
}

/** A short heading stands in the lower line. */
function halfOf({ heading }: Column, line: number): string {
  return (typeof heading === 'string' ? ['', heading] : heading)[line]!;
}

function inOneLine(column: Column): string {
  return [headingOf(column), ...(column.unit === undefined ? [] : [column.unit])].join(', ');
}

/** A GitHub-flavoured Markdown table. */
export function renderMarkdown({ columns, rows }: Table): string {
  const escaped = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (texts: readonly string[]) => `| ${texts.map(escaped).join(' | ')} |`;
  return [
    line(columns.map(inOneLine)),
    `| ${columns.map(({ align }) => (align === 'right' ? '--:' : '---')).join(' | ')} |`,
    ...rows.map(line),
  ].join('\n');
}

/** The same of plain texts; the formatter of the documents aligns the columns. */
export function markdownTable(headings: readonly string[], rows: Table['rows']): string {
  return renderMarkdown({ columns: headings.map(left), rows });
}

/** A `table` environment with the rules of the package booktabs. */
export function renderLatex({ id, title, columns, rows, notes }: CaptionedTable): string {
  const line = (texts: readonly string[]) => `    ${texts.map(escapeLatex).join(' & ')} \\\\`;
  return [
    '\\begin{table}',
    '  \\centering',
    `  \\caption{${escapeLatex([title, ...notes].map(endSentence).join(' '))}}`,
    `  \\label{tab:${id}}`,
    `  \\begin{tabular}{${columns.map(({ align }) => (align === 'right' ? 'r' : 'l')).join('')}}`,
    '    \\toprule',
    line(columns.map(inOneLine)),
    '    \\midrule',
    ...rows.map(line),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
  ].join('\n');
}

/** A `<table>`, the first text of each row as its heading. */
export function renderHtml(
  { columns, rows }: Table<Content>,
  { caption, className }: { caption?: string; className?: string } = {},
): Markup {
  const headings = columns.map(
    (column) =>
      html`<th scope="col"${classOf(column)}>${headingOf(column)}${column.unit === undefined ? null : html` <small>${column.unit}</small>`}</th>`,
  );
  const lines = rows.map(
    (row) => html`
<tr>${row.map((text, index) => htmlCell(text, { index, row, columns }))}</tr>`,
  );
  return html`<table${className === undefined ? null : html` class="${className}"`}>${
    caption === undefined ? null : html`<caption>${caption}</caption>`
  }<thead><tr>${headings}</tr></thead>
<tbody>${lines}</tbody></table>`;
}

function htmlCell(
  text: Content,
  { index, row, columns }: { index: number; row: readonly Content[]; columns: readonly Column[] },
): Markup {
  if (index === 0) return html`<th scope="row"${classOf(columns[0]!)}>${text}</th>`;
  const isShort = index === row.length - 1 && row.length < columns.length;
  if (isShort) return html`<td colspan="${columns.length - index}" class="instead">${text}</td>`;
  return html`<td${classOf(columns[index]!)}>${text}</td>`;
}

function classOf({ align }: Column): Content {
  return align === 'right' ? html` class="number"` : null;
}

export type Value = string | number | boolean | null;

/** Comma-separated values (RFC 4180, but lines end with "\n"); what is null becomes an empty field. */
export function renderCsv(columns: readonly string[], rows: readonly (readonly Value[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(csvField).join(',')}\n`).join('');
}

function csvField(value: Value): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A page of Markdown in which texts of runs are text: no tag begins, and no image is fetched. */
export function withoutMarkup(markdown: string): string {
  return markdown.replace(/<(?=[a-z/!?])/gi, '\\<').replaceAll('![', '!\\[');
}

const LATEX_CHARACTERS: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '–': '--',
  '×': '$\\times$',
  '±': '$\\pm$',
  '≥': '$\\geq$',
  '≤': '$\\leq$',
  '→': '$\\rightarrow$',
  '≈': '$\\approx$',
  '·': '\\textperiodcentered{}',
  '…': '\\ldots{}',
  '’': "'",
  '✓': 'yes',
  '✗': 'no',
  '\n': ' ',
};

function escapeLatex(text: string): string {
  return text.replace(/[\\{}&%$#_~^–×±≥≤→≈·…’✓✗\n]/g, (character) => LATEX_CHARACTERS[character]!);
}

/** Items of a list in Markdown, one a line. */
export function markdownList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
