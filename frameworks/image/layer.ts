/**
 * The part of an image for an experiment's frameworks beside the project: the files of those from outside, pages with no
 * other framework, and the names of those whose packages are installed during the image's build.
 */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { copyFile, cp, glob, lstat, mkdir, readFile, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { ImageLayer } from '../../infra/compose/docker.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../infra/process/made-once.ts';
import { UserError } from '../../results/user-error.ts';
import { type Framework, takesMore } from '../framework.ts';
import { entriesOfOutside } from '../outside.ts';
import { readyProjectPackages } from '../packages/project-packages.ts';
import { buildPageOf } from '../page-build.ts';

/** Where infra/compose/layer.Dockerfile puts them. */
const [OUTSIDE, PAGES] = ['/outside', '/pages'] as const;
/** More is no framework, but what its folder happens to hold, and would be sent for every run. */
const LARGEST_MIB = 512;
/** Packages are traced, so that only what is loaded of them goes along; nor do hidden files, which no pattern finds. */
const LEFT_OUT = ['**/node_modules'];

/**
 * Makes the layer for as long as it is used.
 *
 * @param frameworks all of which were let in
 * @param use        gets null if the image of the project is enough
 * @throws UserError (exit code 2) if a framework's folder is too large, or it cannot be bundled for a page
 */
export async function withLayer<Result>(
  frameworks: readonly Framework[],
  use: (layer: ImageLayer | null) => Promise<Result>,
): Promise<Result> {
  const found = frameworks.filter(takesMore);
  if (found.length === 0) return use(null);
  const folder = await makeTemporaryFolder('image');
  try {
    return await use(await fill(folder, found));
  } finally {
    await removeTemporaryFolder(folder);
  }
}

async function fill(folder: string, frameworks: readonly Framework[]): Promise<ImageLayer> {
  const [outside, pages] = [join(folder, OUTSIDE), join(folder, PAGES)];
  await Promise.all([mkdir(outside), mkdir(pages)]);
  const hash = createHash('sha256');
  const foldersOutside: Record<string, string> = {};
  const pageFolders: Record<string, string> = {};
  for (const framework of frameworks) {
    const { name, kind, root, packages } = framework;
    if (kind === 'outside') {
      const files = await filesTakenBy(root, await entriesOfOutside(root));
      await requireSmall(name, root, files);
      for (const file of files) hash.update(file).update(await copyTo(outside, file));
      foldersOutside[name] = `${OUTSIDE}${root}`;
    }
    if (kind === 'project' && packages === null) continue;
    const page = await buildPageOf(framework);
    // Its folder's name is its digest.
    hash.update(basename(page));
    await cp(page, join(pages, name), { recursive: true });
    pageFolders[name] = `${PAGES}/${name}`;
  }
  const given = {
    FRAMEWORKS: frameworks.map(({ name }) => name).join(' '),
    PYTHON: frameworks.some(({ about }) => about.needs !== undefined) ? 'yes' : '',
    OUTSIDE: JSON.stringify(foldersOutside),
    PAGES: JSON.stringify(pageFolders),
  };
  return { folder, arguments: given, digest: hash.update(JSON.stringify(given)).digest('hex').slice(0, 16) };
}

async function requireSmall(name: string, home: string, files: readonly string[]): Promise<void> {
  const sizes = await Promise.all(files.map(async (file) => (await lstat(file)).size));
  const mib = sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
  if (mib <= LARGEST_MIB) return;
  throw new UserError(
    `${name} takes ${mib.toFixed(0)} MiB, too much for an image (${LARGEST_MIB} MiB at most); everything in ${home} goes into the image, so move out the files that the framework does not need`,
  );
}

/** To the same path below a folder; a link leads to the same file below it. @returns what tells it from others */
async function copyTo(folder: string, file: string): Promise<Buffer | string> {
  const copy = join(folder, file);
  await mkdir(dirname(copy), { recursive: true });
  if (!(await lstat(file)).isSymbolicLink()) {
    await copyFile(file, copy);
    return readFile(file);
  }
  const target = await readlink(file);
  const near = target.startsWith('/') ? relative(await realpath(dirname(file)), target) : target;
  // Two frameworks of one workspace share links to its packages.
  await rm(copy, { force: true });
  await symlink(near, copy);
  return near;
}

/**
 * The files that code from outside the project takes: its own folder's, and of packages those that it can load.
 *
 * @param folder  the framework's, all of whose files are taken but hidden ones and those of packages
 * @param entries modules in it, by their paths
 * @returns absolute paths, of links too, in order
 */
async function filesTakenBy(folder: string, entries: readonly string[]): Promise<string[]> {
  await readyProjectPackages(['@vercel/nft'], { say: (text) => console.error(text) });
  const { nodeFileTrace } = await import('@vercel/nft');
  const { fileList } = await nodeFileTrace([...entries], {
    base: '/',
    processCwd: folder,
    readFile: readJavaScript,
  });
  const own = await Array.fromAsync(glob('**/*', { cwd: folder, exclude: LEFT_OUT }));
  const all = new Set([
    ...own.flatMap((file) => whereItLies(join(folder, file))),
    ...[...fileList].map((file) => `/${file}`),
  ]);
  const found = await Promise.all([...all].map(async (file) => ((await goesAlong(file)) ? file : null)));
  return found.filter((file) => file !== null).sort();
}

/** The JavaScript in which the trace finds imports, also if the file is TypeScript. Null: there is no such file. */
async function readJavaScript(path: string): Promise<string | null> {
  if (!existsSync(path)) return null;
  const text = await readFile(path, 'utf8');
  return path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}

/** The file at its own place, found through a link to its folder or not; of a link, its target too, if that is there. */
function whereItLies(path: string): string[] {
  const own = join(realpathSync(dirname(path)), basename(path));
  return existsSync(path) ? [own, realpathSync(path)] : [own];
}

/** A file, or a link, which goes along as one wherever it leads; neither a folder nor a pipe or socket. */
async function goesAlong(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isSymbolicLink();
}
