/** The script and the style sheet of a page with charts, each as one text. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** By their entries: pages do not change while a process lives. */
const scripts = new Map<string, Promise<string>>();

/**
 * Bundles in this process, which then holds a bundler of hundreds of MiB.
 *
 * @param entry the path of the page's `.ts` file
 * @returns     minified JavaScript that may stand inside `<script>`
 * @throws Vite's error, which names the file and the line
 */
export function bundleScript(entry: string): Promise<string> {
  const script = scripts.get(entry) ?? build(entry);
  scripts.set(entry, script);
  // One that failed is tried again.
  script.catch(() => scripts.delete(entry));
  return script;
}

async function build(entry: string): Promise<string> {
  const vite = await import('vite');
  const bundle = await vite.build({
    configFile: false,
    logLevel: 'error',
    root: dirname(entry),
    build: {
      write: false,
      target: 'esnext',
      minify: true,
      lib: { entry: basename(entry), formats: ['iife'], name: 'scriptoriumPage' },
    },
  });
  const [chunk] = [bundle].flat().flatMap((part) => ('output' in part ? part.output : []));
  if (chunk?.type !== 'chunk') throw new Error(`the build of ${entry} gave no script`);
  // Only a string or a regular expression can hold it, and there it means the same.
  return chunk.code.replaceAll('</script', '<\\/script');
}

/** In the order in which they override one another. */
const SHEETS = ['base', 'tables', 'charts', 'media'];

export async function readStyle(): Promise<string> {
  const path = (sheet: string) => join(import.meta.dirname, 'style', `${sheet}.css`);
  return (await Promise.all(SHEETS.map((sheet) => readFile(path(sheet), 'utf8')))).join('\n');
}
