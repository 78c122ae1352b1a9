/** The inputs of a recording: the project's own sources that take part, and the packages that they import. */
import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import type { Framework } from '../../frameworks/framework.ts';
import { closureOf, reachedFrom, readLock } from '../../frameworks/imports.ts';
import { packageFolder } from '../../frameworks/packages/package-set.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';

/** Digest of all that decides what a framework's users send; it changes with any of it. */
export async function sourcesOf({ root, client, server, packages: set }: Framework): Promise<string> {
  const hash = createHash('sha256').update(process.version.split('.')[0]!);
  const halves = [join(dirname(client), 'about.ts'), client, server];
  const entries = halves.map((path) => relative(root, path).replaceAll('\\', '/'));
  // A tree of sources holds the same as the project, where the rest is.
  const { files, packages } = await reachedFrom([...entries, 'harness/crowd/record-main.ts'], PROJECT_ROOT);
  for (const [file, text] of [...files].sort(byName)) hash.update(`${file}\n`).update(text);
  for (const [name, version] of [...closureOf(packages, await readLock(PROJECT_ROOT))].sort(byName)) {
    hash.update(`${name}@${version}\n`);
  }
  if (set !== null) hash.update(basename(packageFolder(set)));
  return hash.digest('hex');
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
