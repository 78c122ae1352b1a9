/** Reading the JSON files of a run: plan, environment, verdicts. */
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { plainText } from '../foreign-text.ts';
import { readBoundedFile } from '../formats/bounded-file.ts';
import { SCENARIOS, type ScenarioName } from '../formats/documents.ts';
import {
  type DocumentPlanFile,
  documentPlanSchema,
  ENVIRONMENT_FILE,
  PLAN_FILE,
  type PlanFile,
  planSchema,
  RUNGS_FILE,
  type Rung,
  rungsSchema,
  VERDICT_FILE,
} from '../formats/run-directory.ts';
import { otherSchemaVersion } from '../formats/schema-version.ts';
import { type Verdict, verdictSchema } from '../formats/verdict.ts';
import { messageOf, UserError } from '../user-error.ts';

/** @throws UserError (exit code 2) if there is no plan, or one that this version cannot read */
export async function readPlan(runDirectory: string): Promise<PlanFile> {
  return refuseOlder(await readPlanAs(runDirectory, planSchema), runDirectory);
}

/** As `readPlan`, of a document scenario. */
export async function readDocumentPlan(runDirectory: string): Promise<DocumentPlanFile> {
  return refuseOlder(await readPlanAs(runDirectory, documentPlanSchema), runDirectory);
}

/** The plan of a run of any scenario. */
export async function readAnyPlan(runDirectory: string): Promise<PlanFile | DocumentPlanFile> {
  return (await scenarioOf(runDirectory)) === 'typing' ? readPlan(runDirectory) : readDocumentPlan(runDirectory);
}

/** Runs begun before this day name phases and modes otherwise and lack fields of records, under the same schema version. */
const FIRST_DAY_READ = '2026-11-25';

function refuseOlder<Plan extends { startedAt: string }>(plan: Plan, runDirectory: string): Plan {
  const day = plan.startedAt.slice(0, FIRST_DAY_READ.length);
  if (day >= FIRST_DAY_READ) return plan;
  throw new UserError(
    `${runDirectory} holds a run of ${day}: runs begun before ${FIRST_DAY_READ} have an older format, which this version does not read; read it with the version of the project that wrote it, or measure it again`,
  );
}

/** The scenario of a run; `typing` if its plan does not say, or cannot be read. */
export async function scenarioOf(runDirectory: string): Promise<ScenarioName> {
  const plan = await asReason(() => readPlanAs(runDirectory, anyPlanSchema));
  return typeof plan === 'string' ? 'typing' : plan.experiment.scenario;
}

const anyPlanSchema = z.object({ experiment: z.object({ scenario: z.enum(SCENARIOS).catch('typing') }) });

function readPlanAs<T>(runDirectory: string, schema: z.ZodType<T>): Promise<T> {
  const path = join(runDirectory, PLAN_FILE);
  if (!existsSync(path)) {
    // A folder that may not be read has its files, but shows none. The slash refuses what is no folder.
    if (existsSync(runDirectory)) accessSync(`${runDirectory}/`, constants.R_OK | constants.X_OK);
    throw new UserError(
      `${runDirectory} holds no run: there is no ${PLAN_FILE} in it; give a folder that \`run\` wrote, such as results/<experiment>/<time>`,
    );
  }
  return readJson(path, schema);
}

/** The environment of a run, with texts as they can be printed; empty if it was not written. */
export async function readEnvironment(runDirectory: string): Promise<Record<string, unknown>> {
  const path = join(runDirectory, ENVIRONMENT_FILE);
  return existsSync(path) ? await readJson(path, z.record(z.string(), z.unknown()), printable) : {};
}

const printable = (_name: string, value: unknown) => (typeof value === 'string' ? plainText(value) : value);

/** The answers of a ladder's rung by its trials; undefined: the run is none. */
export async function readRungs(runDirectory: string): Promise<Rung[] | undefined> {
  const path = join(runDirectory, RUNGS_FILE);
  return existsSync(path) ? await readJson(path, rungsSchema) : undefined;
}

/** The verdict that the run gave; if it cannot be read, a sentence with the reason. */
export async function readVerdict(trialDirectory: string): Promise<Verdict | string> {
  const path = join(trialDirectory, VERDICT_FILE);
  if (!existsSync(path)) return `it did not end: it has no ${VERDICT_FILE}`;
  return await asReason(() => readJson(path, verdictSchema));
}

/** The result; if it is refused by a UserError, the sentence that says why. */
export async function asReason<T extends object>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** A run folder may be anybody's. Plan and summary of the largest kept run have 0.3 MB. */
const MOST_BYTES = 64 * 2 ** 20;

/** A text file of a run's folder. @throws UserError (exit code 2) if it cannot be read, or is larger than any run's */
export async function readRunText(path: string): Promise<string> {
  try {
    return (await readBoundedFile(path, MOST_BYTES)).toString();
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** @param revive as of `JSON.parse`; @throws UserError (exit code 2) if the file is not JSON of the schema */
export async function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
  revive?: (name: string, value: unknown) => unknown,
): Promise<T> {
  const text = await readRunText(path);
  let value: unknown;
  try {
    value = JSON.parse(text, revive);
  } catch (error) {
    throw new UserError(
      `${path} cannot be read: it is cut off or damaged, so no JSON (${messageOf(error)}); copy the run's folder again`,
      { cause: error },
    );
  }
  return checkRead(value, path, schema);
}

/** @throws UserError (exit code 2) if what the file holds is not of the schema */
export function checkRead<T>(value: unknown, path: string, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const otherVersion = otherSchemaVersion(value, result.error);
  if (otherVersion !== null) throw new UserError(`${path} ${otherVersion}`);
  throw new UserError(
    `${path} is not as a run writes it; if another version of the project wrote it, use that one, or measure again:\n${z.prettifyError(result.error)}`,
  );
}
