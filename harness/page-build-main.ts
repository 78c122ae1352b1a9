/** `node harness/page-build-main.ts ROOT FOLDER` bundles the page into a folder; see page-build.ts, which runs it. */
import { glob } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'vite';
import { scriptOf } from './page-build.ts';

const [root, outDir] = process.argv.slice(2) as [string, string];
await build({
  configFile: false,
  // Its warnings are about the packages' sources: a direct eval and a Node module, neither reached in a page.
  logLevel: 'error',
  root: join(root, 'editors/base/page'),
  // The coordinator serves the page below a secret path, so its files name each other relatively.
  base: './',
  build: {
    outDir,
    emptyOutDir: true,
    target: 'esnext',
    chunkSizeWarningLimit: 5000,
    // For who reads a CPU profile of the page; no page loads it.
    sourcemap: 'hidden',
  },
});
for await (const entry of glob('editors/*/page.ts', { cwd: root })) {
  const framework = basename(dirname(entry));
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(root, dirname(entry)),
    build: {
      outDir,
      emptyOutDir: false,
      target: 'esnext',
      lib: { entry: 'page.ts', formats: ['iife'], name: 'scriptoriumScript', fileName: () => scriptOf(framework) },
    },
  });
}
