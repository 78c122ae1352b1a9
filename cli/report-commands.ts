/** `report`, `sql`, `compare`: the commands that read what runs have written. */
import { join, relative } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { compareHalves, compareRuns } from '../analysis/compare/compare.ts';
import { toBencher, toGithubActionBenchmark } from '../analysis/compare/continuous.ts';
import { comparisonJson, formatComparison, formatMarkdownComparison } from '../analysis/compare/format.ts';
import { failedThresholds, parseThreshold, type Threshold } from '../analysis/compare/threshold.ts';
import { type ImageFormat, writeChartImages } from '../analysis/report/images.ts';
import { writeReport } from '../analysis/report/report.ts';
import { scalingTables } from '../analysis/report/tables.ts';
import { askDatabase, listViews, openRun, type QueryResult, type QueryValue } from '../analysis/run/query.ts';
import { CATALOGUES } from '../analysis/scenarios/catalogue.ts';
import { writeDocumentReport } from '../analysis/scenarios/report.ts';
import { formatDocumentTable } from '../analysis/scenarios/table.ts';
import { renderCaptioned, renderCsv } from '../analysis/tables/render.ts';
import { formatTable } from '../analysis/tables/summary-table.ts';
import { launchChrome } from '../harness/users/chrome/chrome.ts';
import { REPORT_FILE } from '../results/formats/run-directory.ts';
import { scenarioOf } from '../results/run-folder/run-files.ts';
import { alignTable } from '../results/text-table.ts';
import { UserError } from '../results/user-error.ts';

const COMPARISON_FORMATS = ['table', 'markdown', 'json', 'github-action-benchmark', 'bencher'] as const;
type ComparisonFormat = (typeof COMPARISON_FORMATS)[number];

export function addReportCommands(program: Command): void {
  program
    .command('report')
    .description('rebuild summary, tables and series of one or more runs from their records')
    .argument('<runs...>', 'folders that `run` wrote, such as results/<experiment>/<time>')
    .option('--out <folder>', 'where everything goes (default: into the folder of the run, where there is one run)')
    .option('--users <number>', 'user count of the resource and saved-state tables', parseUsers)
    .option('--published', 'lay the numbers of the Collabs paper beside, clearly apart')
    .option('--parquet', 'write the views of the records as Parquet files too')
    .option('--png', 'write each chart as a PNG file too, at twice the resolution of a screen')
    .option('--pdf', 'write each chart as a PDF file too')
    .action(writeAndPrintReport);

  program
    .command('sql')
    .description('ask the records of a run in SQL, over the views of analysis/views/')
    .argument('<run>', 'a folder that `run` wrote')
    .argument('[query]', 'such as "SELECT * FROM cell_summaries"; without it, the views are listed')
    .option('--trials <names...>', 'open only trials whose name begins so, such as yjs-noquill-4')
    .option('--csv', 'print comma-separated values')
    .addOption(new Option('--json', 'print a list of objects').conflicts('csv'))
    .action(askAndPrint);

  program
    .command('compare')
    .description('set two runs side by side: how each figure changed, and whether that is more than chance')
    .argument('<base>', 'a folder that `run` wrote; alone, one of a run with --against')
    .argument('[new]', 'another, which is compared with it as made apart')
    .option(
      '--fail-if <threshold>',
      'exit with 1 where it holds, such as "endToEndLatencyMs.p95 > +10%"; repeatable',
      collect,
    )
    .option('--fail-on-estimate', 'let a change decide by its estimate alone where there are fewer than 3 trials')
    .addOption(new Option('--markdown', 'print Markdown, for a pull request').conflicts('format'))
    .addOption(
      new Option('--format <format>', 'how to print; the last two give the figures of <new>')
        .choices(COMPARISON_FORMATS)
        .default('table'),
    )
    .action(compareAndPrint);
}

interface ReportFlags {
  out?: string;
  users?: number;
  published?: boolean;
  parquet?: boolean;
  png?: boolean;
  pdf?: boolean;
}

async function writeAndPrintReport(directories: string[], { out, png, pdf, ...options }: ReportFlags): Promise<void> {
  if (await areDocuments(directories)) return writeAndPrintDocumentReport(directories[0]!, out);
  const { data, summaries, outDirectory } = await writeReport(directories, { ...options, outDirectory: out });
  const formats: ImageFormat[] = [...(png === true ? ['png' as const] : []), ...(pdf === true ? ['pdf' as const] : [])];
  if (formats.length > 0) {
    const launch = () => launchChrome({ show: false });
    await writeChartImages({ reportPath: join(outDirectory, REPORT_FILE), outDirectory, formats, launch });
  }
  console.log(summaries.map(formatTable).join('\n\n'));
  for (const table of scalingTables(data)) if (table.rows.length > 0) console.log(`\n${renderCaptioned(table)}`);
  for (const problem of data.problems) console.error(problem);
  console.log(`\nReport: ${relative(process.cwd(), join(outDirectory, REPORT_FILE))}`);
  const isAnyValid = summaries.some(({ cells }) => cells.some(({ validTrials }) => validTrials > 0));
  if (!isAnyValid) process.exitCode = 1;
}

