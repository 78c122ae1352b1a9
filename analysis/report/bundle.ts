/** Parts that all pages have: their script and their style sheet, each as one text, and the glossary. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PageFiles } from '../page/shell.ts';

const PAGE = join(import.meta.dirname, '../page');
/** The script of reports and of the site. */
export const PAGE_SCRIPT = join(PAGE, 'main.ts');

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

/** @param script of the page, if it is bundled already */
export async function readPageFiles(script?: string): Promise<PageFiles> {
  const glossary = await readFile(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8');
  return { script: script ?? (await bundleScript(PAGE_SCRIPT)), style: await readStyle(), glossary };
}

/** In the order in which they override one another. */
const SHEETS = ['base', 'tables', 'charts', 'rows', 'media'];

export async function readStyle(): Promise<string> {
  const path = (sheet: string) => join(PAGE, 'style', `${sheet}.css`);
  return (await Promise.all(SHEETS.map((sheet) => readFile(path(sheet), 'utf8')))).join('\n');
}
