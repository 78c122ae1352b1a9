/** Packages of the project that are installed at their first use, against a registry of this machine. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runTool } from '../../infra/process/child.ts';
import { folderOfAllTests, folderOfEachTest } from '../../tests/folders.ts';
import { type Lock, readLock } from '../imports.ts';
import { missingPlaces, readyProjectPackages } from './project-packages.ts';
import { type LocalRegistry, startRegistry } from './test-data/local-registry.ts';

const files = { 'index.js': 'export const here = true;' };
const library = (name: string, manifest: Record<string, unknown> = {}) => ({ name, version: '1.0.0', files, manifest });
/** One whose install script leaves a file. */
const built = (name: string) => library(name, { scripts: { install: 'touch built' }, hasInstallScript: true });
const needs = (...names: string[]) => ({ dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) });

let registry: LocalRegistry;
/** A project with the packages of every run, of which each test has a copy. */
const project = folderOfAllTests();
beforeAll(async () => {
  const published = [library('base'), library('core', needs('base', 'deep')), library('deep'), library('other')];
  published.push(built('trusted'), built('untrusted'));
  // Two whose peer is another package of the project; one asks for a version of it that the project overrides.
  published.push(library('plugin', { peerDependencies: { core: '1.0.0' } }));
  published.push(library('old-plugin', { peerDependencies: { core: '0.9.0' } }));
  registry = await startRegistry(published);
  for (const [name, value] of Object.entries(registry.environment)) vi.stubEnv(name, value);
  const manifest = {
    ...{ name: 'project', version: '0.0.0', private: true },
    ...needs('base'),
    devDependencies: needs('core', 'plugin', 'old-plugin', 'other', 'trusted', 'untrusted').dependencies,
    overrides: { 'old-plugin': { core: '$core' } },
    mayRunInstallScripts: ['trusted'],
  };
  await project.put('package.json', JSON.stringify(manifest));
  const npm = (...args: string[]) => runTool(['npm', ...args, '--no-audit', '--no-fund'], { folder: project.path });
  await npm('install', '--package-lock-only');
  await npm('ci', '--omit=dev');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await registry.close();
});

const folder = folderOfEachTest();
let said: string[] = [];
beforeEach(async () => {
  said = [];
  await cp(project.path, folder.path, { recursive: true });
});

const isHere = (name: string) => existsSync(folder.in(`node_modules/${name}`));
const ready = (...names: string[]) =>
  readyProjectPackages(names, { root: folder.path, say: (text) => said.push(text) });

test('the first use adds a package with what it takes, and touches nothing that is there; a second one asks nobody', async () => {
  expect(isHere('base')).toBe(true);
  await folder.put('node_modules/base/index.js', 'export const here = "in use";');
  await readyProjectPackages(['plugin'], { root: folder.path, isDry: true });
  expect(isHere('plugin')).toBe(false);
  await ready('plugin');
  expect(said).toEqual([`Installing plugin 1.0.0 into ${folder.in('node_modules')}; that is done once`]);
  expect(['plugin', 'core', 'deep', 'other'].filter(isHere)).toEqual(['plugin', 'core', 'deep']);
  expect(await readFile(folder.in('node_modules/base/index.js'), 'utf8')).toContain('in use');

  const fetches = registry.fetches();
  await ready('plugin', 'core');
  expect([registry.fetches(), said.length]).toEqual([fetches, 1]);
});

test('a package is added whose peer is here already in the version that the project overrides', async () => {
  await ready('core');
  await ready('old-plugin');
  expect(isHere('old-plugin')).toBe(true);
});

test('a package of another checkout is not fetched again; a changed one is refused', async () => {
  await ready('other');
  const fetches = registry.fetches();
  await runTool(['rm', '-r', folder.in('node_modules/other')]);
  await ready('other');
  expect([registry.fetches(), isHere('other')]).toEqual([fetches, true]);

  const lock = await readLock(folder.path);
  Object.assign(lock.packages['node_modules/core']!, { integrity: `sha512-${'A'.repeat(86)}==` });
  await folder.put('package-lock.json', JSON.stringify(lock));
  await expect(ready('core')).rejects.toThrow(/EINTEGRITY/);
  expect(isHere('core')).toBe(false);
});

test('install scripts run for the packages that package.json names, and for no other', async () => {
  await ready('trusted', 'untrusted');
  expect(['trusted/built', 'untrusted/index.js', 'untrusted/built'].map(isHere)).toEqual([true, true, false]);
});

test('a package that the project does not know is told', async () => {
  await expect(ready('nobody')).rejects.toMatchObject({
    exitCode: 3,
    message: 'package-lock.json has no "nobody"; add it to package.json and run npm install',
  });
});

test('places are those in which Node finds a package: the nearest around the one that imports it', async () => {
  const { packages }: Lock = {
    packages: {
      'node_modules/a': needs('b', 'c', 'for-other-machines', 'not-in-the-file'),
      'node_modules/a/node_modules/b': needs('c'),
      'node_modules/b': {},
      'node_modules/c': {},
      'node_modules/for-other-machines': { optional: true },
    },
  };
  await mkdir(folder.in('node_modules/c'), { recursive: true });
  expect(missingPlaces(['a'], { packages }, folder.path)).toEqual(['node_modules/a', 'node_modules/a/node_modules/b']);
  expect(missingPlaces(['nobody'], { packages }, join(folder.path, 'elsewhere'))).toEqual(['node_modules/nobody']);
});
