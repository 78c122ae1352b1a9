/** Worlds in files, one a line: those that `explore` found, and those that once failed and are kept, which `check` plays. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { readingProblem } from '../../results/file-problem.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import { messageOf, UserError } from '../../results/user-error.ts';
import { baseOf } from '../discover.ts';
import type { Framework } from '../framework.ts';
import type { WorldFinding } from './explore.ts';
import { WORLD_VERSION, worldSchema } from './world.ts';

const headSchema = z.object({ worldVersion: z.int(), scriptorium: z.string() });
const lineSchema = z.strictObject({
  /** Of the form of the world. */
  worldVersion: z.int().min(1).max(WORLD_VERSION),
  /** The version of this project that wrote it. */
  scriptorium: z.string(),
  framework: z.string(),
  frameworkVersion: z.string(),
  /** The invariant that broke, and how it showed. */
  invariant: z.string(),
  text: z.string(),
  world: worldSchema,
});
export type KeptWorld = z.infer<typeof lineSchema>;

/** Lines for a file. */
export async function writeWorlds(path: string, findings: readonly WorldFinding[]): Promise<void> {
  const lines = findings.map(({ framework, frameworkVersion, broken, world }): KeptWorld => {
    const head = { worldVersion: WORLD_VERSION, scriptorium: manifest.version };
    return { ...head, framework, frameworkVersion, ...broken, world };
  });
  await writeFileAtomically(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** @throws UserError (2) naming the line that is no world, or of another version */
export async function readWorlds(path: string): Promise<KeptWorld[]> {
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new UserError(
      `${path} cannot be read: ${readingProblem(error)}; give a file of worlds, as explore writes it`,
    );
  });
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, `${path}, line ${index + 1}`)]));
}

function readLine(line: string, where: string): KeptWorld {
  const refuse = (why: string) => new UserError(`${where}: ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw refuse(`no world, but ${messageOf(error)}; give a file as explore writes it`);
  }
  const head = headSchema.safeParse(value);
  if (head.success && head.data.worldVersion > WORLD_VERSION) {
    const { worldVersion, scriptorium } = head.data;
    throw refuse(
      `a world of format ${worldVersion}, and this version reads up to ${WORLD_VERSION}; replay it with version ${scriptorium} of this project`,
    );
  }
  const { data, error } = lineSchema.safeParse(value);
  if (data !== undefined) return data;
  const { path, message } = error.issues[0]!;
  throw refuse(`no world: ${path.join('.')} ${message}`);
}

/** The kept worlds of a framework: the project's in this folder, another's in its own. */
export async function keptWorldsOf({ name, kind, root }: Framework): Promise<KeptWorld[]> {
  const path =
    kind === 'outside' ? join(root, 'found.jsonl') : join(import.meta.dirname, 'found', `${baseOf(name)}.jsonl`);
  return existsSync(path) ? readWorlds(path) : [];
}
