import { expect, test } from 'vitest';
import { html, scriptJson } from './markup.ts';
import {
  renderCsv,
  renderGroups,
  renderHtml,
  renderLatex,
  renderMarkdown,
  renderText,
  withoutMarkup,
} from './render.ts';
import { left, right } from './table.ts';

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

test('a page of Markdown has no markup and no image of a run’s texts', () => {
  const page = 'n < 5, a <img src=x>, <!-- x, </td>, ![x](http://evil/x), [a link](b)';
  expect(withoutMarkup(page)).toBe('n < 5, a \\<img src=x>, \\<!-- x, \\</td>, !\\[x](http://evil/x), [a link](b)');
});

test('Markdown escapes what would end a cell', () => {
  expect(renderMarkdown(TABLE)).toBe('| who & why | CPU % |\n| --- | --: |\n| a\\|b {c} | 1–2 |');
});

test('LaTeX escapes its own characters, and ends each note as a sentence', () => {
  const latex = renderLatex(TABLE);
  expect(latex).toContain('\\caption{What 100 \\% of a\\_b costs. Per user.}');
  expect(latex).toContain('\\begin{tabular}{lr}');
  expect(latex).toContain('who \\& why & CPU \\% \\\\');
  expect(latex).toContain('a|b \\{c\\} & 1--2 \\\\');
  // pdfLaTeX refuses both as characters.
  expect(renderLatex({ ...TABLE, rows: [['too few → more', '≈ 2']] })).toContain(
    'too few $\\rightarrow$ more & $\\approx$ 2 \\\\',
  );
});

test('CSV: what needs quotes has them, null is an empty field', () => {
  const rows = [
    ['a,b', 'say "x"', null],
    ['two\nlines', 1.5, true],
  ];
  expect(renderCsv(['p', 'q', 'r'], rows)).toBe('p,q,r\n"a,b","say ""x""",\n"two\nlines",1.5,true\n');
});

test('text has headings in one line, or in two over a rule', () => {
  expect(renderText(TABLE)).toBe('who & why  CPU %\na|b {c}      1–2');
  const columns = [left('user'), right(['CPU', '%'])];
  const groups = [
    { title: 'relay', rows: [['a', '1']] },
    { title: 'own', rows: [['b', '20']] },
  ];
  const lines = ['      CPU', 'user    %', '─────────', 'relay:', 'a       1', '', 'own:', 'b      20'];
  expect(renderGroups(columns, groups)).toBe(lines.join('\n'));
});

test('HTML escapes texts, has a heading in each row, and lets a short row span the rest', () => {
  const columns = [left('user'), right('CPU', '%'), right('memory', 'MiB')];
  const { text } = renderHtml({
    columns,
    rows: [
      ['<a>', '1', '2'],
      ['b', 'no figures'],
    ],
  });
  expect(text).toContain('<th scope="col" class="number">CPU <small>%</small></th>');
  expect(text).toContain('<tr><th scope="row">&lt;a&gt;</th><td class="number">1</td><td class="number">2</td></tr>');
  expect(text).toContain('<td colspan="2" class="instead">no figures</td>');
});

test('what is put in is escaped, markup is not, null is nothing, lists are joined', () => {
  const nested = html`<i>${'a<b'}</i>`;
  expect(html`<p title="${`"'&`}">${nested}${null}${[1, html`<b>${2}</b>`]}</p>`.text).toBe(
    '<p title="&quot;&#39;&amp;"><i>a&lt;b</i>1<b>2</b></p>',
  );
});

test('JSON in a script cannot end it, and reads back as it was', () => {
  const value = { text: '</script><!-- <b>', figure: null };
  const { text } = scriptJson(value);
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toEqual(value);
});
