/** The files that code from outside the project takes: its own folder's, and of packages those that it can load. */
import { existsSync, realpathSync } from 'node:fs';
import { glob, lstat, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';

/** Packages are traced, so that only what is loaded of them goes along; nor do hidden files, which no pattern finds. */
const LEFT_OUT = ['**/node_modules'];

/**
 * @param folder  the framework's, all of whose files are taken but hidden ones and those of packages
 * @param entries modules in it, by their paths
 * @returns absolute paths, of links too, in order
 */
export async function filesTakenBy(folder: string, entries: readonly string[]): Promise<string[]> {
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

/** What the trace reads imports from: JavaScript, also where the file is TypeScript. Null: there is no such file. */
async function readJavaScript(path: string): Promise<string | null> {
  if (!existsSync(path)) return null;
  const text = await readFile(path, 'utf8');
  return path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}

/** Found through a link to its folder or not, by its own place; of a link, what it leads to, too, where that is there. */
function whereItLies(path: string): string[] {
  const own = join(realpathSync(dirname(path)), basename(path));
  return existsSync(path) ? [own, realpathSync(path)] : [own];
}

/** A file, or a link, which goes along as one wherever it leads; neither a folder nor a pipe or socket. */
async function goesAlong(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isSymbolicLink();
}
