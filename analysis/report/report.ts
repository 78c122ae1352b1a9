/** Writes everything that a report consists of, from the records of one or more runs. */
import { join, resolve } from 'node:path';
import { type AnySummary, REPORT_FILE, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { UserError } from '../../results/user-error.ts';
import { summaryOf } from '../cell/analyse-run.ts';
import { writeParquet } from '../cell/cell-summaries.ts';
import { reportPage } from '../page/report-page.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { markdownList, renderLatex, withoutMarkup } from '../tables/render.ts';
import { readPageFiles } from './bundle.ts';
import { analyseRuns, refuseSeveralOfDocuments } from './collect.ts';
import { summaryCsv } from './csv.ts';
import { documentParts } from './document-report.ts';
import { markdownSection, type ReportOptions, type ReportParts } from './report-parts.ts';
import { typingParts } from './typing-report.ts';

export interface WrittenReport extends Pick<ReportParts, 'beside' | 'problems' | 'page'> {
  /** Those that could be read. */
  runs: readonly MeasuredRun[];
  /** Of each of them. */
  summaries: readonly AnySummary[];
  /** Absolute. */
  outDirectory: string;
}

/**
 * Rebuilds `summary.json`, `report.html`, `summary.csv`, `tables.md` and `tables.tex` in the report's folder; of people who type
 * `series/` too, with `resilience.csv` if something was asked to break, and of documents `charts/`. In the run's own folder, it also
 * brings `figures.json` of each trial up to date. It writes nowhere else: the runs may be another's, and read-only. Of several runs
 * each has a summary and series of its own, `run-1-…`. The same records give the same bytes.
 *
 * @throws UserError (exit code 2) where no run can be read, the runs do not belong in one report, there are several and
 *         no folder for the report, or no cell has the user count that is asked for
 */
export async function writeReport(
  runDirectories: readonly string[],
  options: ReportOptions = {},
): Promise<WrittenReport> {
  await refuseSeveralOfDocuments(runDirectories);
  const outDirectory = chooseOutDirectory(runDirectories, options.outDirectory);
  const isOwnFolder = runDirectories.every((directory) => resolve(directory) === outDirectory);
  const analysed = await analyseRuns(runDirectories, { keeps: isOwnFolder });
  const { runs } = analysed;
  const isTyped = SCENARIOS[runs[0]!.scenario].isTyping;
  const parts = isTyped
    ? await typingParts(analysed, { ...options, outDirectory })
    : await documentParts(runs[0]!, outDirectory);
  const write = (name: string, content: string) => writeFileAtomically(join(outDirectory, name), content);
  const summaries = runs.map(summaryOf);
  for (const [index, summary] of summaries.entries()) {
    const prefix = runs.length > 1 ? `run-${index + 1}-` : '';
    await writeJson(join(outDirectory, `${prefix}${SUMMARY_FILE}`), summary);
  }
  await write('summary.csv', summaryCsv(parts.page));
  for (const [name, content] of parts.files) await write(name, content);
  await write('tables.md', markdownPage(parts));
  const latex = ['% Needs \\usepackage{booktabs} and UTF-8 input.', ...parts.latex.map(renderLatex)];
  await write('tables.tex', `${latex.join('\n\n')}\n`);
  await write(REPORT_FILE, reportPage(parts.page, await readPageFiles(options.script)));
  if (options.parquet === true) await writeParquet(runs, join(outDirectory, 'parquet'));
  const { beside, problems, page } = parts;
  return { runs, summaries, beside, problems, page, outDirectory };
}

function chooseOutDirectory(runDirectories: readonly string[], given: string | undefined): string {
  if (given !== undefined) return resolve(given);
  const [only, ...more] = runDirectories;
  if (only !== undefined && more.length === 0) return resolve(only);
  throw new UserError('a report on several runs needs a folder of its own; give one with --out');
}

function markdownPage({ first, problems, sections, last }: ReportParts): string {
  const parts = [
    '# Report',
    ...first,
    ...(problems.length > 0 ? [`## Left out or noted\n\n${markdownList(problems)}`] : []),
    ...sections.map(markdownSection),
    ...last,
  ];
  return `${withoutMarkup(parts.join('\n\n'))}\n`;
}