async function writeAndPrintDocumentReport(directory: string, out?: string): Promise<void> {
  const { summary, tables } = await writeDocumentReport(directory, { outDirectory: out });
  console.log([formatDocumentTable(summary), ...tables.map(renderCaptioned)].join('\n\n'));
  console.log(`\nReport: ${relative(process.cwd(), join(out ?? directory, REPORT_FILE))}`);
  if (!summary.cells.some(({ validTrials }) => validTrials > 0)) process.exitCode = 1;
}

/**
 * Whether these runs are of a document scenario.
 *
 * @throws UserError (2) if one of several is: they are told one by one
 */
async function areDocuments(directories: readonly string[]): Promise<boolean> {
  const scenarios = await Promise.all(directories.map(scenarioOf));
  if (scenarios.every((scenario) => scenario === 'typing')) return false;
  if (scenarios.length === 1) return true;
  const seen = directories.map((directory, index) => `${directory} (${scenarios[index]})`).join(', ');
  throw new UserError(`${seen}: report on runs of document scenarios one at a time`, { exitCode: 2 });
}

interface SqlFlags {
  trials?: string[];
  csv?: boolean;
  json?: boolean;
}

async function askAndPrint(directory: string, query: string | undefined, options: SqlFlags): Promise<void> {
  await using run = await openRun(directory, { trials: options.trials });
  for (const message of run.leftOut) console.error(`left out: ${message}`);
  for (const message of run.notValid) console.error(`not valid, but in the views: ${message}`);
  if (query === undefined) {
    console.log(formatResult(await listViews(run.database), options));
    console.error('\nWhat each means, in which units: the comments in analysis/views/*.sql');
    return;
  }
  const { isCut, ...result } = await askDatabase(run.database, query);
  console.log(formatResult(result, options));
  if (isCut) console.error(`These are the first ${result.rows.length} rows; ask for fewer, or take report --parquet`);
}

function formatResult({ columns, rows }: QueryResult, { csv, json }: SqlFlags): string {
  if (json === true) {
    const objects = rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
    return JSON.stringify(objects, null, 2);
  }
  if (csv === true) return renderCsv(columns, rows).trimEnd();
  return alignTable([columns, ...rows.map((row) => row.map(textOf))]);
}

/** Instants keep their digits; other fractions are cut to what can be read. */
function textOf(value: QueryValue): string {
  if (value === null) return '–';
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return String(Number(Math.abs(value) >= 1 ? value.toFixed(3) : value.toPrecision(3)));
}

interface CompareFlags {
  failIf?: Threshold[];
  failOnEstimate?: boolean;
  markdown?: boolean;
  format: ComparisonFormat;
}

async function compareAndPrint(base: string, fresh: string | undefined, options: CompareFlags): Promise<void> {
  const { failIf = [], markdown = false, failOnEstimate } = options;
  const comparison = await (fresh === undefined ? compareHalves(base) : compareRuns(base, fresh));
  const failures = failedThresholds(comparison, failIf, { onEstimate: failOnEstimate });
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  switch (markdown ? 'markdown' : options.format) {
    case 'table':
      console.log(formatComparison(comparison));
      break;
    case 'markdown':
      console.log(formatMarkdownComparison(comparison, failures));
      break;
    case 'json':
      console.log(json({ ...comparisonJson(comparison), failures }));
      break;
    case 'github-action-benchmark':
      console.log(json(toGithubActionBenchmark(comparison)));
      break;
    case 'bencher':
      console.log(json(toBencher(comparison)));
      break;
  }
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
}

function parseUsers(text: string): number {
  const users = Number(text);
  if (!Number.isInteger(users) || users < 1) throw new InvalidArgumentError('it is a whole number from 1 on.');
  return users;
}

function collect(text: string, earlier: Threshold[] = []): Threshold[] {
  const figures = Object.values(CATALOGUES).flatMap((catalogue) => catalogue.figures);
  return [
    ...earlier,
    parseThreshold(
      text,
      figures.filter(({ places }) => places.includes('compare')),
    ),
  ];
}
