/** Bundles the page that users open, and frameworks' scripts for pages of others, once for each state of their sources. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../infra/process/command.ts';
import { PROJECT_ROOT, workFolderOf } from './project.ts';

/**
 * The file, beside the page, that a framework's `editors/<name>/page.ts` becomes: what its driver puts into a page that is
 * another's.
 */
export function scriptOf(framework: string): string {
  return `${framework}.js`;
}

const BUNDLER = join(import.meta.dirname, 'page-build-main.ts');

/** Builds of this process, by the folder that they make: who asks while one is under way waits for it. */
const underWay = new Map<string, Promise<void>>();

/**
 * @param root the project's folder
 * @returns the folder that holds the built page
 * @throws Vite's error, which names the file and the line
 */
export async function buildPage(root: string = PROJECT_ROOT): Promise<string> {
  const pages = join(workFolderOf(root), 'page');
  const built = join(pages, await fingerprint(root));
  if (existsSync(join(built, 'index.html'))) return built;
  const building = underWay.get(built) ?? bundle(root, built).finally(() => underWay.delete(built));
  underWay.set(built, building);
  await building;
  return built;
}

/** In a process of its own: a bundler keeps hundreds of MiB, and this one may coordinate trials. */
async function bundle(root: string, built: string): Promise<void> {
  const partial = `${built}.${process.pid}`;
  await runCommand([process.execPath, BUNDLER, root, partial]);
  await mkdir(dirname(built), { recursive: true });
  await rename(partial, built).catch(async (error) => {
    // Another process was quicker, and its page may be in use already.
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(join(built, 'index.html'))) throw error;
  });
}

/** Changes with every source of the page and every package that it bundles. */
async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256');
  const sources = await Array.fromAsync(glob('editors/**/*.{ts,html,css}', { cwd: root }));
  for (const file of [...sources.filter((name) => !/\.(test|bench)\.ts$/.test(name)).sort(), 'package-lock.json']) {
    hash.update(file).update(await readFile(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
