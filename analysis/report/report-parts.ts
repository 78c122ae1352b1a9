/** The parts of a report that depend on its scenario. */
import type { Reported } from '../page/report-page.ts';
import { renderMarkdown } from '../tables/render.ts';
import type { CaptionedTable } from '../tables/table.ts';

export interface ReportOptions {
  /** Lays the Collabs paper's numbers beside the runs', clearly apart. */
  published?: boolean;
  /** Writes the views of every usable trial as Parquet too. */
  parquet?: boolean;
  /** The user count of the resource and saved-state tables; by default the one with most valid cells. */
  users?: number;
  /** Where everything goes; by default into the run's own folder, where there is one run. */
  outDirectory?: string;
  /** Of the page; by default it is bundled. */
  script?: string;
}

export interface ReportParts {
  /** Files that not every report has: their contents by name. */
  files: readonly (readonly [name: string, content: string])[];
  /** `tables.md` in its order: what stands first, sentences on what is left out or noted, tables, what stands last. */
  first: readonly string[];
  problems: readonly string[];
  sections: readonly CaptionedTable[];
  last: readonly string[];
  /** Those of `tables.tex`. */
  latex: readonly CaptionedTable[];
  /** Those that a terminal shows below the main one. */
  beside: readonly CaptionedTable[];
  page: Reported;
}

/** A table in `tables.md`. */
export function markdownSection({ title, notes, ...table }: CaptionedTable): string {
  return [`## ${title}`, renderMarkdown(table), ...notes].join('\n\n');
}
