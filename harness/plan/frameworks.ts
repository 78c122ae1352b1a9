/** The frameworks that are here: found by their folders, with the version of the installed package. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameworkAbout } from '../../editors/framework.ts';
import { UserError } from '../../results/user-error.ts';
import { PROJECT_ROOT } from '../project.ts';
import { alignTable } from '../text-table.ts';

/** A framework that experiments can name. */
export interface FrameworkInfo {
  name: string;
  version: string;
  about: FrameworkAbout;
}

/**
 * Finds every framework whose both halves are here: `editors/<name>/about.ts` and `client.ts`, and
 * `servers/<name>/server.ts`. A folder without all three (such as `editors/quill`) is none.
 *
 * @param root the project's folder
 * @returns    in alphabetical order
 * @throws UserError (exit code 3) where a framework's package is not installed
 */
export async function discoverFrameworks(root: string = PROJECT_ROOT): Promise<FrameworkInfo[]> {
  const folders = await readdir(join(root, 'editors'), { withFileTypes: true });
  const names = folders
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => filesOf(root, name).every((path) => existsSync(path)))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const [aboutFile] = filesOf(root, name);
      const { about } = (await import(/* @vite-ignore */ pathToFileURL(aboutFile).href)) as { about: FrameworkAbout };
      return { name, version: await installedVersion(root, about.package), about };
    }),
  );
}

/**
 * The version of the framework that this process runs.
 *
 * @throws UserError (exit code 2) where there is no framework of that name
 */
export async function frameworkVersion(name: string): Promise<string> {
  const frameworks = await discoverFrameworks();
  const found = frameworks.find((framework) => framework.name === name);
  if (found !== undefined) return found.version;
  const names = frameworks.map((framework) => framework.name).join(', ');
  throw new UserError(`no framework is named "${name}"; there are: ${names}`, { exitCode: 2 });
}

function filesOf(root: string, name: string): [string, ...string[]] {
  const client = join(root, 'editors', name);
  return [join(client, 'about.ts'), join(client, 'client.ts'), join(root, 'servers', name, 'server.ts')];
}

/** The version of an installed package; of the project itself where the framework has none. */
async function installedVersion(root: string, packageName: string | null): Promise<string> {
  const own = join(root, 'package.json');
  const manifest = packageName === null ? own : packageManifest(packageName, own);
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}

function packageManifest(packageName: string, from: string): string {
  try {
    return findPackageJSON(packageName, pathToFileURL(from))!;
  } catch (cause) {
    const problem = `the package "${packageName}" is not installed`;
    throw new UserError(`${problem}; run ./scriptorium once, or npm ci`, { exitCode: 3, cause });
  }
}

/** A table of frameworks for `scriptorium list`. */
export function formatFrameworks(frameworks: readonly FrameworkInfo[]): string {
  return alignTable([
    ['framework', 'version', 'modes', 'writers', 'algorithm', 'licence', 'server'],
    ...frameworks.map(({ name, version, about }) => [
      name,
      version,
      about.modes.join(', '),
      about.oneWriter ? 'one' : 'all',
      about.algorithm,
      about.licence,
      about.server,
    ]),
  ]);
}
