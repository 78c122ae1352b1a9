/**
 * The data of the pages as tables of DuckDB: cells of kept runs, published and printed figures, outcomes of programs.
 * `cells.sql` says what the tables hold, and has the macros that pages share.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, quotedString } from '@duckdb/node-api';
import { formatRatio, pairedRatio } from '../../analysis/campaign/paired-blocks.ts';
import { type PooledBlocks, poolBlocks } from '../../analysis/campaign/pool-blocks.ts';
import { hasBacking } from '../../analysis/cell/backing-costs.ts';
import { cellJson } from '../../analysis/cell/cell-json.ts';
import { HEADLINE_FIGURES, SUMMARY_FIGURES } from '../../analysis/figures/catalogue.ts';
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { nestFigures } from '../../analysis/figures/nested.ts';
import { isOfPlayedCrowd, typingCells } from '../../analysis/scenarios/cell.ts';
import type { KeptRun } from '../../analysis/site/kept-file.ts';
import { keptNames, readBenches, readKept } from '../../analysis/site/kept-runs.ts';
import { poolCampaigns, pooledName, summariesOf } from '../../analysis/site/pool-campaigns.ts';
import { CAPABILITIES, LIBRARIES, programPath } from '../../capabilities/capabilities.ts';
import { readOutcomes } from '../../capabilities/outcomes.ts';
import { type FrameworkAbout, sharingOf } from '../../editors/base/framework.ts';
import { isStoreProgram, type StoreName } from '../../editors/base/stores.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { type Campaign, loadCampaign, readyMadeCampaigns } from '../../harness/campaign/campaign.ts';
import { temporaryFolder } from '../../infra/process/made-once.ts';
import { modeWithout, serversIn, storeIn } from '../../results/formats/run-directory.ts';
import type { Message } from '../../results/formats/verdict.ts';
import { readPublishedStudy } from '../../results/published/read-study.ts';
import { type ClimbRow, climbsOf, type WantedEntry } from './climbs.ts';
import { crowdMarks, type MarkOf } from './crowd-benches.ts';

export interface TableRun {
  /** In the column `run`. */
  run: string;
  kept: KeptRun;
  /** Of blocks under the experiment's name, what each found; null: not such a run. */
  pooled: PooledBlocks | null;
}

/** A run with those of its cells that a query chose, by their places in the summary. */
export interface ChosenCells extends TableRun {
  chosen: readonly number[];
}

export type Value = string | number | boolean | null;

/** An expression of a query's SELECT list. */
export interface Expression {
  /** The column, such as `localLatencyMs.p50`, if the expression is nothing but one. */
  column: string;
  /** The parsed expression as JSON. */
  parsed: string;
}

export class Cells {
  readonly #connection: DuckDBConnection;
  readonly markOf: MarkOf;
  readonly climbs: readonly ClimbRow[];
  /** By `cell`: the run, and the place of the cell in its summary. */
  readonly #places: readonly { run: TableRun; index: number }[];

  private constructor(
    connection: DuckDBConnection,
    runs: readonly TableRun[],
    known: { markOf: MarkOf; climbs: readonly ClimbRow[] },
  ) {
    this.#connection = connection;
    this.markOf = known.markOf;
    this.climbs = known.climbs;
    this.#places = runs.flatMap((run) => run.kept.summary.cells.map((_, index) => ({ run, index })));
  }

