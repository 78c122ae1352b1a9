/** Installed packages, as a module finds them by Node's rules. */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Of code that no package.json tells a version of. */
const UNKNOWN_VERSION = '0.0.0';

/**
 * The path of a package.json: of the package that a module's import of this name finds, or, without a name, of the module's own.
 * Null if there is none.
 */
export function manifestFor(module: string, packageName: string | null): string | null {
  const from = pathToFileURL(module);
  try {
    return (packageName === null ? findPackageJSON(from) : findPackageJSON(packageName, from)) ?? null;
  } catch {
    // It is not installed.
    return null;
  }
}

/** The version that `manifestFor` leads to; null if the package is not installed. */
export function versionFor(module: string, packageName: string | null): string | null {
  const manifest = manifestFor(module, packageName);
  if (manifest === null) return packageName === null ? UNKNOWN_VERSION : null;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version ?? UNKNOWN_VERSION;
}
