/** From the files of a run to its `summary.json`. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readRecordFile } from '../results/record-file.ts';
import {
  ENVIRONMENT_FILE,
  PLAN_FILE,
  type PlannedTrial,
  planSchema,
  recordPath,
  SUMMARY_FILE,
  VERDICT_FILE,
  writeJson,
} from '../results/run-directory.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../results/summary.ts';
import { UserError } from '../results/user-error.ts';
import { type Verdict, verdictSchema } from '../results/verdict.ts';
import { type JudgedTrial, summarizeCell } from './cells.ts';
import { readTrialFigures } from './trial-figures.ts';

/**
 * Summarises a run from its files alone, and writes its `summary.json`.
 *
 * A trial that has not run is left out, and a cell without any trial that has run with it. A trial whose files cannot be
 * read is `unknown`, with the reason; the others stand.
 * @param runDirectory the folder that holds `plan.json` and `trials/`
 * @throws UserError (exit code 2) where plan or environment cannot be read
 */
export async function summarize(runDirectory: string): Promise<Summary> {
  const plan = await readJson(join(runDirectory, PLAN_FILE), planSchema);
  const environmentPath = join(runDirectory, ENVIRONMENT_FILE);
  const environment = existsSync(environmentPath)
    ? await readJson(environmentPath, z.record(z.string(), z.unknown()))
    : {};

  const cells: Summary['cells'] = [];
  for (const planned of Map.groupBy(plan.trials, ({ cell }) => cell).values()) {
    const trials: JudgedTrial[] = [];
    for (const trial of planned) {
      const trialDirectory = join(runDirectory, trial.directory);
      if (existsSync(trialDirectory)) trials.push(await judgeTrial(trial, trialDirectory));
    }
    const [{ framework, mode, users }] = planned as [PlannedTrial];
    if (trials.length > 0) cells.push(summarizeCell({ framework, mode, users }, trials));
  }

  const summary: Summary = {
    schemaVersion: SUMMARY_SCHEMA_VERSION,
    experiment: plan.experiment.name,
    startedAt: plan.startedAt,
    environment,
    cells,
  };
  await writeJson(join(runDirectory, SUMMARY_FILE), summary);
  return summary;
}

/** The verdict that the run gave, or `unknown` where what the analysis needs to follow it cannot be read. */
async function judgeTrial({ trial }: PlannedTrial, trialDirectory: string): Promise<JudgedTrial> {
  const verdict = await readVerdict(trialDirectory);
  const judged = {
    trial,
    verdict: verdict.verdict,
    reasons: verdict.reasons.map(({ message }) => message),
    notes: verdict.notes.map(({ message }) => message),
    converged: verdict.converged,
  };
  if (verdict.verdict !== 'valid') {
    return { ...judged, version: await readVersion(trialDirectory), figures: null };
  }
  const figures = await asReason(() => readTrialFigures(trialDirectory));
  if (typeof figures !== 'string' && !('defects' in figures)) return { ...judged, version: figures.version, figures };
  return {
    ...judged,
    verdict: 'unknown',
    reasons: typeof figures === 'string' ? [figures] : figures.defects,
    version: await readVersion(trialDirectory),
    figures: null,
  };
}

async function readVerdict(trialDirectory: string): Promise<Verdict> {
  const path = join(trialDirectory, VERDICT_FILE);
  const verdict = existsSync(path)
    ? await asReason(() => readJson(path, verdictSchema))
    : `it did not end: it has no ${VERDICT_FILE}`;
  if (typeof verdict !== 'string') return verdict;
  return {
    schemaVersion: 1,
    verdict: 'unknown',
    reasons: [{ code: 'unreadable', message: verdict }],
    notes: [],
    converged: null,
  };
}

/** The framework's version as the coordinator wrote it, null where its record cannot be read. */
async function readVersion(trialDirectory: string): Promise<string | null> {
  const version = await asReason(async () => {
    for await (const line of readRecordFile(recordPath(trialDirectory, 'coordinator'))) {
      if (line.type === 'process') return { version: line.frameworkVersion };
    }
    return { version: null };
  });
  return typeof version === 'string' ? null : version.version;
}

/** What the files hold, or, where they cannot be read, the sentence that says why. */
async function asReason<T extends object>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${(error as Error).message}`, { exitCode: 2, cause: error });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new UserError(`${path} is not as a run writes it:\n${z.prettifyError(result.error)}`, { exitCode: 2 });
}
