/**
 * The project's sources beside packages of another version: a folder whose `node_modules` holds these, with copies of the sources
 * that import them. Ordinary resolution does the rest, in Node and in the bundler: a package that the folder lacks is
 * found in the project around it.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { madeOnce } from '../../infra/process/made-once.ts';
import { PROJECT_ROOT, workFolderOf } from '../../infra/project.ts';
import { type PackageSet, packageFolder } from './ready-packages.ts';

/** Sources that may import such packages; links would lead Node to the project's packages. */
const COPIED = ['editors', 'servers', 'capabilities/programs'];
/** The rest of what those import, and what tells the project's own packages. */
const LINKED = ['infra', 'results', 'package-lock.json'];
const NO_SOURCE = /\.(test|bench)\.ts$|\.md$/;
/** In the tree: the set that it is for. */
const SET_FILE = 'packages.json';

/** By the project's folder: a process has the sources that it started with. */
const digests = new Map<string, Promise<string>>();

/**
 * The tree for a set of packages that are installed, and the sources as they are now; made, unless it is there.
 *
 * @param root the project's folder
 * @returns the tree's folder
 */
export async function sourceTreeOf(set: PackageSet, root: string = PROJECT_ROOT): Promise<string> {
  const digest = digests.get(root) ?? digestSources(root);
  digests.set(root, digest);
  // A cache elsewhere has packages of its own, which the tree's links lead to.
  const packages = packageFolder(set);
  const place = createHash('sha256')
    .update(packages)
    .update(await digest);
  const tree = join(workFolderOf(root), 'frameworks', `${basename(packages)}-${place.digest('hex').slice(0, 12)}`);
  await madeOnce(tree, (partial) => fill(partial, set, root));
  return tree;
}

async function fill(tree: string, set: PackageSet, root: string): Promise<void> {
  const filter = (path: string) => !NO_SOURCE.test(path);
  for (const folder of COPIED) {
    if (existsSync(join(root, folder))) await cp(join(root, folder), join(tree, folder), { recursive: true, filter });
  }
  for (const name of LINKED) await symlink(join(root, name), join(tree, name));
  for (const name of Object.keys(set.packages)) {
    const link = join(tree, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(packageFolder(set), 'node_modules', name), link);
  }
  await writeFile(join(tree, SET_FILE), JSON.stringify(set));
}

/** The set that a tree is for. */
export async function packagesOfTree(tree: string): Promise<PackageSet> {
  return JSON.parse(await readFile(join(tree, SET_FILE), 'utf8')) as PackageSet;
}

async function digestSources(root: string): Promise<string> {
  const hash = createHash('sha256');
  const patterns = COPIED.map((folder) => `${folder}/**/*.*`);
  const files = await Array.fromAsync(glob(patterns, { cwd: root }));
  for (const file of files.filter((name) => !NO_SOURCE.test(name)).sort()) {
    hash.update(`${file}\n`).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}
