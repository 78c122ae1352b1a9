/** From a run folder to the small file that is kept of it. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { instantSchema, nameSchema } from '../../results/formats/names.ts';
import {
  AGAINST_FILE,
  BLOCK_FILE,
  blockSchema,
  HALVES,
  MAX_FILE,
  MAX_MARKDOWN_FILE,
  SUMMARY_FILE,
} from '../../results/formats/run-directory.ts';
import { readAnyPlan, readJson, readRungs, readRunText } from '../../results/run-folder/run-files.ts';
import { messageOf, UserError } from '../../results/user-error.ts';
import { analyseRun } from '../cell/analyse-run.ts';
import { compareHalves } from '../compare/compare.ts';
import { replicatesOf } from '../page/rows.ts';
import { parseBoundedJson } from './bounded-json.ts';
import { type KeptRun, nameOf, unpacked, wordsSchema } from './kept-file.ts';

/**
 * The small part of a run folder that is kept: plan, summary, and each valid trial's own figures.
 *
 * @throws UserError (2) if the folder holds no run, or one without a summary
 */
export async function packRun(folder: string): Promise<{ name: string; kept: KeptRun }> {
  const isAgainst = existsSync(join(folder, AGAINST_FILE));
  const half = isAgainst ? join(folder, HALVES.new) : folder;
  const answer = join(folder, MAX_MARKDOWN_FILE);
  const hasAnswer = existsSync(answer);
  const file = {
    plan: await readAnyPlan(half),
    summary: await readJson(join(half, SUMMARY_FILE), summarySchema),
    campaign: await blockOf(folder),
    rungs: await readRungs(folder),
    answer: hasAnswer ? await readRunText(answer) : undefined,
    answers: hasAnswer ? await answersOf(folder) : undefined,
    words: isAgainst ? await wordsOf(folder) : undefined,
    replicates: existsSync(join(half, 'trials')) ? (await analyseRun(half)).cells.map(replicatesOf) : undefined,
  };
  const kept = unpacked(asRead(file, folder), folder);
  // Plan and summary are written as the run has them.
  const { plan, summary: written } = file as unknown as { plan: KeptRun['plan']; summary: KeptRun['written'] };
  return { name: nameOf(kept), kept: { ...kept, plan, written } };
}

const summarySchema = z.looseObject({ experiment: nameSchema, startedAt: instantSchema });

/** As whoever reads the packed run gets it. @throws UserError (2) if nobody could */
function asRead(file: object, folder: string): unknown {
  try {
    return parseBoundedJson(Buffer.from(JSON.stringify(file)));
  } catch (error) {
    throw new UserError(`${folder} cannot be packed: ${messageOf(error)}`);
  }
}

/** Which block of which campaign a run is; undefined if it is none. */
async function blockOf(folder: string): Promise<KeptRun['campaign']> {
  const path = join(dirname(resolve(folder)), BLOCK_FILE);
  if (!existsSync(path)) return undefined;
  const { campaign, part, question, block, deposit, sittings } = await readJson(path, blockSchema);
  const startedAt = sittings[0]?.startedAt;
  return { campaign, part, question, block, deposit, startedAt, entry: basename(resolve(folder)) };
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
  return wordsSchema.parse(words);
}
