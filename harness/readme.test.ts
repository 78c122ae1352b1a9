import { expect, test } from 'vitest';
import { currentReadme } from './readme.ts';

test('the framework table of the README is the one that `npm run readme` writes', async () => {
  const { written, wanted } = await currentReadme();
  expect(written).toBe(wanted);
});
