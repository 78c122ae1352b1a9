import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { crowdOf } from '../editors/base/framework.ts';
import { checkOnDemand } from '../harness/machine/doctor.ts';
import { madeOnce } from '../infra/process/made-once.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { discoverAll, discoverFrameworks, findFramework, NOT_YET, packagesOfProject } from './discover.ts';
import { loadClient, versionToday } from './framework.ts';
import { formatFrameworks } from './framework-tables.ts';
import { reachedFrom } from './imports.ts';
import { packageFolder } from './packages/ready-packages.ts';

const folder = folderOfEachTest();
const { put } = folder;
let root: string;
beforeEach(async () => {
  root = folder.path;
  await put('package.json', '{ "version": "7.8.9" }');
});
afterEach(() => void vi.unstubAllEnvs());

async function putFramework(name: string, packageName: string | null): Promise<void> {
  const about = { package: packageName, algorithm: 'A', licence: 'MIT', server: 'S' };
  await put(`editors/${name}/about.ts`, `export const about = ${JSON.stringify(about)};`);
  await put(`editors/${name}/client.ts`);
  await put(`servers/${name}/server.ts`);
}

test('parts of a library that are patched for crowds are told by each framework that has such, and by no other', async () => {
  const frameworks = (await discoverFrameworks()).filter(({ about }) => !about.onDemand && !about.hosted);
  expect(frameworks.length).toBeGreaterThan(10);
  for (const framework of frameworks) {
    const { quicken } = await loadClient(framework);
    expect(crowdOf(framework.about)?.patched !== undefined, framework.name).toBe(quicken !== undefined);
  }
});

test('every folder of editors/ but base/ is a framework; its version is its package’s', async () => {
  await putFramework('zebra', 'stripes');
  await put('node_modules/stripes/package.json', '{ "version": "1.2.3", "exports": "./hidden.js" }');
  await putFramework('ant', null);
  await put('editors/base/quill/quill-editor.ts');
  const found = await discoverFrameworks(root);
  expect(found.map(({ name, version }) => ({ name, version }))).toEqual([
    { name: 'ant', version: '7.8.9' },
    { name: 'zebra', version: '1.2.3' },
  ]);
});

test('a framework of which a part is missing cannot be used, and says which', async () => {
  await put('editors/half/about.ts', 'export const about = {};');
  await put('editors/half/client.ts');
  await put('editors/nameless/client.ts');
  await putFramework('ant', null);
  const found = await discoverFrameworks(root);
  expect(found.map(({ name, problem }) => [name, problem])).toEqual([
    ['ant', null],
    ['half', 'there is no servers/half/server.ts'],
    ['nameless', 'there is no editors/nameless/about.ts'],
  ]);
});

test('a package that is not installed is named, and keeps nobody from the other frameworks', async () => {
  await putFramework('ant', null);
  await putFramework('zebra', 'stripes');
  const [ant, zebra] = await discoverFrameworks(root);
  expect(ant!.problem).toBeNull();
  expect(zebra).toMatchObject({ version: 'missing', problem: expect.stringContaining('"stripes" is not installed') });
  expect(formatFrameworks([ant!, zebra!])).toContain('zebra cannot be used: its package "stripes" is not installed');
});

