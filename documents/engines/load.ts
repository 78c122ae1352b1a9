/**
 * The engines that are here: each file of this folder whose name is an engine's; and `engine.ts` in the folder of a framework
 * from outside, by that framework's name.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { outsideFolders } from '../../frameworks/places.ts';
import { hookPublicModules } from '../../frameworks/public-modules.ts';
import { Unavailable, UserError } from '../../results/user-error.ts';
import type { Engine } from './engine.ts';

/** Files of this folder that are no engine's. */
const SHARED = ['engine', 'identity', 'load', 'reference'];
const FILE = /^(?<name>[a-z0-9-]+)\.ts$/;

/** The module of an engine from outside; null if the framework's folder has none, or no framework is named so. */
export function outsideEngine(name: string): string | null {
  const folder = outsideFolders()[name];
  const paths = folder === undefined ? [] : ['ts', 'js', 'mjs'].map((ending) => join(folder, `engine.${ending}`));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Those of this project, in alphabetical order. */
export async function ownEngineNames(): Promise<string[]> {
  const files = await readdir(import.meta.dirname);
  return files
    .flatMap((file) => FILE.exec(file)?.groups?.name ?? [])
    .filter((name) => !SHARED.includes(name))
    .sort();
}

/** In alphabetical order. */
export function outsideEngineNames(): string[] {
  const names = Object.keys(outsideFolders()).filter((name) => outsideEngine(name) !== null);
  return names.sort();
}

/** @throws UserError (2) if there is none of that name, (3) if its package is not installed */
export async function loadEngine(name: string): Promise<Engine> {
  const names = [...(await ownEngineNames()), ...outsideEngineNames()];
  if (!names.includes(name)) {
    throw new UserError(`there is no engine "${name}"; there are: ${names.join(', ')}`);
  }
  const outside = outsideEngine(name);
  if (outside !== null) {
    hookPublicModules();
    return ((await import(/* @vite-ignore */ pathToFileURL(outside).href)) as { engine: Engine }).engine;
  }
  try {
    return ((await import(`./${name}.ts`)) as { engine: Engine }).engine;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Unavailable(`the engine "${name}" needs a package that is not installed: ./scriptorium install --all`, {
      cause,
    });
  }
}
