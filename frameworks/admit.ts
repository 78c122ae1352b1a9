/**
 * Admission of a framework by its written form: its name; `NAME@VERSION`; the folder or the installed package of one from
 * outside. It is checked, and its packages are installed, before anything starts.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../infra/process/child.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { messageOf, UserError } from '../results/user-error.ts';
import { besideItsPackages, findFramework, lookUp, packagesOfProject, projectNames, versionIn } from './discover.ts';
import type { Framework } from './framework.ts';
import { packageOf } from './imports.ts';
import { knowOutside, nameOfOutside, outsideFolders } from './outside.ts';
import { readyProjectPackages } from './packages/project-packages.ts';
import { isInstalled, type ReadyOptions, readyPackages } from './packages/ready-packages.ts';

/** The name of a package, or of a folder in it. @see https://docs.npmjs.com/cli/configuring-npm/package-json#name */
const PACKAGE = /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(\/[A-Za-z0-9._-]+)*$/;
const INSPECTOR = join(import.meta.dirname, 'inspect-main.ts');

/** Frameworks that this process already admitted: a command may read its experiment several times. */
const admitted = new Map<string, Promise<Framework | null>>();

interface AdmitOptions extends ReadyOptions {
  /** The folder that paths are relative to and packages are looked up from. */
  from: string;
}

/**
 * @param written as it stands in an experiment or on the command line
 * @returns the framework, ready to be run by its name in this process and those that it starts; null: nothing is named so
 * @throws UserError (exit code 2, 3) in one sentence, if it cannot be run
 */
export function admit(written: string, options: AdmitOptions): Promise<Framework | null> {
  const key = JSON.stringify([written, options.from, options.isDry === true]);
  const admitting = admitted.get(key) ?? letIn(written, options);
  admitted.set(key, admitting);
  return admitting;
}

/** As `admit`, for all names in a command. @throws UserError (exit code 2) also if nothing has such a name */
export async function admitAll(written: readonly string[], options: AdmitOptions): Promise<Framework[]> {
  const found: Framework[] = [];
  for (const each of written) found.push((await admit(each, options)) ?? (await findFramework(each)));
  return found;
}

async function letIn(written: string, options: AdmitOptions): Promise<Framework | null> {
  if (isPath(written, options.from)) return letInFolder(resolve(options.from, written), options);
  const known = outsideFolders()[written];
  if (known !== undefined) return letInFolder(known, { as: written, ...options });
  const names = await projectNames();
  if (names.includes(written) || names.includes(versionIn(written)?.base ?? '')) {
    const { about } = await lookUp(written);
    await readyProjectPackages(packagesOfProject(about), options);
    const found = await lookUp(written);
    if (found.packages === null) return found;
    await readyPackages(found.packages, options);
    if (!isInstalled(found.packages)) return found;
    return besideItsPackages(await lookUp(written), PROJECT_ROOT);
  }
  const folder = PACKAGE.test(written) ? packageFolderOf(written, options.from) : null;
  return folder === null ? null : letInFolder(folder, options);
}

function isPath(written: string, from: string): boolean {
  return /^(\.{1,2}(\/|$)|\/)/.test(written) || (written.includes('/') && existsSync(join(from, written)));
}

/** Folder of the installed package that `from` would import; null if there is none. */
function packageFolderOf(written: string, from: string): string | null {
  const name = packageOf(written);
  try {
    const manifest = findPackageJSON(name, pathToFileURL(join(from, 'experiment.js')));
    return manifest === undefined ? null : join(dirname(manifest), written.slice(name.length));
  } catch {
    return null;
  }
}

/**
 * @param given      a folder
 * @param options.as the framework's name; its own unless given
 * @throws UserError (exit code 2) if it holds no framework, or the name is taken
 */
export async function letInFolder(
  given: string,
  { as, say }: { as?: string; say?: (text: string) => void },
): Promise<Framework> {
  if (!existsSync(given) || !statSync(given).isDirectory()) {
    throw new UserError(
      `there is no folder ${given}; give the folder of a framework (it holds about, client and server), or make one: ./scriptorium new-framework ${given}`,
      { exitCode: 2 },
    );
  }
  const folder = realpathSync(given);
  const name = as ?? (await nameOfOutside(folder));
  if ((await projectNames()).includes(name)) {
    throw new UserError(
      `two frameworks are named "${name}": the project’s own and ${folder}; rename the second in its package.json, or rename its folder`,
      { exitCode: 2 },
    );
  }
  // It gets the project's packages of Yjs if it brings none. Its modules are loaded now, to see that they can be.
  await readyProjectPackages(packagesOfProject((await lookUp('yjs')).about), { say });
  knowOutside(name, folder);
  const framework = await findFramework(name);
  await inspect(framework);
  return framework;
}

/** Its modules are loaded in a process of their own: this one may coordinate trials, and has no need of the library. */
async function inspect({ name }: Framework): Promise<void> {
  const problem = await runCommand([process.execPath, INSPECTOR, name], { folder: PROJECT_ROOT }).catch(messageOf);
  if (problem === '') return;
  throw new UserError(`${name} cannot be used: ${problem}`, { exitCode: 2 });
}
