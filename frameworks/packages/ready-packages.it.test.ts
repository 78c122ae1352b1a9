/** The cache of packages on demand, against a registry of this machine. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { processName } from '../../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import {
  isInstalled,
  latestVersion,
  nearestVersions,
  npmInstall,
  packageFolder,
  readyPackages,
} from './ready-packages.ts';
import { type LocalRegistry, startRegistry } from './test-data/local-registry.ts';

const files = { 'index.js': 'export const here = true;' };
const SET = { packages: { core: '1.0.0', plugin: '1.0.0' }, shared: ['core'] };

const folder = folderOfEachTest();
let registry: LocalRegistry;
beforeEach(async () => {
  registry = await startRegistry([
    { name: 'core', version: '1.0.0', files },
    { name: 'core', version: '1.1.0', files },
    { name: 'user', version: '1.0.0', files, manifest: { dependencies: { core: '^1.0.0' } } },
    { name: 'plugin', version: '1.0.0', files, manifest: { peerDependencies: { core: '^1.1.0' } } },
  ]);
  for (const [name, value] of Object.entries(registry.environment)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  return registry.close();
});

test('a set is installed once, whole, with one copy of what is shared', async () => {
  expect(isInstalled(SET)).toBe(false);
  const left = `${packageFolder(SET)}.${processName(99999999)}-left.partial`;
  await mkdir(left, { recursive: true });
  const said: string[] = [];
  const folder = await readyPackages(SET, { say: (text) => said.push(text) });
  expect(said).toEqual([expect.stringMatching(/^Installing core 1\.0\.0 with what belongs to it into /)]);
  expect(existsSync(left)).toBe(false);
  const versionOf = async (path: string) =>
    JSON.parse(await readFile(join(folder, 'node_modules', path, 'package.json'), 'utf8')).version;
  // The plugin asks for a newer one, and gets the one that is shared.
  expect(await versionOf('core')).toBe('1.0.0');
  expect(existsSync(join(folder, 'node_modules/plugin/node_modules'))).toBe(false);
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  expect(packages['node_modules/core'].integrity).toMatch(/^sha512-/);

  const fetches = registry.fetches();
  expect(await readyPackages(SET)).toBe(folder);
  expect(registry.fetches()).toBe(fetches);
});

test('what cannot be installed is told in a sentence, and nothing is left of it', async () => {
  await expect(readyPackages({ packages: { core: '1.9.9' } })).rejects.toMatchObject({
    exitCode: 2,
    message: 'the registry of npm has no core 1.9.9; write one that it has, such as 1.0.0, 1.1.0',
  });
  // Released together: the other one may lack the version that was asked for.
  const together = { packages: { core: '1.0.0 - 9.9.9', plugin: '9.9.9' }, shared: ['core', 'plugin'] };
  await expect(readyPackages(together)).rejects.toThrow('the registry of npm has no plugin 9.9.9; write one');
  // npm finds first that nothing fits the other one.
  await expect(readyPackages({ packages: { core: '0.9.0', plugin: '1.0.0' }, shared: ['core'] })).rejects.toThrow(
    'the registry of npm has no core 0.9.0; write one that it has, such as 1.0.0, 1.1.0',
  );
  await expect(readyPackages({ packages: { core: 'latest' } })).rejects.toMatchObject({
    exitCode: 2,
    message: '"latest" is no version of core: write an exact one, such as core@1.2.3',
  });
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  await expect(readyPackages(SET)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/^the registry of npm cannot be reached \(ECONNREFUSED\), so core 1\.0\.0 cannot/),
  });
  expect(await readdir(dirname(packageFolder(SET)))).toEqual([]);
});

test('what a set depends on has the version and the content of the project’s lock file', async () => {
  const integrityOf = async (name: string) => {
    const answer = await fetch(`${registry.environment.npm_config_registry}${name}`);
    const { versions } = (await answer.json()) as { versions: Record<string, { dist: Record<string, string> }> };
    return versions['1.0.0']!.dist;
  };
  const { tarball: resolved, integrity } = await integrityOf('core');
  const lockWith = (locked: object) =>
    JSON.stringify({
      ...{ name: 'project', lockfileVersion: 3, requires: true },
      packages: {
        '': { dependencies: { core: '1.0.0' } },
        'node_modules/core': { version: '1.0.0', resolved, ...locked },
      },
    });
  const versionIn = async (name: string) =>
    JSON.parse(await readFile(folder.in(name, 'node_modules/core/package.json'), 'utf8')).version;
  const set = { packages: { user: '1.0.0' } };
  const { signal } = new AbortController();
  for (const [name, locked] of Object.entries({
    floating: null,
    locked: { integrity },
    forged: { integrity: `sha512-${'A'.repeat(86)}==` },
  })) {
    await mkdir(folder.in(name), { recursive: true });
    if (locked !== null) await folder.put('project/package-lock.json', lockWith(locked));
    const installed = npmInstall(folder.in(name), set, signal, folder.in('project'));
    if (name === 'forged') await expect(installed).rejects.toThrow(/npm could not install user 1\.0\.0 \(EINTEGRITY\)/);
    else await installed;
  }
  expect(await versionIn('floating')).toBe('1.1.0');
  expect(await versionIn('locked')).toBe('1.0.0');
});

test('versions like the wanted one are suggested', () => {
  const published = ['13.4.9', '13.5.1', '13.5.2', '13.6.0-rc', '13.6.0', '14.0.0'];
  expect(nearestVersions('13.5.9', published)).toEqual(['13.5.1', '13.5.2']);
  expect(nearestVersions('13.9.0', published)).toEqual(['13.4.9', '13.5.1', '13.5.2', '13.6.0']);
  expect(nearestVersions('2.0.0', published)).toEqual(['13.5.1', '13.5.2', '13.6.0', '14.0.0']);
});

test('the newest version is known though nothing was installed yet', async () => {
  expect(existsSync(dirname(packageFolder(SET)))).toBe(false);
  expect(await latestVersion('plugin')).toBe('1.0.0');
});
