/** Writes everything that a report consists of, from the records of one or more runs. */
import { join, resolve } from 'node:path';
import { REPORT_FILE, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { readPublishedStudy } from '../../results/published/read-study.ts';
import { UserError } from '../../results/user-error.ts';
import { type AnalysedRun, summaryOf } from '../run/analyse-run.ts';
import { writeParquet } from '../run/cell-summaries.ts';
import { renderLatex, renderMarkdown, withoutMarkup } from '../tables/render.ts';
import { formatMarkdownTable, tabulateCells } from '../tables/summary-table.ts';
import type { CaptionedTable } from '../tables/table.ts';
import { analyseRuns, collectReport } from './collect.ts';
import { resilienceCsv, seriesCsv, summaryCsv } from './csv.ts';
import { renderReportHtml } from './html/render.ts';
import type { ReportData } from './report-data.ts';
import { makeTables, ofTier, publishedTables } from './tables.ts';

interface ReportOptions {
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

interface WrittenReport {
  data: ReportData;
  /** One per run that could be read. */
  summaries: Summary[];
  /** Absolute. */
  outDirectory: string;
}

/**
 * Rebuilds `summary.json`, `report.html`, `summary.csv`, `series/`, `tables.md` and `tables.tex` in the report's folder, with
 * `resilience.csv` if something was asked to break; in the run's own folder, it also brings `figures.json` of each trial up to date.
 * It writes nowhere else: the runs may be another's, and read-only. Of several runs each has a summary and series of its own,
 * `run-1-…`. The same records give the same bytes.
 *
 * @throws UserError (exit code 2) where no run can be read, the runs do not belong in one report, there are several and
 *         no folder for the report, or no cell has the user count that is asked for
 */
export async function writeReport(
  runDirectories: readonly string[],
  options: ReportOptions = {},
): Promise<WrittenReport> {
  const outDirectory = chooseOutDirectory(runDirectories, options.outDirectory);
  const isOwnFolder = runDirectories.every((directory) => resolve(directory) === outDirectory);
  const analysed = await analyseRuns(runDirectories, { keeps: isOwnFolder });
  refuseUnknownUsers(analysed.runs, options.users);
  const published = options.published === true ? await readPublishedStudy() : null;
  const data = await collectReport(analysed, { outDirectory, published });
  const write = (name: string, content: string) => writeFileAtomically(join(outDirectory, name), content);

  const summaries = analysed.runs.map(summaryOf);
  const prefixOf = (run: number) => (data.runs.length > 1 ? `run-${run + 1}-` : '');
  for (const [index, summary] of summaries.entries()) {
    await writeJson(join(outDirectory, `${prefixOf(index)}${SUMMARY_FILE}`), summary);
  }
  await write('summary.csv', summaryCsv(data));
  const resilience = resilienceCsv(data);
  if (resilience !== '') await write('resilience.csv', resilience);
  for (const { run, name, series } of data.cells) {
    await write(`series/${prefixOf(run)}${name}.csv`, seriesCsv(series));
  }
  const mainTables = summaries.flatMap((summary, index) =>
    tabulateCells(summary).map(({ tier, title, table }): CaptionedTable => {
      const run: CaptionedTable = {
        ...table,
        id: data.runs.length > 1 ? `main-${index + 1}` : 'main',
        title: `${summary.experiment}, ${summary.startedAt}`,
        notes: [],
      };
      return ofTier(run, { tier, title });
    }),
  );
  const tables = makeTables(data, options.users);
  await write(
    'tables.md',
    markdownPage(summaries.map(formatMarkdownTable), {
      tables,
      problems: data.problems,
      last: publishedSections(data),
    }),
  );
  await write('tables.tex', latexPage([...mainTables, ...tables, ...publishedTables(data)]));
  await write(REPORT_FILE, await renderReportHtml(data, options.script));
  if (options.parquet === true) await writeParquet(analysed.runs, join(outDirectory, 'parquet'));
  return { data, summaries, outDirectory };
}

function chooseOutDirectory(runDirectories: readonly string[], given: string | undefined): string {
  if (given !== undefined) return resolve(given);
  const [only, ...more] = runDirectories;
  if (only !== undefined && more.length === 0) return resolve(only);
  throw new UserError('a report on several runs needs a folder of its own; give one with --out', { exitCode: 2 });
}

/** A table that is asked for must not be missing without a word. */
function refuseUnknownUsers(runs: readonly AnalysedRun[], users: number | undefined): void {
  const counts = new Set(runs.flatMap(({ plan }) => plan.trials.map((trial) => trial.users)));
  if (users === undefined || counts.has(users)) return;
  const list = [...counts].sort((a, b) => a - b).join(', ');
  throw new UserError(`no cell has ${users} users; there are cells with ${list}`, { exitCode: 2 });
}

/** `tables.md`: what stands first, then each table with its title and notes. */
export function markdownPage(
  first: readonly string[],
  {
    tables,
    problems = [],
    last = [],
  }: { tables: readonly CaptionedTable[]; problems?: readonly string[]; last?: readonly string[] },
): string {
  const sections = [
    '# Report',
    ...first,
    ...(problems.length > 0 ? [`## Left out or noted\n\n${list(problems)}`] : []),
    ...tables.map(markdownSection),
    ...last,
  ];
  return `${withoutMarkup(sections.join('\n\n'))}\n`;
}

function markdownSection({ title, notes, ...table }: CaptionedTable): string {
  return [`## ${title}`, renderMarkdown(table), ...notes].join('\n\n');
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function publishedSections(data: ReportData): string[] {
  const { published } = data;
  if (published === null) return [];
  return [
    `# Published numbers, not measured here\n\n${published.authors[0]} et al. ${published.year}: [${published.title}](${published.url}). ${published.source}`,
    list(published.conditions),
    ...publishedTables(data).map(markdownSection),
    `Not here:\n\n${list(published.missing)}`,
  ];
}

/** `tables.tex`. */
export function latexPage(tables: readonly CaptionedTable[]): string {
  return ['% Needs \\usepackage{booktabs} and UTF-8 input.', ...tables.map(renderLatex)].join('\n\n').concat('\n');
}
