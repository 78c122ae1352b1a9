import { expect, test } from 'vitest';
import { renderLatex, renderMarkdown } from './markup-table.ts';

const TABLE = {
  id: 'costs',
  title: 'What 100 % of a_b costs',
  columns: [
    { heading: 'who & why', align: 'left' as const },
    { heading: 'CPU %', align: 'right' as const },
  ],
  rows: [['a|b {c}', '1–2']],
  notes: ['Per user'],
};

test('Markdown escapes what would end a cell', () => {
  expect(renderMarkdown(TABLE)).toBe('| who & why | CPU % |\n| --- | --: |\n| a\\|b {c} | 1–2 |');
});

test('LaTeX escapes its own characters, and ends each note as a sentence', () => {
  const latex = renderLatex(TABLE);
  expect(latex).toContain('\\caption{What 100 \\% of a\\_b costs. Per user.}');
  expect(latex).toContain('\\begin{tabular}{lr}');
  expect(latex).toContain('who \\& why & CPU \\% \\\\');
  expect(latex).toContain('a|b \\{c\\} & 1--2 \\\\');
});
