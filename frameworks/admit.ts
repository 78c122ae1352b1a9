/**
 * Admission of a framework by its written form: its name; `NAME@VERSION`; the folder or the installed package of one from
 * outside. It is checked, and its packages are installed, before anything starts.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runCommand } from '../infra/process/child.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { messageOf, UserError } from '../results/user-error.ts';
import { baseOf, lookUp, packagesOfProject, projectNames } from './discover.ts';
import { type Framework, type Loadable, usable } from './framework.ts';
import { packageOf } from './imports.ts';
import type { Half } from './inspect-main.ts';
import { refuseUnknownIds } from './known-issue-ids.ts';
import { MODES, modesOf } from './modes.ts';
import { nameOfOutside, readOutside } from './outside.ts';
import { manifestFor } from './packages/installed.ts';
import { readyProjectPackages } from './packages/project-packages.ts';
import { type ReadyOptions, readyPackages } from './packages/ready-packages.ts';
import { knowOutside, outsideFolders } from './places.ts';
import { SHARED_PACKAGES } from './public-modules.ts';

/** The name of a package, or of a folder in it. @see https://docs.npmjs.com/cli/configuring-npm/package-json#name */
const PACKAGE = /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(\/[A-Za-z0-9._-]+)*$/;
const INSPECTOR = join(import.meta.dirname, 'inspect-main.ts');

/** Of this process: a command may read several experiments, and each reading would try a framework from outside anew. */
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
  for (const each of written) found.push((await admit(each, options)) ?? (await lookUp(each)));
  return found;
}

async function letIn(written: string, options: AdmitOptions): Promise<Framework | null> {
  if (isPath(written, options.from)) return letInFolder(resolve(options.from, written), options);
  const known = outsideFolders()[written];
  if (known !== undefined) return letInFolder(known, { as: written, ...options });
  if ((await projectNames()).includes(baseOf(written))) return letInOwn(written, options);
  const folder = PACKAGE.test(written) ? packageFolderOf(written, options.from) : null;
  return folder === null ? null : letInFolder(folder, options);
}

/** One of the project's: with its packages it is another than it was without them. */
async function letInOwn(name: string, options: AdmitOptions): Promise<Framework> {
  const found = await lookUp(name);
  await readyProjectPackages(packagesOfProject(found.about), options);
  if (found.packages !== null) await readyPackages(found.packages, options);
  return found.problem === null ? found : lookUp(name);
}

/** True if the written form means a folder, not the name of a framework or a package. */
export function isPath(written: string, from: string): boolean {
  return /^(\.{1,2}(\/|$)|\/)/.test(written) || (written.includes('/') && existsSync(join(from, written)));
}

/** Folder of the installed package that `from` would import; null if there is none. */
function packageFolderOf(written: string, from: string): string | null {
  const name = packageOf(written);
  const manifest = manifestFor(join(from, 'experiment.js'), name);
  return manifest === null ? null : join(dirname(manifest), written.slice(name.length));
}

/**
 * @param given      a folder
 * @param options.as the framework's name; its own unless given
 * @throws UserError (exit code 2) if it holds no framework, or the name is taken, (3) if its package is not installed
 */
export async function letInFolder(
  given: string,
  { as, say }: { as?: string; say?: (text: string) => void },
): Promise<Framework> {
  if (!existsSync(given) || !statSync(given).isDirectory()) {
    throw new UserError(
      `there is no folder ${given}; give the folder of a framework (it holds about, client and server), or make one: ./scriptorium new-framework ${given}`,
    );
  }
  const folder = realpathSync(given);
  const name = as ?? (await nameOfOutside(folder));
  if ((await projectNames()).includes(name)) {
    throw new UserError(
      `two frameworks are named "${name}": the project’s own and ${folder}; rename the second in its package.json, or rename its folder`,
    );
  }
  await readyProjectPackages(SHARED_PACKAGES, { say });
  knowOutside(name, folder);
  const framework = usable(await readOutside(name, folder));
  refuseUnknownIds(framework);
  await inspect(framework);
  return framework;
}

/** Its modules are loaded in a process of their own: this one may coordinate trials, and has no need of the library. */
async function inspect({ name, kind, client, server, about }: Framework): Promise<void> {
  // A client without a mode in Node may well load in a page only.
  const runsInNode = modesOf(about).some((mode) => !MODES[mode].needsChrome);
  const halves: Half[] = runsInNode ? ['client', 'server'] : ['server'];
  const loadable: Loadable = { name, kind, client, server };
  const command = [process.execPath, INSPECTOR, JSON.stringify(loadable), ...halves];
  const problem = await runCommand(command, { folder: PROJECT_ROOT }).catch(messageOf);
  if (problem === '') return;
  throw new UserError(`${name} cannot be used: ${problem}`);
}
