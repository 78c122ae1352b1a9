/** `report`: summary, tables, series and report of runs, made again from their records. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { countOf } from '../analysis/figures/figure-text.ts';
import type { Reported } from '../analysis/page/report-page.ts';
import { besidePaper } from '../analysis/report/beside-paper.ts';
import { type ImageFormat, writeChartImages } from '../analysis/report/images.ts';
import { refuseToLose } from '../analysis/report/kept-summary.ts';
import { writeReport } from '../analysis/report/report.ts';
import { formatTable } from '../analysis/report/summary-table.ts';
import { typingCells } from '../analysis/scenarios/cell.ts';
import { renderCaptioned } from '../analysis/tables/render.ts';
import { launchChrome } from '../harness/users/chrome/chrome.ts';
import { shortPath } from '../infra/project.ts';
import { REPORT_FILE } from '../results/formats/run-directory.ts';
import { parseCount } from './parse-number.ts';
import { WIDE_OPTION } from './run-command.ts';
import { coloured, say } from './terminal.ts';

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

async function writeAndPrintReport(
  directories: string[],
  { out, png, pdf, wide, ...options }: ReportFlags,
): Promise<void> {
  await refuseToLose(directories, out ?? directories[0]!);
  const { outDirectory, runs, beside, problems, page } = await writeReport(directories, {
    ...options,
    outDirectory: out,
  });
  const reportPath = join(outDirectory, REPORT_FILE);
  const formats: ImageFormat[] = [...(png === true ? ['png' as const] : []), ...(pdf === true ? ['pdf' as const] : [])];
  if (formats.length > 0) {
    const launch = () => launchChrome({ show: false });
    await writeChartImages({ report: page, outDirectory, formats, launch });
  }
  const tables = [...runs.map((run) => formatTable(run, { wide })), ...beside.map(renderCaptioned)];
  console.log(coloured([...tables, ...sayPublished(page)].join('\n\n')));
  for (const problem of problems) say(problem);
  console.log(`\nReport: ${shortPath(reportPath)}`);
  const isAnyValid = runs.some(({ cells }) => cells.some(({ validTrials }) => validTrials > 0));
  if (!isAnyValid) process.exitCode = 1;
}

function sayPublished({ published, ...report }: Reported): string[] {
  if (published === null) return [];
  const none =
    besidePaper({ cells: typingCells(report), published }) === null ? ' No cell here is one of the paper’s.' : '';
  return [
    `Published numbers: ${countOf(published.tables.length, 'table')} at the end of tables.md, and in report.html under Published.${none}`,
  ];
}
