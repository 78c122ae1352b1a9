/** Bundles the page that users open, and frameworks' scripts for pages of others, once for each state of their sources. */
import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PROJECT_ROOT, workFolderOf } from './project.ts';

/**
 * The file, beside the page, that a framework's `editors/<name>/page.ts` becomes: what its driver puts into a page that is
 * another's.
 */
export function scriptOf(framework: string): string {
  return `${framework}.js`;
}

/**
 * @param root the project's folder
 * @returns the folder that holds the built page
 * @throws Vite's error, which names the file and the line
 */
export async function buildPage(root: string = PROJECT_ROOT): Promise<string> {
  const pages = join(workFolderOf(root), 'page');
  const built = join(pages, await fingerprint(root));
  if (await exists(join(built, 'index.html'))) return built;
  const partial = `${built}.${process.pid}`;
  const { build } = await import('vite');
  await build({
    configFile: false,
    // Its warnings are about the packages' sources: a direct eval and a Node module, neither reached in a page.
    logLevel: 'error',
    root: join(root, 'editors/base/page'),
    // The coordinator serves the page below a secret path, so its files name each other relatively.
    base: './',
    build: { outDir: partial, emptyOutDir: true, target: 'esnext', chunkSizeWarningLimit: 5000 },
  });
  for await (const entry of glob('editors/*/page.ts', { cwd: root })) {
    const framework = basename(dirname(entry));
    await build({
      configFile: false,
      logLevel: 'error',
      root: join(root, dirname(entry)),
      build: {
        outDir: partial,
        emptyOutDir: false,
        target: 'esnext',
        lib: { entry: 'page.ts', formats: ['iife'], name: 'scriptoriumScript', fileName: () => scriptOf(framework) },
      },
    });
  }
  await rm(built, { recursive: true, force: true });
  await mkdir(pages, { recursive: true });
  await rename(partial, built);
  return built;
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

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
