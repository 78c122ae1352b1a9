/**
 * How Node finds what the modules of frameworks import that do not get all from the folders around them: the project's public
 * modules, for frameworks from outside, and packages from the cache, for those whose packages are there.
 */
import { type ResolveHookSync, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from '../infra/project.ts';
import { packageOf } from './imports.ts';
import { type PackageSet, packageFolder } from './packages/package-set.ts';

/** What a framework from outside imports the project's modules by; their paths are relative to the project's folder. */
export const PUBLIC_MODULES: Readonly<Record<string, string>> = {
  'scriptorium/client': 'editors/base/kit.ts',
  'scriptorium/server': 'servers/kit.ts',
};

/** What public modules take and give is made of it, so a framework from outside gets the project's where it brings none. */
export const SHARED_PACKAGES: readonly string[] = ['quill-delta'];

/**
 * A parameter of a module's address that names the set of packages it is loaded with. What such a module imports of the
 * project is loaded with it too, apart from any other that this process has.
 */
const PARAMETER = 'packages';

let isHooked = false;
/** By the folders of the sets that modules were loaded with. */
const sets = new Map<string, PackageSet>();

/** From now on this process finds them. Worker threads have hooks of their own. */
export function hookModules(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({ resolve });
}

/** The address of a module of the project whose packages come from a set, as far as they are in it. */
export function addressOf(path: string, packages: PackageSet | null): string {
  const address = pathToFileURL(path);
  if (packages === null) return address.href;
  const folder = packageFolder(packages);
  sets.set(folder, packages);
  address.searchParams.set(PARAMETER, folder);
  return address.href;
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  const open = PUBLIC_MODULES[specifier];
  if (open !== undefined) return next(pathToFileURL(join(PROJECT_ROOT, open)).href, context);
  const folder = folderOf(context.parentURL);
  const set = folder === null ? undefined : sets.get(folder);
  if (folder === null || set === undefined) return withShared(specifier, context, next);
  if (/^\.{0,2}\//.test(specifier)) {
    const found = next(specifier, context);
    return { ...found, url: addressOf(fileURLToPath(found.url), set) };
  }
  if (!(packageOf(specifier) in set.packages)) return next(specifier, context);
  return next(specifier, { ...context, parentURL: pathToFileURL(join(folder, 'package.json')).href });
};

const withShared: ResolveHookSync = (specifier, context, next) => {
  try {
    return next(specifier, context);
  } catch (error) {
    if (!SHARED_PACKAGES.includes(packageOf(specifier))) throw error;
    return next(specifier, { ...context, parentURL: pathToFileURL(join(PROJECT_ROOT, 'package.json')).href });
  }
};

function folderOf(address: string | undefined): string | null {
  return address?.startsWith('file:') ? new URL(address).searchParams.get(PARAMETER) : null;
}