test('one whose packages are installed on demand says which, and whether they are there', async () => {
  vi.stubEnv('SCRIPTORIUM_CACHE', join(root, 'cache'));
  await putFramework('zebra', 'stripes');
  const about = {
    ...{ package: 'stripes', algorithm: 'CRDT', licence: 'MIT', server: 'relay' },
    onDemand: { packages: { stripes: '2.0.0', hooves: '1.1.0' } },
  };
  await put('editors/zebra/about.ts', `export const about = ${JSON.stringify(about)};`);
  const [missing] = await discoverFrameworks(root);
  const problem =
    'it takes stripes 2.0.0, hooves 1.1.0, which are not installed; the first run, check, max or install that names it fetches them';
  expect(missing).toMatchObject({ version: '2.0.0', problem, packages: about.onDemand });
  expect(checkOnDemand([missing!])).toEqual([{ name: 'zebra', state: 'good', seen: problem }]);

  await madeOnce(packageFolder(about.onDemand), async (partial) => {
    await mkdir(join(partial, 'node_modules/stripes'), { recursive: true });
    await writeFile(join(partial, 'node_modules/stripes/package.json'), '{ "version": "2.0.0" }');
  });
  const found = await discoverFrameworks(root);
  expect(found).toMatchObject([{ version: '2.0.0', problem: null }]);
  expect(formatFrameworks(found)).toContain('zebra has packages of its own: stripes 2.0.0, hooves 1.1.0');
  expect(checkOnDemand(found)).toMatchObject([{ seen: 'stripes 2.0.0, hooves 1.1.0 are installed' }]);
});

test('each framework of the project tells every package that it takes beside those of every run', async () => {
  const manifest = JSON.parse(await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  for (const { name, about } of (await discoverAll()).filter(({ about }) => !about.onDemand && !about.hosted)) {
    const entries = [`editors/${name}/client.ts`, `servers/${name}/server.ts`];
    const { packages } = await reachedFrom(entries, PROJECT_ROOT);
    const untold = [...packages].filter((each) => !(each in manifest.dependencies));
    // Those of stores, and of several servers, are installed where these are named.
    const behind = [...Object.values(about.stores ?? {}), about.severalServers].flatMap(
      (means) => means?.packages ?? [],
    );
    expect([...packagesOfProject(about), ...behind], name).toEqual(expect.arrayContaining(untold));
  }
});

test('one whose packages the lock file knows has their version, and is installed when it is named', async () => {
  await putFramework('zebra', 'stripes');
  await put('package-lock.json', '{ "packages": { "node_modules/stripes": { "version": "1.2.3" } } }');
  const found = await discoverFrameworks(root);
  expect(found).toMatchObject([{ version: '1.2.3', problem: NOT_YET }]);
  expect(formatFrameworks(found)).toMatch(/\nnot installed yet, but by the first run that names it: zebra$/);
});

test('one that another hosts needs no halves here, and its version is the day', async () => {
  const about = { package: null, algorithm: 'A', licence: 'L', server: 'S', hosted: {} };
  await put('editors/theirs/about.ts', `export const about = ${JSON.stringify(about)};`);
  expect(await discoverFrameworks(root)).toMatchObject([{ name: 'theirs', version: 'as served', problem: null }]);
  expect(versionToday(await findFramework('gdocs'))).toMatch(/^as served on \d{4}-\d\d-\d\d$/);
});

test('a description of the project’s own is complete, and reads in a table', async () => {
  await cp(join(PROJECT_ROOT, 'editors/loopback/about.ts'), join(root, 'editors/loopback/about.ts'), {
    recursive: true,
  });
  await put('editors/loopback/client.ts');
  await put('servers/loopback/server.ts');
  const table = formatFrameworks(await discoverFrameworks(root));
  expect(table.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'framework | version | modes | writers | crowd | presence | known issues | algorithm | licence | server',
    'loopback | 7.8.9 | optquill, noquill, node | one | recorded | – | none | none (changes are relayed, not merged) | Apache-2.0 | a relay of the project itself',
  ]);
});

test('what a framework needs that npm does not bring stands below the table', () => {
  const need = { framework: 'ant', need: 'Python 3.11 or newer', seen: '3.12.1 is here', problem: null };
  const lines = (needs: Parameters<typeof formatFrameworks>[1]) => formatFrameworks([], needs).split('\n').slice(1);
  expect(lines([need])).toEqual(['ant needs Python 3.11 or newer: 3.12.1 is here']);
  expect(lines([{ ...need, problem: 'there is no python3; install it' }])).toEqual([
    'ant needs Python 3.11 or newer: there is no python3; install it',
  ]);
});
