/** Tables as plain text whose headings have two lines, so that narrow figures do not stand in wide columns. */

const MAX_WIDTH = 120;

export interface TwoLineColumn {
  heading: readonly [string, string];
  align: 'left' | 'right';
}

/** Rows that belong together, with a title above them where there are several such groups. */
export interface RowGroup {
  title: string | null;
  /** As many texts per row as there are columns. */
  rows: readonly (readonly string[])[];
}

/** Headings once, then each group's rows. Two spaces between columns, or one where that is too wide. */
export function layOut(columns: readonly TwoLineColumn[], groups: readonly RowGroup[]): string {
  const headings = [0, 1].map((line) => columns.map(({ heading }) => heading[line]!));
  const rows = [...headings, ...groups.flatMap((group) => group.rows)];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]!.length)));
  const gap = sum(widths) + 2 * (widths.length - 1) <= MAX_WIDTH ? '  ' : ' ';
  const line = (row: readonly string[]) =>
    row
      .map((text, index) => pad(text, widths[index]!, columns[index]!))
      .join(gap)
      .trimEnd();
  const rule = '─'.repeat(sum(widths) + gap.length * (widths.length - 1));
  const body = groups.map((group) => [...(group.title === null ? [] : [`${group.title}:`]), ...group.rows.map(line)]);
  return [...headings.map(line), rule, body.map((lines) => lines.join('\n')).join('\n\n')].join('\n');
}

function pad(text: string, width: number, { align }: TwoLineColumn): string {
  return align === 'right' ? text.padStart(width) : text.padEnd(width);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
