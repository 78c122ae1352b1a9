/** Packages that are replaced under a process, as `npm ci` does: whatever starts meanwhile finds only some of them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../project.ts';

/** Node's words for a package, or a file of one, that is not there. */
const MISSING =
  /Cannot find (?:package|module) '[^']+'|ENOENT: no such file or directory, open '[^']*node_modules[^']*'/;

/** @returns `replacedPackages`, of the packages in a folder as they are now */
export function watchPackages(folder: string): (words: string) => string | null {
  // npm writes the second anew with each installation.
  const stamp = () =>
    [folder, join(folder, '.package-lock.json')].map((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? 'none' : `${found.ino} ${found.mtimeMs}`;
    });
  const first = stamp().join();
  return (words) => {
    const [missing] = MISSING.exec(words) ?? [];
    if (missing === undefined || stamp().join() === first) return null;
    return `packages were replaced under this run (${missing}) → leave node_modules alone until it has ended`;
  };
}

/** @returns a sentence if these last words tell of a missing package, and packages were replaced since this process began; else null */
export const replacedPackages: (words: string) => string | null = watchPackages(join(PROJECT_ROOT, 'node_modules'));
