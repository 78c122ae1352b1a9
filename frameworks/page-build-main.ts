/** `node frameworks/page-build-main.ts CONTENT FOLDER` bundles a page into a folder; see page-build.ts, which runs it. */
import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build, type Plugin } from 'vite';
import { messageOf } from '../results/user-error.ts';
import { packageOf } from './imports.ts';
import { type PageContent, scriptOf } from './page-build.ts';
import { PUBLIC_MODULES, SHARED_PACKAGES } from './public-modules.ts';

const [content, outDir] = process.argv.slice(2) as [string, string];
const { root, clients, outside, scripts, workers } = JSON.parse(content) as PageContent;

/** Why a framework from outside cannot be in a page. */
let refused: string | null = null;

try {
  await buildPage();
  if (scripts) await buildScripts();
} catch (error) {
  // The bundler’s own words hold colours, and the way through the bundler.
  console.error(refused ?? stripVTControlCharacters(messageOf(error)).replaceAll(/^ {4}at .*\n?/gm, ''));
  process.exitCode = 1;
}

async function buildPage(): Promise<void> {
  await build({
    configFile: false,
    // Its warnings are about the packages' sources: a direct eval and a Node module, neither reached in a page.
    logLevel: 'silent',
    root: join(root, 'editors/base/page'),
    // The coordinator serves the page below a secret path, so its files name each other relatively.
    base: './',
    plugins: [
      putClients(),
      ...(workers ? [letWorkersIn()] : []),
      ...(outside === null ? [] : [findPublicModules(outside)]),
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'esnext',
      chunkSizeWarningLimit: 5000,
      // For who reads a CPU profile of the page; no page loads it.
      sourcemap: 'hidden',
    },
  });
}

async function buildScripts(): Promise<void> {
  for await (const entry of glob('editors/*/page.ts', { cwd: root })) {
    const framework = basename(dirname(entry));
    await build({
      configFile: false,
      logLevel: 'silent',
      root: join(root, dirname(entry)),
      build: {
        outDir,
        emptyOutDir: false,
        target: 'esnext',
        lib: { entry: 'page.ts', formats: ['iife'], name: 'scriptoriumScript', fileName: () => scriptOf(framework) },
      },
    });
  }
}

/** Each client is a file of its own, which a page loads if its user's framework is that. */
function putClients(): Plugin {
  const path = join(root, 'editors/base/page/clients.ts');
  const entries = Object.entries(clients).map(([name, client]) => {
    return `${JSON.stringify(name)}: () => import(${JSON.stringify(client)}),`;
  });
  return {
    name: 'scriptorium-clients',
    enforce: 'pre',
    load: (id) => (id === path ? `export const clients = { ${entries.join('\n')} };` : null),
  };
}

/** In the page as it lies there, they are refused. */
function letWorkersIn(): Plugin {
  return {
    name: 'scriptorium-workers',
    transformIndexHtml: (html) => html.replace("worker-src 'none'; ", ''),
  };
}

/** As Node finds them, see frameworks/public-modules.ts: whoever imports them, the folder's own modules or those around it. */
function findPublicModules(folder: string): Plugin {
  return {
    name: 'scriptorium-public-modules',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const path = PUBLIC_MODULES[source];
      if (path !== undefined) return join(root, path);
      if (importer === undefined || /^[./]/.test(source)) return null;
      const ask = (from: string) => this.resolve(source, from, { ...options, skipSelf: true });
      const found = await ask(importer);
      const isNodes = isBuiltin(source) && (found === null || !existsSync(found.id.split('?')[0]!));
      // Packages, linked ones too, may have their own way with Node's modules in a page.
      if (isNodes && isWithin(importer.split('?')[0]!, folder)) {
        refused = `${importer} imports "${source}", a module of Node’s, which no page has; leave it to the server half`;
        this.error(refused);
      }
      return found ?? (SHARED_PACKAGES.includes(packageOf(source)) ? ask(join(root, 'package.json')) : null);
    },
  };
}

/** Packages below a folder are none of its own. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path).split('/');
  return way[0] !== '..' && !way.includes('node_modules');
}
