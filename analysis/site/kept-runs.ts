/**
 * Runs that the project keeps for its documents, each in one file: `results/measured/<date>T<time>-<experiment>.json.gz`. All runs of an
 * experiment stay. Cells whose way of measuring was wrong are withdrawn (`withdrawn.ts`), and runs whose question others answer better
 * lie in the folder `archive`, which nothing reads; CHANGELOG.md says so.
 */
import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { BLOCK_FILE, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { makeFolder, writeFileAtomically } from '../../results/formats/write-file.ts';
import { readJson } from '../../results/run-folder/run-files.ts';
import { UserError } from '../../results/user-error.ts';
import { depositSamples } from '../campaign/deposit.ts';
import { KEPT_ENDING, type KeptRun, readKeptFile, writeKept } from './kept-file.ts';
import { packRun } from './pack-run.ts';

const PROJECT_ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'results/measured';
export const MEASURED_FOLDER = join(PROJECT_ROOT, FOLDER);
/** Others' runs. */
export const SUBMITTED_FOLDER = join(PROJECT_ROOT, 'results/submitted');

/** Samples of blocks whose campaign asks for that, by the names of the kept runs. */
const DEPOSITS = 'deposits';

/** A kept run, by its file's name without the ending. @throws Error if none has the name */
export async function readKept(name: string, root: string = PROJECT_ROOT): Promise<KeptRun> {
  const path = join(root, FOLDER, `${name}${KEPT_ENDING}`);
  if (!existsSync(path)) throw new Error(`no run is kept as ${name}; there are: ${(await keptNames(root)).join(', ')}`);
  return await readKeptFile(path);
}

/** The kept runs, the oldest first. */
export async function keptNames(root: string = PROJECT_ROOT): Promise<string[]> {
  const files = await Array.fromAsync(glob(`*${KEPT_ENDING}`, { cwd: join(root, FOLDER) }));
  return files.map((file) => basename(file, KEPT_ENDING)).sort();
}

/**
 * The same run may be kept again, as when it has grown.
 *
 * @returns the name of the kept run, of its start and its experiment
 * @throws UserError (2) if the folder holds no run, or another of its experiment that began in the same minute is kept
 */
export async function keepRun(folder: string, root: string = PROJECT_ROOT): Promise<string> {
  const { name, kept } = await packRun(folder);
  const path = join(root, FOLDER, `${name}${KEPT_ENDING}`);
  const startedAt = existsSync(path) ? (await readKeptFile(path)).summary.startedAt : kept.summary.startedAt;
  if (startedAt !== kept.summary.startedAt) {
    const advice = 'keep one of the two, or give their experiments two names';
    throw new UserError(
      `a run of ${startedAt} is kept as ${name}, and this one began at ${kept.summary.startedAt}; ${advice}`,
    );
  }
  makeFolder(join(root, FOLDER));
  await writeKept(path, kept);
  if (kept.campaign?.deposit) await depositSamples(folder, join(root, FOLDER, DEPOSITS, name));
  return name;
}

/** The run folders in a campaign's folder, or in one of a block; or the run folder itself. */
export async function runFoldersIn(folder: string): Promise<string[]> {
  const summaries = await Array.fromAsync(glob(`{*,*/*,*/*/*}/${SUMMARY_FILE}`, { cwd: folder }));
  const runs = summaries.map((summary) => dirname(join(folder, summary)));
  const blocks = runs.filter((run) => existsSync(join(dirname(run), BLOCK_FILE))).sort();
  return blocks.length === 0 ? [folder] : blocks;
}

const benchesSchema = z.object({
  note: z.string(),
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

/** Figures that benches printed. */
const BENCHES = join(PROJECT_ROOT, FOLDER, 'benches.json');
/** In its text: a list of plain values, which has a line of its own. */
const ROW = /\[\n\s+([^[\]]+?)\n\s+\]/g;

export async function readBenches(): Promise<readonly Bench[]> {
  return (await readJson(BENCHES, benchesSchema)).benches;
}

/** Measured today. It stands behind the others, in the place of one with its name. */
export async function keepBench(bench: Bench): Promise<void> {
  const { note, benches } = await readJson(BENCHES, benchesSchema);
  const others = benches.filter(({ name }) => name !== bench.name);
  const day = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  const today = { ...bench, measured: `${bench.measured}, ${day}` };
  const text = JSON.stringify({ note, benches: [...others, today] }, null, 2);
  const lines = text.replace(ROW, (_list, values: string) => `[${values.replaceAll(/,\n\s+/g, ', ')}]`);
  await writeFileAtomically(BENCHES, `${lines}\n`);
}
