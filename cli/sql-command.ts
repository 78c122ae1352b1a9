/** `sql`: the records of a run are asked in SQL. */
import { type Command, Option } from 'commander';
import { askDatabase, listViews, openRun, type QueryResult, type QueryValue } from '../analysis/cell/query.ts';
import { renderCsv } from '../analysis/tables/render.ts';
import { plainText } from '../results/foreign-text.ts';
import { alignTable } from '../results/text-table.ts';
import { say } from './terminal.ts';

export function addSqlCommand(program: Command): void {
  program
    .command('sql')
    .description('ask the records of a run in SQL, over the views of analysis/views/')
    .argument('<run>', 'a folder that `run` wrote')
    .argument('[query]', 'a query, such as "SELECT * FROM cell_summaries"; without one, the views are listed')
    .option('--trials <names...>', 'open only trials with a name that begins so, such as yjs-noquill-4')
    .option('--csv', 'print comma-separated values')
    .addOption(new Option('--json', 'print a list of objects').conflicts('csv'))
    .action(askAndPrint);
}

interface SqlFlags {
  trials?: string[];
  csv?: boolean;
  json?: boolean;
}

async function askAndPrint(directory: string, query: string | undefined, options: SqlFlags): Promise<void> {
  await using run = await openRun(directory, { trials: options.trials });
  for (const message of run.leftOut) say(`left out: ${message}`);
  for (const message of run.notValid) say(`not valid, but in the views: ${message}`);
  if (query === undefined) {
    console.log(formatResult(await listViews(run.database), options));
    console.error('\nMeaning and units of each: the comments in analysis/views/*.sql');
    return;
  }
  const { isCut, statements, ...result } = await askDatabase(run.database, query);
  console.log(formatResult(result, options));
  if (statements > 1) console.error(`This is the answer to the last of ${statements} statements`);
  if (isCut) console.error(`These are the first ${result.rows.length} rows; ask for fewer, or use report --parquet`);
}

function formatResult({ columns, rows }: QueryResult, { csv, json }: SqlFlags): string {
  if (json === true) {
    const objects = rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
    return JSON.stringify(objects, null, 2);
  }
  if (csv === true) return renderCsv(columns, rows).trimEnd();
  return plainText(alignTable([columns, ...rows.map((row) => row.map(textOf))]));
}

/** Instants keep their digits; other fractions are cut to what can be read. */
function textOf(value: QueryValue): string {
  if (value === null) return '–';
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return String(Number(Math.abs(value) >= 1 ? value.toFixed(3) : value.toPrecision(3)));
}
