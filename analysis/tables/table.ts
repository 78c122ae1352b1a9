/** A table as data, before it is printed: `render.ts` makes text, Markdown, LaTeX, HTML and CSV of it. Browser-safe. */
import type { Content } from './markup.ts';

export interface Column {
  /** In one line, or in two, so that narrow figures do not stand in wide columns. */
  heading: string | readonly [string, string];
  /** Below the heading in HTML, behind it elsewhere. */
  unit?: string;
  align: 'left' | 'right';
}

/** Rows of texts; those of a page may hold markup too. */
export interface Table<Text extends Content = string> {
  columns: readonly Column[];
  /** As many texts in a row as there are columns; HTML lets the last text of a shorter row span the rest. */
  rows: readonly (readonly Text[])[];
}

/** A table with what a reader needs around it. */
export interface CaptionedTable<Text extends Content = string> extends Table<Text> {
  /** Unique among the tables of a report; letters, digits and hyphens. */
  id: string;
  title: string;
  /** Whole sentences, below the table. */
  notes: readonly string[];
}

export interface RowGroup {
  /** Null where there is no other group. */
  title: string | null;
  rows: Table['rows'];
}

/** A column that knows its text in the row of an item. */
export interface ColumnOf<Item, Text extends Content = string> extends Column {
  text: (item: Item) => Text;
}

/** A row for each item. A table goes from process to process, as no function does. */
export function tabulate<Item, Text extends Content>(
  columns: readonly ColumnOf<Item, Text>[],
  items: readonly Item[],
): Table<Text> {
  return {
    columns: columns.map(({ heading, unit, align }) => ({ heading, unit, align })),
    rows: items.map((item) => columns.map(({ text }) => text(item))),
  };
}

export function left(heading: Column['heading']): Column {
  return { heading, align: 'left' };
}

export function right(heading: Column['heading'], unit?: string): Column {
  return unit ? { heading, unit, align: 'right' } : { heading, align: 'right' };
}

/** A heading in one line; broken at a hyphen, it becomes one word again. */
export function headingOf({ heading }: Column): string {
  if (typeof heading === 'string') return heading;
  return heading
    .join(' ')
    .replace(/(?<=[a-z])- /, '')
    .trim();
}