  /** @param root another folder of kept runs, for tests */
  static async open(root?: string): Promise<Cells> {
    const names = await keptNames(root);
    const kept = await Promise.all(names.map(async (name) => ({ name, kept: await readKept(name, root) })));
    const runs = tableRuns(kept);
    const markOf = await crowdMarks(root);
    const wanted = await wantedRows(kept.map((each) => each.kept));
    const climbs = climbsOf(runs, wanted);
    // Single blocks are in their pools.
    const answering = runs.filter(({ kept: { campaign }, pooled }) => campaign === undefined || pooled !== null);
    const connection = await (await DuckDBInstance.create(':memory:', ONE_THREAD)).connect();
    await using folder = await temporaryFolder('cells');
    const load = async (table: string, rows: readonly object[], columns?: string) => {
      const path = join(folder.path, `${table}.json`);
      await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      const how = columns === undefined ? INFER_ALL : `columns = {${columns}}`;
      await connection.run(`CREATE TABLE ${table} AS FROM read_json(${quotedString(path)}, ${how})`);
    };
    await load(
      'cells',
      runs.flatMap(cellRows).map((row, cell) => ({ cell, ...row })),
    );
    await load('wanted', wanted);
    await load(
      'climbs',
      climbs.map((row, nr) => ({ nr, ...row })),
      CLIMBS,
    );
    await load('ratios', runs.flatMap(ratioRows), RATIOS);
    await load('crowd_marks', crowdRows(runs, markOf), MARKS);
    await load('kept', answering.flatMap(keptRows), KEPT);
    const abouts = new Map((await discoverFrameworks()).map(({ name, about }) => [name, about]));
    await load(
      'backings',
      answering.flatMap((run) => backingRows(run, abouts)),
      BACKINGS,
    );
    await load('paper', await paperRows());
    await load('benches', await benchRows());
    await load('capabilities', await capabilityRows());
    await connection.run(`CREATE MACRO busy_machine_percent() AS ${BUSY_MACHINE_PERCENT}`);
    await connection.run(await readFile(join(import.meta.dirname, 'cells.sql'), 'utf8'));
    return new Cells(connection, runs, { markOf, climbs });
  }

  /** @throws Error of the database, if the query is wrong */
  async ask(sql: string): Promise<{ columns: string[]; rows: Value[][] }> {
    const reader = await this.#connection.runAndReadAll(sql);
    return {
      columns: reader.columnNames(),
      rows: reader
        .getRowsJS()
        .map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value) as Value)),
    };
  }

  async selected(sql: string): Promise<Expression[]> {
    const reader = await this.#connection.runAndReadAll(`SELECT json_serialize_sql(${quotedString(sql)})`);
    const { statements } = JSON.parse(String(reader.getRowsJS()[0]![0]));
    const list = statements[0].node.select_list as { column_names?: string[] }[];
    return list.map((parsed) => ({ column: (parsed.column_names ?? []).join('.'), parsed: JSON.stringify(parsed) }));
  }

  /** The cells that a query names in its column `cell`, by runs. @throws Error if there are none */
  async chosen(sql: string): Promise<ChosenCells[]> {
    const { columns, rows } = await this.ask(sql);
    const numbers = rows.flatMap((row) => row[columns.indexOf('cell')] ?? []).map(Number);
    if (numbers.length === 0) throw new Error(`no kept cell is chosen by: ${sql}`);
    const places = [...new Set(numbers)].sort((a, b) => a - b).map((cell) => this.#places[cell]!);
    const byRun = Map.groupBy(places, ({ run }) => run);
    return [...byRun].map(([run, cells]) => ({ ...run, chosen: cells.map(({ index }) => index) }));
  }
}

/** So few rows are not worth a second one. */
const ONE_THREAD = { threads: '1' };
/** Types by all rows, and never a map: names of figures are columns. */
const INFER_ALL = 'sample_size = -1, map_inference_threshold = -1, field_appearance_threshold = 0';
/** Types of tables that may be empty. */
const RATIOS =
  'run: VARCHAR, mode: VARCHAR, users: INTEGER, framework: VARCHAR, reference: VARCHAR, figure: VARCHAR, ratio: VARCHAR';
const MARKS = 'framework: VARCHAR, figure: VARCHAR, mark: VARCHAR';
const KEPT =
  'startedAt: VARCHAR, framework: VARCHAR, store: VARCHAR, struck: VARCHAR, clients: VARCHAR, kills: INTEGER, typed: DOUBLE, lost: DOUBLE, isAllLost: BOOLEAN, lostAcknowledged: DOUBLE, lostSeen: DOUBLE, atRiskSeconds: DOUBLE';
