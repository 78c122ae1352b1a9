/** The script of a page, with all that it imports, as one text. */
import { basename, dirname } from 'node:path';

/** One build of each script in a process: `run` writes its report after every trial. */
const built = new Map<string, Promise<string>>();

/**
 * @param entry the path of the page's `.ts` file
 * @returns     minified JavaScript that may stand inside `<script>`
 * @throws Vite's error, which names the file and the line
 */
export function bundleScript(entry: string): Promise<string> {
  const script = built.get(entry) ?? build(entry);
  built.set(entry, script);
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
