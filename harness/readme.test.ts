import { expect, test } from 'vitest';
import { currentReadme } from './readme.ts';

/** What of a text remains whatever the formatter does to the columns of its tables. */
const withoutPadding = (text: string) => text.replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');

test('the framework table of the README is the one that `npm run readme` writes', async () => {
  const { written, wanted } = await currentReadme();
  expect(withoutPadding(written)).toBe(withoutPadding(wanted));
});
