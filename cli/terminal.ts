/** The output of commands: results on stdout, and beside them lines on stderr. */
import { styleText } from 'node:util';
import { plainText } from '../results/foreign-text.ts';

const COLOURS = { '✓': 'green', '✗': 'red', '!': 'yellow' } as const;

/** As it can be printed, with the marks ✓ and ✗, and ! at the start of a line, in colour if the terminal has any and NO_COLOR is not set. */
export function coloured(text: string): string {
  return plainText(text).replaceAll(/✓|✗|^\s*!(?= )/gm, (mark) =>
    styleText(COLOURS[mark.trim() as keyof typeof COLOURS], mark),
  );
}

/** A result: as JSON, or as text for a person. */
export function printEither<Value>(json: boolean | undefined, value: Value, format: (value: Value) => string): void {
  process.stdout.write(`${json === true ? JSON.stringify(value, null, 2) : coloured(format(value))}\n`);
}

/** A line on stderr: what a command does, or what went wrong. */
export function say(text: string): void {
  process.stderr.write(`${plainText(text)}\n`);
}

/** For a command that can be told to be quiet. */
export function sayUnless(quiet = false): typeof say {
  return quiet ? () => {} : say;
}
