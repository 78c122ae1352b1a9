/** A researcher's own questions: SQL over the views of every trial of a run that can be read. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { recordPath } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { asReason, readAnyPlan, readVerdict, scenarioOf } from '../../results/run-folder/run-files.ts';
import { UserError } from '../../results/user-error.ts';
import { typingCells } from '../scenarios/cell.ts';
import { DOCUMENT_RECORD, readTrial } from '../trial/analyse-trial.ts';
import { originOf, readFigures } from '../trial/figures-file.ts';
import { judge, unreadable } from '../verdict/judge.ts';
import { openRecords, type RecordsDatabase } from '../views/database.ts';
import { analyseRun } from './analyse-run.ts';
import { addCellSummaries } from './cell-summaries.ts';

export interface OpenRun extends AsyncDisposable {
  database: RecordsDatabase;
  /** Trials that are not in the database, and why: one sentence each. */
  leftOut: string[];
  /** Trials that are in it although no figure counts them: one sentence each. */
  notValid: string[];
}

export type QueryValue = string | number | boolean | null;

export interface QueryResult {
  columns: string[];
  rows: QueryValue[][];
}

/**
 * Opens all trials of a run in one database, side by side: every table has the column `trial`. The variable
 * `valid_trials` names those whose verdict is `valid`.
 *
 * @param options.trials only trials whose name begins with one of these; all where it is empty
 * @throws UserError (exit code 2) where the folder holds no run, a name begins no trial's, or no trial can be read
 */
export async function openRun(runDirectory: string, options: { trials?: readonly string[] } = {}): Promise<OpenRun> {
  const { trials: wanted = [] } = options;
  const isTyping = (await scenarioOf(runDirectory)) === 'typing';
  const plan = await readAnyPlan(runDirectory);
  const planned = plan.trials.map(({ directory }) => join(runDirectory, directory));
  const eaten = wanted.find((name) => /\s/.test(name));
  if (eaten !== undefined) {
    throw new UserError(`--trials takes "${eaten}" as a name of trials; put the query before --trials`);
  }
  const without = wanted.filter((name) => !planned.some((path) => basename(path).startsWith(name)));
  if (without.length > 0) {
    const names = planned.map((path) => basename(path)).join(', ');
    throw new UserError(
      `no trial of ${runDirectory} has a name that begins with ${without.join(' or ')}; there are ${names}`,
    );
  }
  const isWanted = (path: string) => wanted.length === 0 || wanted.some((name) => basename(path).startsWith(name));
  let paths = planned.filter(isWanted);
  const leftOut: string[] = [];
  // Each round leaves out one trial that cannot be read, so there are at most as many rounds as trials.
  while (paths.length > 0) {
    const database = await asReason(() => openRecords(paths));
    if (typeof database !== 'string') {
      // By the checks and figures of today: summary.json may be of an earlier version.
      if (isTyping) await addCellSummaries(database, typingCells(await analyseRun(runDirectory)));
      return { ...(await describeTrials(paths, database)), leftOut };
    }
    const culprit = paths.find((path) => database.includes(join(path, 'records')));
    if (culprit === undefined) throw new UserError(database);
    leftOut.push(`${basename(culprit)}: ${database}`);
    paths = paths.filter((path) => path !== culprit);
  }
  throw new UserError(`no trial of ${runDirectory} can be read:\n${leftOut.join('\n')}`);
}

async function describeTrials(paths: readonly string[], database: RecordsDatabase): Promise<Omit<OpenRun, 'leftOut'>> {
  const verdicts = await readVerdicts(paths, database);
  const valid = verdicts.filter(({ verdict }) => verdict === 'valid');
  const others = verdicts.filter(({ verdict }) => verdict !== 'valid');
  await database.setList(
    'valid_trials',
    valid.map(({ name }) => name),
  );
  await database.confine();
  return {
    database,
    notValid: others.map(({ name, verdict, reasons }) => {
      return `${name} is ${verdict}: ${reasons.map(({ message }) => message).join('; ')}`;
    }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** Of trials that the run ended, as today's checks judge; those without a `figures.json` of today by what is open. */
async function readVerdicts(
  paths: readonly string[],
  database: RecordsDatabase,
): Promise<(Verdict & { name: string })[]> {
  let open: Map<string, Verdict> | undefined;
  return Array.fromAsync(paths, async (path) => {
    const name = basename(path);
    const recorded = await readVerdict(path);
    if (typeof recorded === 'string') return { name, ...unreadable(recorded, path) };
    const kept = existsSync(recordPath(path, DOCUMENT_RECORD))
      ? await readTrial(path, { keeps: false })
      : await readFigures(path, await originOf(path));
    if (kept === null) open ??= await judge(database);
    return { name, ...(kept?.verdict ?? open!.get(name)!) };
  });
}

/** An answer has so many rows at most: far more than a person reads, and what memory holds. */
const MOST_ROWS = 500_000;

/** DuckDB would write its log to a file although it may write none, and end the process when it cannot. */
const LOGGING = /\b(en|dis)able_logging\b|\btruncate_duckdb_logs\b/i;

/** The engine says so of a comment alone. */
const OF_NO_STATEMENT = 'Error in native callback';

/**
 * @returns at most `atMost` rows of the last statement; `isCut` where there are more
 * @throws UserError (exit code 2) with the database's own words where it refuses the query
 */
export async function askDatabase(
  database: RecordsDatabase,
  sql: string,
  { atMost = MOST_ROWS }: { atMost?: number } = {},
): Promise<QueryResult & { isCut: boolean; statements: number }> {
  if (sql.trim() === '') {
    throw new UserError(
      'the query is empty; write one such as "SELECT * FROM cell_summaries", or none for a list of views',
    );
  }
  const logging = LOGGING.exec(sql)?.[0];
  if (logging !== undefined) {
    throw new UserError(`the query was refused: ${logging} is not for a run's database, which writes no file`);
  }
  try {
    const { rows, ...answer } = await database.ask(sql, { atMost: atMost + 1 });
    return { ...answer, rows: rows.slice(0, atMost), isCut: rows.length > atMost };
  } catch (error) {
    const said = (error as Error).message.replace(/^Failed to extract statements: /, '');
    const why = said === OF_NO_STATEMENT ? 'it has no statement, such as SELECT * FROM cell_summaries' : said;
    throw new UserError(`the query was refused: ${why}`, { cause: error });
  }
}

/** The relations for questions: every table and view with its columns, every table function with its parameters. */
export async function listViews(database: RecordsDatabase): Promise<QueryResult> {
  return await database.ask(`
    SELECT if(table_schema = 'main', '', table_schema || '.') || table_name AS view,
      string_agg(column_name, ', ' ORDER BY ordinal_position) AS columns
    FROM information_schema.columns WHERE table_schema IN ('main', 'line')
    GROUP BY ALL
    UNION ALL
    SELECT function_name || '(' || array_to_string(parameters, ', ') || ')', 'a function'
    FROM duckdb_functions() WHERE function_type = 'table_macro' AND NOT internal
    ORDER BY view`);
}
