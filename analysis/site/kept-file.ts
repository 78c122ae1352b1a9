/**
 * A run as one small file: its plan, its summary, and its valid trials' own figures. A search for the most users has its answer too, two
 * versions in turns the words of their comparison, and a campaign's block says which it is. The file may be anybody's.
 */
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type DocumentSummary, documentSummarySchema } from '../../results/formats/documents.ts';
import { instantSchema, lineSchema, nameSchema } from '../../results/formats/names.ts';
import { blockSchema, rungsSchema } from '../../results/formats/run-directory.ts';
import { olderCellSchema, type Summary, summarySchema } from '../../results/formats/summary.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import { messageOf, UserError } from '../../results/user-error.ts';
import { readSummary } from '../cell/cell-json.ts';
import { lastCalibration, withMissedBounds } from '../cell/cells.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { readBoundedJson } from './bounded-json.ts';
import { withoutWithdrawn } from './withdrawn.ts';

export const KEPT_ENDING = '.json.gz';
const MOST_PROBLEMS = 5;
/** More cells than these no run of the project has had; a page of them nobody reads. */
const MOST_CELLS = 1000;

const amount = z.number().min(0).max(1e12);

/** Other properties of an object stay in it. */
const partial = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).partial();

const planSchema = z.object({
  experiment: partial({
    trace: nameSchema,
    trials: amount,
    durations: z.looseObject({ warmUpMs: amount, measureMs: amount }),
    typing: partial({ keysPerSecond: amount, rhythm: nameSchema }),
    network: partial({ groups: z.array(partial({ link: partial({ oneWayDelayMs: amount }) })) }),
    fleet: partial({ on: nameSchema }),
  }),
});

/** By their scenario, which those of typing do not name. */
const keptSummarySchema = z.discriminatedUnion('scenario', [
  z.looseObject({
    ...summarySchema.shape,
    scenario: z.undefined().optional(),
    schemaVersion: z.unknown(),
    cells: z.array(olderCellSchema).max(MOST_CELLS),
  }),
  documentSummarySchema.extend({ cells: documentSummarySchema.shape.cells.max(MOST_CELLS) }),
]);

const packedSchema = z.object({
  plan: planSchema,
  summary: keptSummarySchema,
  /** Of a search. */
  answer: z.string().optional(),
  /** The same by framework, such as `at least 16`. */
  answers: z.array(z.object({ framework: nameSchema, mode: lineSchema, text: lineSchema })).optional(),
  /** Of one block of a campaign: which it is, and when it began. Those of one entry are pooled wherever they are shown. */
  campaign: blockSchema
    .pick({ campaign: true, part: true, question: true, block: true, deposit: true })
    .extend({ entry: nameSchema, startedAt: instantSchema.optional() })
    .optional(),
  /** Of a ladder's rung. */
  rungs: rungsSchema.optional(),
  /**
   * For each cell, the own figures of its valid trials by name, series of servers among them, of which a limit may be 2^64. Absent if a
   * run was kept without its trials.
   */
  replicates: z.array(z.record(lineSchema, z.array(z.number().min(-1e20).max(1e20)))).optional(),
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

export const wordsSchema = packedSchema.shape.words;

export type KeptRun = Omit<z.infer<typeof packedSchema>, 'summary'> & {
  /** As it is read today. */
  summary: MeasuredRun;
  /** As the run wrote it. */
  written: Summary | DocumentSummary;
  /** Of pooled blocks: sentences on code that differs, and on machines whose speeds differ or are not known. */
  beware?: readonly string[];
  /** Of pooled blocks. */
  areSpeedsAlike?: boolean;
  /** Of pooled blocks: when each began, the oldest first. */
  began?: readonly string[];
  /** Of a pooled ladder: the machine that climbed it, by its name and its speed. */
  machine?: string;
};

/** The project's, read once: kept runs are many. */
let calibration: { last: ReturnType<typeof lastCalibration> } | undefined;

/**
 * With what today's calibration says of its figures, and without cells that are withdrawn.
 *
 * @throws UserError (2) if the file is not as `submit` and `npm run measured` write it
 */
export async function readKeptFile(path: string): Promise<KeptRun> {
  let value: unknown;
  try {
    value = await readBoundedJson(path);
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${messageOf(error)}; give a file that \`submit\` wrote`);
  }
  const kept = unpacked(value, path);
  const { summary } = kept;
  if (!SCENARIOS[summary.scenario].isTyping) return kept;
  calibration ??= { last: lastCalibration() };
  const { last } = calibration;
  const cells = summary.cells.map((cell) => withMissedBounds(cell, last));
  return withoutWithdrawn({ ...kept, summary: { ...summary, cells } });
}

/** @throws UserError (2) if it is no kept run */
export function unpacked(value: unknown, path: string): KeptRun {
  const { data, error } = packedSchema.safeParse(value);
  if (data === undefined) throw new UserError(`${path} is not as \`submit\` writes it:\n${problemsText(error)}`);
  const written = data.summary as Summary | DocumentSummary;
  return { ...data, written, summary: readSummary(written) };
}

/** The first of them: a hostile file may have thousands. */
export function problemsText({ issues }: z.ZodError): string {
  const more = issues.length - MOST_PROBLEMS;
  const first = z.prettifyError({ issues: issues.slice(0, MOST_PROBLEMS) });
  return more > 0 ? `${first}\n… and ${more} more` : first;
}

/** By its start and its experiment. Blocks may follow one another within a minute, so that theirs has seconds. */
export function nameOf({ summary, campaign }: KeptRun): string {
  return `${summary.startedAt.slice(0, campaign ? 19 : 16).replaceAll(':', '')}-${summary.experiment}`;
}

export async function writeKept(path: string, { plan, summary: _, written, ...others }: KeptRun): Promise<void> {
  await writeFileAtomically(path, gzipSync(JSON.stringify({ plan, summary: written, ...others })));
}