const BACKINGS =
  'run: VARCHAR, startedAt: VARCHAR, framework: VARCHAR, mode: VARCHAR, users: INTEGER, store: VARCHAR, servers: INTEGER, validTrials: INTEGER, failedTrials: INTEGER, converged: BOOLEAN, cpu: DOUBLE, storeCpu: DOUBLE, brokerCpu: DOUBLE, written: DOUBLE, grown: DOUBLE, sameMs: DOUBLE, otherMs: DOUBLE';
const CLIMBS =
  'nr: INTEGER, run: VARCHAR, machine: VARCHAR, framework: VARCHAR, library: VARCHAR, tier: VARCHAR, people: VARCHAR, in_short: VARCHAR, most: INTEGER, ended_by: VARCHAR, sittings: INTEGER, code: VARCHAR';

/** Each kept run under its own name, and before them the blocks of a campaign's entry, or ladder, pooled, under the name that they share. */
function tableRuns(kept: readonly { name: string; kept: KeptRun }[]): TableRun[] {
  const pooled = poolCampaigns(kept.filter((run) => run.kept.campaign !== undefined)).map((run) => {
    const names = run.blocks ?? [run.name];
    const blocks = summariesOf(kept.filter(({ name }) => names.includes(name)));
    return { run: pooledName(run.kept), kept: run.kept, pooled: poolBlocks(blocks) };
  });
  return [...pooled, ...kept.map((run) => ({ run: run.name, kept: run.kept, pooled: null }))];
}

function cellRows({ run, kept }: TableRun): object[] {
  const { plan, summary, machine = null } = kept;
  const { scenario, startedAt } = summary;
  const experiment = pooledName(kept);
  const { durations, faults } = plan.experiment;
  return summary.cells.map((cell) => {
    const { curves: _, ...own }: Record<string, unknown> = {
      ...cellJson({ ...cell, figures: {} }, scenario),
      // Names with a dot become structs, of documents too.
      ...nestFigures(Object.entries(cell.figures)),
      messages: trialsByCode(cell.messages),
    };
    return { run, machine, experiment, startedAt, scenario, plan: { durations, faults }, ...own };
  });
}

/** In how many trials each message stands, by its code. */
function trialsByCode(messages: readonly Pick<Message, 'code' | 'trials'>[]): Record<string, number> {
  const codes = Object.entries(Object.groupBy(messages, ({ code }) => code));
  return Object.fromEntries(codes.map(([code, same]) => [code, new Set(same!.flatMap(({ trials }) => trials)).size]));
}

/** The project's, read once in a process. */
let campaigns: Promise<Campaign[]> | undefined;

/** The entries of all campaigns, and how many blocks of each are kept. */
async function wantedRows(kept: readonly KeptRun[]): Promise<WantedEntry[]> {
  campaigns ??= Promise.all(readyMadeCampaigns().map((name) => loadCampaign(name, { isDry: true })));
  const rows = (await campaigns).flatMap(({ name: campaign, parts }) =>
    parts.flatMap(({ name: part, blocks, ladder, entries }) =>
      entries.map(({ name: entry, loaded: { experiment } }) => {
        const ofEntry = kept.filter(({ summary }) => summary.experiment === `${campaign}-${part}-${entry}`);
        const [frameworks, users] = 'modes' in experiment ? [experiment.frameworks, experiment.users[0]!] : [null, 0];
        const run = ladder ? `${campaign}-${part}` : `${campaign}-${part}-${entry}`;
        return { run, campaign, part, entry, frameworks, blocks, kept: ofEntry.length, rung: ladder ? users : null };
      }),
    ),
  );
  return rows.map((row, nr) => ({ nr, ...row }));
}

/** Of pooled blocks, each framework ÷ each other. */
function ratioRows({ run, pooled }: TableRun): object[] {
  const typing = (pooled?.cells ?? []).filter(({ parameters }) => 'mode' in parameters);
  const pairs = typing.flatMap((base) => typing.map((cell) => ({ base, cell })));
  return pairs.flatMap(({ base, cell }) => {
    const { framework: reference, mode, users } = base.parameters;
    if (cell.parameters.mode !== mode || cell.parameters.users !== users) return [];
    return HEADLINE_FIGURES.map(({ name: figure }) => {
      const ratio = formatRatio(pairedRatio(base, cell, figure));
      return { run, mode, users, framework: cell.parameters.framework, reference, figure, ratio };
    });
  });
}

