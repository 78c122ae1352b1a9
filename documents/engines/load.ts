/** The engines that are here: each file of this folder whose name is an engine's. */
import { readdir } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { UserError } from '../../results/user-error.ts';
import type { Engine } from './engine.ts';

/** Files of this folder that are no engine's. */
const SHARED = ['engine', 'identity', 'load', 'reference'];
const FILE = /^(?<name>[a-z0-9-]+)\.ts$/;

/** In alphabetical order. */
export async function engineNames(): Promise<string[]> {
  const files = await readdir(import.meta.dirname);
  return files
    .flatMap((file) => FILE.exec(file)?.groups?.name ?? [])
    .filter((name) => !SHARED.includes(name))
    .sort();
}

/** @throws UserError (2) if there is none of that name, (3) if its package is not installed */
export async function loadEngine(name: string): Promise<Engine> {
  const names = await engineNames();
  if (!names.includes(name)) {
    throw new UserError(`there is no engine "${name}"; there are: ${names.join(', ')}`, { exitCode: 2 });
  }
  try {
    return ((await import(`./${name}.ts`)) as { engine: Engine }).engine;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UserError(`the engine "${name}" needs a package that is not installed: run npm ci`, {
      exitCode: 3,
      cause,
    });
  }
}

/** Of its installed package; of this project's own code, this project's. */
export async function engineVersion({ about }: Engine): Promise<string> {
  const here = import.meta.url;
  const manifest = about.package === null ? new URL('../../package.json', here) : findPackageJSON(about.package, here);
  const { default: json } = await import(String(manifest), { with: { type: 'json' } });
  return json.version;
}
