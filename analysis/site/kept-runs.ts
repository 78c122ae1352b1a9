/**
 * Runs that the project keeps for its documents, each in one file: `results/measured/<date>T<time>-<experiment>.json.gz` has
 * its plan and its summary. Of a search for the most users, it has the answer too; of two versions in turns, the comparison.
 * All runs of an experiment stay. Cells whose way of measuring was wrong are withdrawn (`withdrawn.ts`), and CHANGELOG.md says so.
 */
import { existsSync } from 'node:fs';
import { glob, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type DocumentSummary, documentSummarySchema } from '../../results/formats/documents.ts';
import { instantSchema, lineSchema, nameSchema } from '../../results/formats/names.ts';
import {
  AGAINST_FILE,
  BLOCK_FILE,
  blockSchema,
  HALVES,
  MAX_FILE,
  MAX_MARKDOWN_FILE,
  SUMMARY_FILE,
} from '../../results/formats/run-directory.ts';
import { olderCellSchema, type Summary, summarySchema } from '../../results/formats/summary.ts';
import { makeFolder, writeFileAtomically } from '../../results/formats/write-file.ts';
import { readAnyPlan, readJson, readRunText } from '../../results/run-folder/run-files.ts';
import { messageOf, UserError } from '../../results/user-error.ts';
import { depositSamples } from '../campaign/deposit.ts';
import { analyseRun } from '../cell/analyse-run.ts';
import { readSummary } from '../cell/cell-json.ts';
import { lastCalibration, withMissedBounds } from '../cell/cells.ts';
import { compareHalves } from '../compare/compare.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { parseBoundedJson, readBoundedJson } from './bounded-json.ts';
import { withoutWithdrawn } from './withdrawn.ts';

const PROJECT_ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'results/measured';
export const MEASURED_FOLDER = join(PROJECT_ROOT, FOLDER);
/** Others' runs. */
export const SUBMITTED_FOLDER = join(PROJECT_ROOT, 'results/submitted');

export const KEPT_ENDING = '.json.gz';
const MOST_PROBLEMS = 5;
/** Samples of blocks whose campaign asks for that, by the names of the kept runs. */
const DEPOSITS = 'deposits';
/** `2026-11-23T1442-compare`; runs before 23 November have no time, and blocks of a campaign have seconds. */
const NAME = /^\d{4}-\d\d-\d\d(?:T\d{4}(?:\d\d)?)?-(.*)$/;

/** More cells than these no run of the project has had; a page of them nobody reads. */
const MOST_CELLS = 1000;

const ofTyping = z.looseObject({
  ...summarySchema.shape,
  schemaVersion: z.unknown(),
  cells: z.array(olderCellSchema).max(MOST_CELLS),
});
const ofDocuments = documentSummarySchema.extend({ cells: documentSummarySchema.shape.cells.max(MOST_CELLS) });

const amount = z.number().min(0).max(1e12);

const keptSchema = z.object({
  plan: z.looseObject({
    experiment: z.looseObject({
      trace: nameSchema.optional(),
      trials: amount.optional(),
      durations: z.looseObject({ warmUpMs: amount, measureMs: amount }).optional(),
      typing: z.looseObject({ keysPerSecond: amount.optional(), rhythm: nameSchema.optional() }).optional(),
      network: z
        .looseObject({
          groups: z
            .array(z.looseObject({ link: z.looseObject({ oneWayDelayMs: amount.optional() }).optional() }))
            .optional(),
        })
        .optional(),
      fleet: z.looseObject({ on: nameSchema.optional() }).optional(),
    }),
  }),
  summary: ofTyping,
  answer: z.string().optional(),
  /** The same by framework, such as `at least 16`. */
  answers: z.array(z.object({ framework: nameSchema, mode: lineSchema, text: lineSchema })).optional(),
  /** Of one block of a campaign: which it is. Those of one entry are pooled wherever they are shown. */
  campaign: blockSchema
    .pick({ campaign: true, part: true, question: true, block: true, deposit: true })
    .extend({ entry: nameSchema })
    .optional(),
  /** For each cell, the own figures of its valid trials by name; absent if a run was kept without its trials. */
  replicates: z.array(z.record(lineSchema, z.array(z.number().min(-1e15).max(1e15)))).optional(),
  /** Of each figure of each cell, the word of `compare`. */
  words: z
    .array(
      z.object({
        framework: nameSchema,
        mode: nameSchema,
        users: amount,
        pairs: amount,
        figures: z.array(z.object({ name: lineSchema, word: lineSchema })),
      }),
    )
    .optional(),
});
const keptDocumentsSchema = keptSchema.extend({ summary: ofDocuments });

