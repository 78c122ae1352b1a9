import { expect, test } from 'vitest';
import { PageErrors } from './page-errors.ts';

test('counts all errors, keeps the first message, and tells once', () => {
  const errors = new PageErrors();
  expect(errors.take()).toEqual([]);
  errors.add(5, `first ${'x'.repeat(1000)}`);
  errors.add(6, 'second');
  expect(errors.take()).toEqual([
    { type: 'page-errors', atMs: 6, errors: 2, message: expect.stringMatching(/^first x{494}$/) },
  ]);
  expect(errors.take()).toEqual([]);
  errors.add(7, 'third');
  expect(errors.take()).toMatchObject([{ errors: 3, message: expect.stringContaining('first') }]);
});
