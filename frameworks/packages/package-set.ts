/** npm packages that are installed together when they are needed, apart from the project's own and without touching those. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../../traces/cache-directory.ts';

export interface PackageSet {
  /** The exact version of each, by its name. */
  packages: Readonly<Record<string, string>>;
  /** Packages with one copy only: every package of the set that asks for one gets it, in spite of the version it asks for. */
  shared?: readonly string[];
}

/**
 * The folder that holds the set below `node_modules/` once it is installed, in the user's cache. Its name changes with
 * every package of the set and with what machine it is installed for.
 */
export function packageFolder({ packages, shared = [] }: PackageSet): string {
  const wanted = { packages: Object.entries(packages).sort(byName), shared: [...shared].sort() };
  const forMachine = [process.platform, process.arch, wanted];
  const digest = createHash('sha256').update(JSON.stringify(forMachine)).digest('hex').slice(0, 16);
  const first = shared[0] ?? Object.keys(packages)[0] ?? 'none';
  const label = `${first}@${packages[first]}`.replaceAll(/[@/]+/g, '-').replace(/^-/, '');
  return join(cacheDirectory(), 'packages', `${label}-${digest}`);
}

/** True if the set is installed; an installed set is always whole. */
export function isInstalled(set: PackageSet): boolean {
  return existsSync(packageFolder(set));
}

/** `yjs 13.6.33, y-quill 1.0.0`. */
export function formatPackages({ packages }: PackageSet): string {
  return Object.entries(packages)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
