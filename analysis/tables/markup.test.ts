import { expect, test } from 'vitest';
import { html, scriptJson } from './markup.ts';

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
