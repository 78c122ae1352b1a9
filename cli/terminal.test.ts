import { expect, test } from 'vitest';
import { coloured } from './terminal.ts';

test('a result holds no control character and no command to a log, whatever the files it is made of', () => {
  expect(coloured('a\x1b[2J\u009b31m\n::error::x')).toBe('a\ufffd[2J\ufffd31m\n: :error::x');
});
