/** `report`: summary, tables, series and report of runs, made again from their records. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { formatDocumentTable } from '../analysis/documents/table.ts';
import { countOf } from '../analysis/figures/figure-text.ts';
import { besidePaper } from '../analysis/report/beside-paper.ts';
import { writeDocumentReport } from '../analysis/report/document-report.ts';
import { type ImageFormat, writeChartImages } from '../analysis/report/images.ts';
import { refuseToLose } from '../analysis/report/kept-summary.ts';
import { writeReport } from '../analysis/report/report.ts';
import { scalingTables } from '../analysis/report/tables.ts';
import { renderCaptioned } from '../analysis/tables/render.ts';
import { formatTable } from '../analysis/tables/summary-table.ts';
import { launchChrome } from '../harness/users/chrome/chrome.ts';
import { shortPath } from '../infra/project.ts';
import { REPORT_FILE } from '../results/formats/run-directory.ts';
import type { PublishedStudy } from '../results/published/study.ts';
import { scenarioOf } from '../results/run-folder/run-files.ts';
import { UserError } from '../results/user-error.ts';
import { parseCount } from './parse-number.ts';
import { WIDE_OPTION } from './run-command.ts';
import { coloured } from './terminal.ts';

export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('rebuild summary, tables and series of one or more runs from their records')
    .argument('<runs...>', 'folders that `run` wrote, such as results/<experiment>/<time>')
    .option('-o, --out <folder>', 'folder for everything written (default, for one run: its own)')
    .option(...WIDE_OPTION)
    .option('--users <number>', 'user count of the resource and saved-state tables', parseCount)
    .option('--published', 'show the numbers of the Collabs paper too, clearly apart')
    .option('--parquet', 'write the views of the records as Parquet files too')
    .option('--png', 'write each chart as a PNG file too, at twice the resolution of a screen')
    .option('--pdf', 'write each chart as a PDF file too')
    .action(writeAndPrintReport);
}

interface ReportFlags {
  out?: string;
  wide?: boolean;
  users?: number;
  published?: boolean;
  parquet?: boolean;
  png?: boolean;
  pdf?: boolean;
}

/** The printed part of a report, once the report is written. */
interface Printed {
  outDirectory: string;
  text: string;
  problems: readonly string[];
  isAnyValid: boolean;
}

async function writeAndPrintReport(directories: string[], { out, png, pdf, ...options }: ReportFlags): Promise<void> {
  const [only] = directories;
  if (only !== undefined) await refuseToLose(only, out ?? only);
  const { outDirectory, text, problems, isAnyValid } = (await areDocuments(directories))
    ? await writeDocuments(directories[0]!, out)
    : await writeTyping(directories, { ...options, outDirectory: out });
  const reportPath = join(outDirectory, REPORT_FILE);
  const formats: ImageFormat[] = [...(png === true ? ['png' as const] : []), ...(pdf === true ? ['pdf' as const] : [])];
  if (formats.length > 0) {
    const launch = () => launchChrome({ show: false });
    await writeChartImages({ reportPath, outDirectory, formats, launch });
  }
  console.log(coloured(text));
  for (const problem of problems) console.error(problem);
  console.log(`\nReport: ${shortPath(reportPath)}`);
  if (!isAnyValid) process.exitCode = 1;
}

async function writeTyping(
  directories: string[],
  { wide, ...options }: Parameters<typeof writeReport>[1] & Pick<ReportFlags, 'wide'>,
): Promise<Printed> {
  const { data, summaries, outDirectory } = await writeReport(directories, options);
  const beside = besidePaper(data);
  const tables = [...(beside === null ? [] : [beside]), ...scalingTables(data).filter(({ rows }) => rows.length > 0)];
  const text = [...summaries.map((summary) => formatTable(summary, { wide })), ...tables.map(renderCaptioned)];
  return {
    outDirectory,
    text: [...text, ...(data.published === null ? [] : [sayPublished(data.published, beside)])].join('\n\n'),
    problems: data.problems,
    isAnyValid: summaries.some(({ cells }) => cells.some(({ validTrials }) => validTrials > 0)),
  };
}

function sayPublished({ tables }: PublishedStudy, beside: object | null): string {
  const none = beside === null ? ' No cell here is one of the paper’s.' : '';
  return `Published numbers: ${countOf(tables.length, 'table')} at the end of tables.md, and in report.html under Published.${none}`;
}

async function writeDocuments(directory: string, out: string = directory): Promise<Printed> {
  const { summary, tables } = await writeDocumentReport(directory, { outDirectory: out });
  return {
    outDirectory: out,
    text: [formatDocumentTable(summary), ...tables.map(renderCaptioned)].join('\n\n'),
    problems: [],
    isAnyValid: summary.cells.some(({ validTrials }) => validTrials > 0),
  };
}

/**
 * True if these runs are of a document scenario.
 *
 * @throws UserError (2) if one of several is: such runs are reported one by one
 */
async function areDocuments(directories: readonly string[]): Promise<boolean> {
  const scenarios = await Promise.all(directories.map(scenarioOf));
  if (scenarios.every((scenario) => scenario === 'typing')) return false;
  if (scenarios.length === 1) return true;
  const seen = directories.map((directory, index) => `${directory} (${scenarios[index]})`).join(', ');
  throw new UserError(`${seen}: report on runs of document scenarios one at a time`, { exitCode: 2 });
}
