/** Colour of the marks in what a command prints. */
import { styleText } from 'node:util';

const COLOURS = { '✓': 'green', '✗': 'red', '!': 'yellow' } as const;

/** The marks ✓ and ✗, and ! at the start of a line, in colour, where the terminal has any and NO_COLOR is not set. */
export function coloured(text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return text.replaceAll(/✓|✗|^\s*!(?= )/gm, (mark) =>
    styleText(COLOURS[mark.trim() as keyof typeof COLOURS], mark, { stream }),
  );
}
