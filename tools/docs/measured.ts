/**
 * What this project measured, and keeps for its documents: of each run its plan and its summary, of a search for the most
 * users its answer, and of a run of two versions in turns what came of the comparison, in
 * `results/measured/<date>T<time>-<experiment>/`. The tables in the documents are written from the newest one of each
 * experiment, or of each of its modes or cells where it is run in parts.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { lastCalibration, withMissedBounds } from '../../analysis/cell/calibration.ts';
import { compareHalves } from '../../analysis/compare/compare.ts';
import type { Mode } from '../../frameworks/modes.ts';
import { MAX_MARKDOWN_FILE } from '../../harness/max/found.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { type DocumentSummary, documentSummarySchema } from '../../results/formats/document-summary.ts';
import {
  type DocumentPlanFile,
  HALVES,
  modeSchema,
  PLAN_FILE,
  type PlanFile,
  SUMMARY_FILE,
} from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { readDocumentPlan, readJson, readPlan } from '../../results/run-folder/run-files.ts';

export interface MeasuredRun {
  plan: PlanFile;
  summary: Summary;
}

/** Of a document scenario. */
export interface MeasuredDocuments {
  plan: DocumentPlanFile;
  summary: DocumentSummary;
}

export interface MeasuredMax extends MeasuredRun {
  answer: string;
}

/** Of each figure of each cell of a run of two versions in turns, what `compare` said. */
const keptWordsSchema = z.object({
  cells: z.array(
    z.object({
      framework: z.string(),
      mode: modeSchema,
      users: z.number(),
      pairs: z.number(),
      figures: z.array(z.object({ name: z.string(), word: z.string() })),
    }),
  ),
});
export type MeasuredWords = MeasuredRun & z.infer<typeof keptWordsSchema>;

const FOLDER = 'results/measured';
/** `2026-11-23T1442-compare`; before 23 November without the time. */
const FOLDER_NAME = /^\d{4}-\d\d-\d\d(?:T\d{4})?-(.*)$/;
const WORDS_FILE = 'words.json';

/** Loosely: figures that came after it are not in it, and shown as not measured. */
const keptSummarySchema = z.looseObject({
  experiment: z.string(),
  startedAt: z.string(),
  environment: z.record(z.string(), z.unknown()),
  cells: z.array(z.looseObject({ framework: z.string(), mode: modeSchema, tier: z.string().default('unknown') })),
});

/**
 * All runs of an experiment that are kept, the oldest first.
 *
 * @throws UserError where their files cannot be read
 */
export async function measuredRuns(experiment: string, root: string = PROJECT_ROOT): Promise<MeasuredRun[]> {
  return await Promise.all((await foldersOf(experiment, root)).map(readRun));
}

/** The newest of them, or of those with a cell in the mode; null where there is none. */
export async function newestMeasured(
  experiment: string,
  { mode, root = PROJECT_ROOT }: { mode?: Mode; root?: string } = {},
): Promise<MeasuredRun | null> {
  const runs = await measuredRuns(experiment, root);
  const has = ({ summary }: MeasuredRun) => mode === undefined || summary.cells.some((cell) => cell.mode === mode);
  return runs.findLast(has) ?? null;
}

/** The same of a document scenario. */
export async function newestDocuments(
  experiment: string,
  root: string = PROJECT_ROOT,
): Promise<MeasuredDocuments | null> {
  const newest = await newestFolder(experiment, root);
  return newest === null ? null : await readDocuments(newest);
}

/** All searches for the most users, the oldest first, with their answers in Markdown. */
export async function measuredSearches(experiment: string, root: string = PROJECT_ROOT): Promise<MeasuredMax[]> {
  const folders = await foldersOf(experiment, root);
  return await Promise.all(
    folders.map(async (folder) => ({
      ...(await readRun(folder)),
      answer: await readFile(join(folder, MAX_MARKDOWN_FILE), 'utf8'),
    })),
  );
}

/** The same of a run of two versions in turns. */
export async function newestWords(experiment: string, root: string = PROJECT_ROOT): Promise<MeasuredWords | null> {
  const newest = await newestFolder(experiment, root);
  if (newest === null) return null;
  return { ...(await readRun(newest)), ...(await readJson(join(newest, WORDS_FILE), keptWordsSchema)) };
}

async function newestFolder(experiment: string, root: string): Promise<string | null> {
  return (await foldersOf(experiment, root)).at(-1) ?? null;
}

/** The oldest first. */
async function foldersOf(experiment: string, root: string): Promise<string[]> {
  const folder = join(root, FOLDER);
  const names = existsSync(folder) ? (await readdir(folder)).sort() : [];
  return names.filter((name) => FOLDER_NAME.exec(name)?.[1] === experiment).map((name) => join(folder, name));
}

/**
 * Keeps a run's plan and summary; of a search for the most users its answer, too.
 *
 * @throws UserError where the folder holds no run
 */
export async function keepMeasured(
  run: string,
  root: string = PROJECT_ROOT,
): Promise<MeasuredRun & { folder: string }> {
  const { plan, summary } = await readRun(run);
  const folder = folderFor(summary, root);
  await mkdir(folder, { recursive: true });
  const files = [PLAN_FILE, SUMMARY_FILE, ...(existsSync(join(run, MAX_MARKDOWN_FILE)) ? [MAX_MARKDOWN_FILE] : [])];
  for (const file of files) await copyFile(join(run, file), join(folder, file));
  return { plan, summary, folder };
}

/**
 * Keeps plan and summary of a document scenario's run.
 *
 * @throws UserError where the folder holds no such run
 */
export async function keepDocuments(run: string, root: string = PROJECT_ROOT): Promise<MeasuredDocuments> {
  const measured = await readDocuments(run);
  const folder = folderFor(measured.summary, root);
  await mkdir(folder, { recursive: true });
  for (const file of [PLAN_FILE, SUMMARY_FILE]) await copyFile(join(run, file), join(folder, file));
  return measured;
}

/** Where a run is kept, never another's place. */
function folderFor({ startedAt, experiment }: Pick<Summary, 'startedAt' | 'experiment'>, root: string): string {
  return join(root, FOLDER, `${startedAt.slice(0, 16).replace(':', '')}-${experiment}`);
}

async function readDocuments(folder: string): Promise<MeasuredDocuments> {
  const plan = await readDocumentPlan(folder);
  return { plan, summary: await readJson(join(folder, SUMMARY_FILE), documentSummarySchema) };
}

/**
 * Keeps what `compare` says of a run of two versions in turns, with the plan and the summary of its new half.
 *
 * @throws UserError where the folder holds no such run
 */
export async function keepWords(run: string, root: string = PROJECT_ROOT): Promise<void> {
  const comparison = await compareHalves(run);
  const { folder } = await keepMeasured(join(run, HALVES.new), root);
  const cells = comparison.cells.map(({ parameters, pairs, figures }) => ({
    ...parameters,
    pairs: pairs ?? 0,
    figures: figures.map(({ figure, word }) => ({ name: figure.name, word })),
  }));
  await writeJson(join(folder, WORDS_FILE), keptWordsSchema.parse({ cells }));
}

/** @throws UserError where the folder holds no run */
export async function readRun(folder: string): Promise<MeasuredRun> {
  const plan = await readPlan(folder);
  const summary = (await readJson(join(folder, SUMMARY_FILE), keptSummarySchema)) as unknown as Summary;
  const calibration = lastCalibration();
  return { plan, summary: { ...summary, cells: summary.cells.map((cell) => withMissedBounds(cell, calibration)) } };
}
