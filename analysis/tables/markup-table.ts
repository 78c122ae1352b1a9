/** A table as data, and its forms: Markdown for a page, LaTeX for a paper. */

export interface ReportTable {
  columns: { heading: string; align: 'left' | 'right' }[];
  /** As many texts per row as there are columns. */
  rows: string[][];
}

/** A table with what a reader needs around it. */
export interface CaptionedTable extends ReportTable {
  /** Unique among the tables of a report; letters, digits and hyphens. */
  id: string;
  title: string;
  /** Whole sentences, below the table. */
  notes: string[];
}

/** A GitHub-flavoured Markdown table. */
export function renderMarkdown({ columns, rows }: ReportTable): string {
  const line = (texts: readonly string[]) => `| ${texts.map(escapeMarkdown).join(' | ')} |`;
  return [
    line(columns.map(({ heading }) => heading)),
    `| ${columns.map(({ align }) => (align === 'right' ? '--:' : '---')).join(' | ')} |`,
    ...rows.map(line),
  ].join('\n');
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
    line(columns.map(({ heading }) => heading)),
    '    \\midrule',
    ...rows.map(line),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
  ].join('\n');
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
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
  '·': '\\textperiodcentered{}',
  '…': '\\ldots{}',
  '’': "'",
  '✓': 'yes',
  '✗': 'no',
  '\n': ' ',
};

function escapeLatex(text: string): string {
  return text.replace(/[\\{}&%$#_~^–×±≥≤·…’✓✗\n]/g, (character) => LATEX_CHARACTERS[character]!);
}
