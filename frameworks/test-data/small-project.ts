/** For tests: a project with one framework, whose page and halves show which copies of its packages they got. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Published, putPackages } from '../packages/test-data/local-registry.ts';

/** A library, and one that uses it beside the framework's own code. */
export function published(version: string): Published[] {
  return [
    {
      name: 'core',
      version,
      manifest: { type: 'module' },
      files: { 'index.js': `export const core = { version: 'core of ${version}' };` },
    },
    {
      name: 'plugin',
      version: '1.0.0',
      manifest: { type: 'module', peerDependencies: { core: '*' } },
      files: { 'index.js': `import { core } from 'core'; export const ofPlugin = () => core;` },
    },
  ];
}

export const ABOUT = {
  package: 'core',
  algorithm: 'A',
  licence: 'L',
  server: 'S',
  tier: 'library',
  colour: { light: '#0072b2', dark: '#3f9ee0' },
};

const HALF = `import { core } from 'core';
import { ofPlugin } from 'plugin';
import { named } from '../../editors/base/named.ts';
`;
const SEEN = `[core.version, ofPlugin() === core ? 'one copy' : 'two copies', named()]`;
const FILES: Record<string, string> = {
  'editors/one/about.ts': `export const about = ${JSON.stringify(ABOUT)};`,
  'editors/one/client.ts': `${HALF} export const client = { join: () => ${SEEN} };`,
  'servers/one/server.ts': `${HALF} export const server = { serve: () => ${SEEN}, start() {} };`,
  'editors/base/named.ts': `import { core } from 'core'; export const named = () => core.version;`,
  'editors/base/page/index.html': '<script type="module" src="./main.ts"></script>',
  'editors/base/page/clients.ts': 'export const clients = {};',
  'editors/base/page/main.ts': `import { clients } from './clients.ts'; globalThis.clients = clients;`,
};

/** @param version of the library, as it is installed there */
export async function putSmallProject(root: string, version: string): Promise<void> {
  const packages = published(version);
  const locked = packages.map(({ name, version: own, manifest }) => [
    `node_modules/${name}`,
    { ...manifest, version: own },
  ]);
  const manifest = { name: 'small', version: '0.0.0', type: 'module', dependencies: { core: version } };
  const files = {
    ...FILES,
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ packages: Object.fromEntries(locked) }),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await putPackages(join(root, 'node_modules'), packages);
}
