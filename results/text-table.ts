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
  const columns = headings.map((_, column) => ({
    width: Math.max(...rows.map((row) => row[column]?.length ?? 0)),
    right: body.length > 0 && body.every((row) => FIGURE.test(row[column] ?? '')),
  }));
  const line = (row: readonly string[]) =>
    columns
      .map(({ width, right }, column) => (right ? row[column]?.padStart(width) : row[column]?.padEnd(width)) ?? '')
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}
