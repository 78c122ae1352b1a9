import { expect, test } from 'vitest';
import { renderCsv } from './csv.ts';

test('golden: what needs quotes has them, null is an empty field', () => {
  const rows = [
    ['a,b', 'say "x"', null],
    ['two\nlines', 1.5, true],
  ];
  expect(renderCsv(['p', 'q', 'r'], rows)).toBe('p,q,r\n"a,b","say ""x""",\n"two\nlines",1.5,true\n');
});
