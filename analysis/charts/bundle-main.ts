/** `node analysis/charts/bundle-main.ts ENTRY` prints the script of a page; see bundle.ts, which runs it. */
import { basename, dirname } from 'node:path';
import { build } from 'vite';

const entry = process.argv[2]!;
const bundle = await build({
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
process.stdout.write(chunk.code.replaceAll('</script', '<\\/script'));