export type KeptRun = Omit<z.infer<typeof keptSchema>, 'summary'> & {
  summary: MeasuredRun;
  /** The same as the run wrote it. */
  written: Summary | DocumentSummary;
  /** Of pooled blocks: sentences on machines whose speeds differ. */
  beware?: readonly string[];
};

export type Replicates = Readonly<Record<string, readonly number[]>>;

/**
 * A kept run, by its file's name without the ending.
 *
 * @throws Error if none has the name
 */
export async function readKept(name: string, root: string = PROJECT_ROOT): Promise<KeptRun> {
  const path = join(root, FOLDER, `${name}${KEPT_ENDING}`);
  if (!existsSync(path)) throw new Error(`no run is kept as ${name}; there are: ${(await keptNames(root)).join(', ')}`);
  return await readKeptFile(path);
}

/** @throws UserError (2) if the file is not as `submit` and `npm run measured` write it */
export async function readKeptFile(path: string): Promise<KeptRun> {
  let value: unknown;
  try {
    value = await readBoundedJson(path);
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${messageOf(error)}; give a file that \`submit\` wrote`, {
      exitCode: 2,
    });
  }
  const kept = unpacked(value, path);
  if (!SCENARIOS[kept.summary.scenario].isJudged) return kept;
  const calibration = lastCalibration();
  const cells = kept.summary.cells.map((cell) => withMissedBounds(cell, calibration));
  return withoutWithdrawn({ ...kept, summary: { ...kept.summary, cells } });
}

/** @throws UserError (2) if it is no kept run */
function unpacked(value: unknown, path: string): KeptRun {
  const isTyping = !('scenario' in Object((value as { summary?: unknown } | null)?.summary));
  const { data, error } = (isTyping ? keptSchema : keptDocumentsSchema).safeParse(value);
  if (data === undefined)
    throw new UserError(`${path} is not as \`submit\` writes it:\n${problemsText(error)}`, { exitCode: 2 });
  const written = data.summary as Summary | DocumentSummary;
  return { ...data, written, summary: readSummary(written) };
}

/** The first of them: a hostile file may have thousands. */
export function problemsText({ issues }: z.ZodError): string {
  const more = issues.length - MOST_PROBLEMS;
  const first = z.prettifyError({ issues: issues.slice(0, MOST_PROBLEMS) });
  return more > 0 ? `${first}\n… and ${more} more` : first;
}

/** The kept runs, the oldest first; of one experiment, if it is named. */
export async function keptNames(root: string = PROJECT_ROOT, experiment?: string): Promise<string[]> {
  const files = existsSync(join(root, FOLDER)) ? await readdir(join(root, FOLDER)) : [];
  return files
    .filter((file) => file.endsWith(KEPT_ENDING))
    .map((file) => basename(file, KEPT_ENDING))
    .filter((name) => experiment === undefined || experimentOf(name) === experiment)
    .sort();
}

