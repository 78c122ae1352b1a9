/** Text tables for a terminal. */

/** A number, perhaps with units after it: `16`, `-0.5`, `7 min 13 s`; not a version such as 13.6.33. */
const FIGURE = /^-?\d+(\.\d+)?( |$)/;

/**
 * Aligns rows of cells under their headings, two spaces between columns; figures to the right, words to the left.
 *
 * @param rows the headings, then the rows; all of the same length
 */
export function alignTable(rows: readonly (readonly string[])[]): string {
  const [headings = [], ...body] = rows;
  const aligns = headings.map((_, column) =>
    body.length > 0 && body.every((row) => FIGURE.test(row[column] ?? '')) ? 'right' : 'left',
  );
  return alignRows(rows, aligns).join('\n');
}

/** Lines with the texts of each row, padded to the width of their columns. */
export function alignRows(
  rows: readonly (readonly string[])[],
  aligns: readonly ('left' | 'right')[],
  gap = '  ',
): string[] {
  const widths = widthsOf(rows, aligns.length);
  const pad = (text: string, column: number) =>
    aligns[column] === 'right' ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return rows.map((row) => row.map(pad).join(gap).trimEnd());
}

/** The widest text of each column, in characters. */
export function widthsOf(rows: readonly (readonly string[])[], columns: number): number[] {
  const widths = Array.from({ length: columns }, () => 0);
  for (const row of rows)
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column]!, text.length);
  return widths;
}

/** Breaks a text between words before its lines become longer than that; later lines begin with so many spaces. */
export function wrapWords(text: string, width: number, indent = 0): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line.trim() !== '' && line.length + 1 + word.length > width) lines.push(`${' '.repeat(indent)}${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