/** Of each framework that stood beside a played crowd. */
function crowdRows(runs: readonly TableRun[], markOf: MarkOf): object[] {
  const cells = runs.flatMap(({ kept }) => typingCells(kept.summary));
  const beside = new Map(cells.filter(isOfPlayedCrowd).map((cell) => [cell.parameters.framework, cell]));
  return [...beside].flatMap(([framework, cell]) =>
    SUMMARY_FIGURES.map(({ name }) => ({ framework, figure: name, mark: markOf(cell, name) })),
  );
}

/** Of cells whose server, store or power was struck, while the document held nothing but what was typed since. */
function keptRows({ kept: { summary } }: TableRun): object[] {
  const { startedAt, cells } = summary;
  const struck = cells.filter(({ figures, parameters }) => 'editsLostSeen' in figures && !('edits' in parameters));
  return struck.map(
    ({ parameters: { framework, store, struck, left: clients }, validTrials: kills, figures, messages }) => ({
      ...{ startedAt, framework, store, struck, clients, kills },
      typed: figures.editsTyped,
      lost: figures.editsLost,
      isAllLost: messages.some(({ code }) => code === 'lost-all'),
      lostAcknowledged: figures.editsLostAcknowledged,
      lostSeen: figures.editsLostSeen,
      atRiskSeconds: figures.atRiskSeconds,
    }),
  );
}

/** Of runs in which cells have stores or several servers; the mode is named without them. */
function backingRows({ run, kept: { summary } }: TableRun, abouts: ReadonlyMap<string, FrameworkAbout>): object[] {
  const cells = typingCells(summary);
  const isBacked = cells.some((cell) => hasBacking('store', cell) || hasBacking('servers', cell));
  if (!isBacked) return [];
  return cells.map(({ parameters: { framework, mode, users }, validTrials, failedTrials, converged, figures }) => {
    const store = (storeIn(mode) ?? 'memory') as StoreName;
    const servers = serversIn(mode);
    const [library = ''] = framework.split('@');
    const hasBroker = servers > 1 && sharingOf(abouts.get(library) ?? {}, store)?.needsRedis === true;
    return {
      ...{ run, startedAt: summary.startedAt, framework, users, validTrials, failedTrials, converged },
      mode: modeWithout(modeWithout(mode, 'store'), 'servers'),
      ...{ store, servers },
      cpu: figures.serverCpuPercent,
      storeCpu: isStoreProgram(store) ? figures.storeCpuPercent : 0,
      brokerCpu: hasBroker ? figures.brokerCpuPercent : 0,
      written: figures.writtenBytesPerCharacter,
      grown: figures.storeGrowthBytesPerCharacter,
      sameMs: figures['endToEndSameServerMs.p50'],
      otherMs: figures['endToEndOtherServerMs.p50'],
    };
  });
}

async function paperRows(): Promise<object[]> {
  return (await readPublishedStudy()).tables.flatMap(({ name: sheet, columns, rows }) =>
    rows.flatMap(({ framework, here, figures }) =>
      columns.map(({ name: figure }, index) => ({ sheet, framework, here, figure, value: figures[index] })),
    ),
  );
}

async function benchRows(): Promise<object[]> {
  return (await readBenches()).flatMap(({ name: bench, columns, rows }) =>
    rows.flatMap(([what, ...values]) =>
      values.flatMap((value, index) =>
        typeof value === 'number' ? [{ bench, what: String(what), figure: columns[index + 1], value }] : [],
      ),
    ),
  );
}

async function capabilityRows(): Promise<object[]> {
  const kept = await readOutcomes();
  return LIBRARIES.flatMap((library) => {
    const { name, title } = library;
    const { version, outcomes } = kept[name]!;
    return CAPABILITIES.map((capability) => {
      const { id } = capability;
      const program = programPath(capability, library);
      return { library: name, title, version, id, mark: outcomes[id]!.mark, program };
    });
  });
}