export function experimentOf(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/**
 * Keeps a run in the place that its start and its experiment name.
 *
 * @returns the name of the kept run
 * @throws UserError if the folder holds no run
 */
export async function keepRun(folder: string, root: string = PROJECT_ROOT): Promise<string> {
  const { name, kept } = await packRun(folder);
  makeFolder(join(root, FOLDER));
  await writeKept(join(root, FOLDER, `${name}${KEPT_ENDING}`), kept);
  if (kept.campaign?.deposit) await deposit(folder, join(root, FOLDER, DEPOSITS, name));
  return name;
}

async function deposit(folder: string, into: string): Promise<void> {
  const { cells } = await analyseRun(folder);
  const valid = cells.flatMap(({ ran }) => ran.filter(({ figures }) => figures !== null));
  await depositSamples(
    valid.map(({ directory }) => join(folder, directory)),
    into,
  );
}

/** The run folders in a campaign's folder, or in one of a block; or the run folder itself. */
export async function runFoldersIn(folder: string): Promise<string[]> {
  const summaries = await Array.fromAsync(glob(`{*,*/*,*/*/*}/${SUMMARY_FILE}`, { cwd: folder }));
  const runs = summaries.map((summary) => dirname(join(folder, summary)));
  const blocks = runs.filter((run) => existsSync(join(dirname(run), BLOCK_FILE))).sort();
  return blocks.length === 0 ? [folder] : blocks;
}

/** Which block of which campaign a run is; null if it is none. */
async function blockOf(folder: string): Promise<KeptRun['campaign'] | null> {
  const path = join(dirname(resolve(folder)), BLOCK_FILE);
  if (!existsSync(path)) return null;
  const { campaign, part, question, block, deposit } = await readJson(path, blockSchema);
  return { campaign, part, question, block, deposit, entry: basename(resolve(folder)) };
}

export async function writeKept(path: string, kept: KeptRun): Promise<void> {
  const { plan, summary: _, written, ...others } = kept;
  await writeFileAtomically(path, gzipSync(JSON.stringify({ plan, summary: written, ...others })));
}

/**
 * The small part of a run folder that is kept: plan, summary, and each valid trial's own figures.
 *
 * @throws UserError (2) if the folder holds no run, or one without a summary
 */
export async function packRun(folder: string): Promise<{ name: string; kept: KeptRun }> {
  const isAgainst = existsSync(join(folder, AGAINST_FILE));
  const half = isAgainst ? join(folder, HALVES.new) : folder;
  const plan = await readAnyPlan(half);
  const summary = await readJson(
    join(half, SUMMARY_FILE),
    z.looseObject({ experiment: nameSchema, startedAt: instantSchema }),
  );
  const answer = join(folder, MAX_MARKDOWN_FILE);
  const campaign = await blockOf(folder);
  const kept = {
    plan,
    summary,
    ...(campaign !== null && { campaign }),
    ...(existsSync(answer) && { answer: await readRunText(answer), answers: await answersOf(folder) }),
    ...(isAgainst && { words: await wordsOf(folder) }),
    ...(existsSync(join(half, 'trials')) && { replicates: await replicatesOf(half) }),
  };
  const read = unpacked(asPacked(kept, folder), folder);
  // Byte by byte as the run wrote them.
  const written = { ...kept, summary: read.summary, written: summary } as unknown as KeptRun;
  return { name: nameOf({ summary, campaign }), kept: written };
}

/** As whoever reads the packed run gets it. @throws UserError (2) if nobody could */
function asPacked(kept: object, folder: string): unknown {
  try {
    return parseBoundedJson(Buffer.from(JSON.stringify(kept)));
  } catch (error) {
    throw new UserError(`${folder} cannot be packed: ${messageOf(error)}`, { exitCode: 2 });
  }
}

/** By its start and its experiment. Blocks may follow one another within a minute, so that theirs has seconds. */
export function nameOf({
  summary,
  campaign,
}: {
  summary: Pick<MeasuredRun, 'startedAt' | 'experiment'>;
  campaign?: unknown;
}) {
  return `${summary.startedAt.slice(0, campaign ? 19 : 16).replaceAll(':', '')}-${summary.experiment}`;
}

/** In the order of the summary's cells, which is that of the plan. */
async function replicatesOf(folder: string): Promise<Replicates[]> {
  const { cells } = await analyseRun(folder);
  return cells.map(({ ran }) => {
    const valid = ran.flatMap(({ figures }) => (figures === null ? [] : [figures]));
    const names = [...new Set(valid.flatMap((figures) => Object.keys(figures)))];
    return Object.fromEntries(names.map((name) => [name, valid.flatMap((figures) => figures[name] ?? [])]));
  });
}

const foundSchema = z.object({
  frameworks: z.array(z.object({ framework: z.string(), mode: z.string(), answer: z.string() })),
});

/** Of a search for the most users. */
async function answersOf(folder: string): Promise<KeptRun['answers']> {
  const { frameworks } = await readJson(join(folder, MAX_FILE), foundSchema);
  return frameworks.map(({ framework, mode, answer }) => ({ framework, mode, text: answer }));
}

async function wordsOf(folder: string): Promise<KeptRun['words']> {
  const { cells } = await compareHalves(folder);
  const words = cells.map(({ parameters, pairs, figures }) => ({
    ...parameters,
    pairs: pairs ?? 0,
    figures: figures.map(({ figure, word }) => ({ name: figure.name, word })),
  }));
  return keptSchema.shape.words.parse(words);
}

const benchesSchema = z.object({
  benches: z.array(
    z.object({
      name: z.string(),
      /** Conditions and day. */
      measured: z.string(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    }),
  ),
});

export type Bench = z.infer<typeof benchesSchema>['benches'][number];

/** Figures that benches printed: `results/measured/benches.json`. */
export async function readBenches(): Promise<readonly Bench[]> {
  return (await readJson(join(PROJECT_ROOT, FOLDER, 'benches.json'), benchesSchema)).benches;
}
