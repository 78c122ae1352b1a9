/**
 * `NAME@VERSION`: a framework of the project with its package in another version. Its code is the same; the package, and
 * all that imports it beside that code, come from a folder of their own in the cache, so that there is one copy of it.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { UserError } from '../results/user-error.ts';
import type { FrameworkInfo } from './framework-info.ts';
import { closureOf, reachedFrom, readLock } from './imports.ts';
import { isInstalled, type PackageSet, packageFolder } from './packages/package-set.ts';

/** The name and the version of `NAME@VERSION`; null for every other text. */
export function versionIn(written: string): { base: string; version: string } | null {
  const { base, version } = /^(?<base>[^@./\s][^@/\s]*)@(?<version>[^@/\s]+)$/.exec(written)?.groups ?? {};
  return base === undefined || version === undefined ? null : { base, version };
}

/**
 * A framework with its package in a version that may have to be installed; that it is not is its `problem`.
 *
 * @param root the project's folder
 * @throws UserError (exit code 2) where the framework has no package of its own
 */
export async function inVersion(base: FrameworkInfo, version: string, root: string): Promise<FrameworkInfo> {
  const { about, halves } = base;
  const name = `${base.name}@${version}`;
  if (about.package === null || about.hosted !== undefined) {
    throw new UserError(`there is no ${name}: ${base.name} is made of no package whose version could be chosen`, {
      exitCode: 2,
    });
  }
  const packages = await packagesInVersion(base, version, root);
  const installed = await versionInstalled(packages, about.package);
  const problem = isInstalled(packages) ? null : `${about.package} ${version} is not installed; ${BY_NAMING}`;
  return {
    name,
    kind: 'version',
    version: installed ?? version,
    about,
    problem: base.problem ?? problem,
    halves: { ...halves, packages },
  };
}

/** What installs packages on demand. */
export const BY_NAMING = 'run, check, max or plan installs it where it is named';

/** The version of a package of the set; null where it is not installed. */
export async function versionInstalled(set: PackageSet, name: string): Promise<string | null> {
  const manifest = join(packageFolder(set), 'node_modules', name, 'package.json');
  return existsSync(manifest) ? (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version : null;
}

/**
 * The package in that version; of what the framework's code imports, all that uses the package too; and what those depend on,
 * in the versions that the project has of it. So two versions differ in nothing but themselves.
 */
async function packagesInVersion({ about, halves }: FrameworkInfo, version: string, root: string): Promise<PackageSet> {
  const name = about.package!;
  const own = about.onDemand?.packages;
  if (own !== undefined) return { packages: { ...own, [name]: version }, shared: [name] };
  const lock = await readLock(root);
  const entries = [halves.client, halves.server].map((path) => relative(root, path).replaceAll('\\', '/'));
  const { packages: imported } = await reachedFrom(entries, root);
  const users = [...imported].filter((each) => closureOf([each], lock, { peers: true }).has(name));
  const versions = [...closureOf([name, ...users], lock, { peers: true })].filter(([, found]) => found !== '');
  const sorted = versions.sort(([one], [other]) => (one < other ? -1 : 1));
  return { packages: { ...Object.fromEntries(sorted), [name]: version }, shared: [name] };
}
