/** One framework in two versions: each has its own package, and one copy of it, in Node and in the page. */
import { execFileSync } from 'node:child_process';
import { glob, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UserError } from '../results/user-error.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { coloursApart } from './colour.ts';
import { findFramework, lookUp, versionIn } from './discover.ts';
import { readyPackages } from './packages/ready-packages.ts';
import { type LocalRegistry, putPackages, startRegistry } from './packages/test-data/local-registry.ts';
import { buildPageOf } from './page-build.ts';
import { published, putSmallProject } from './test-data/small-project.ts';

let registry: LocalRegistry;
const folder = folderOfEachTest();
let root: string;
beforeEach(async () => {
  registry = await startRegistry([...published('1.0.0'), published('2.0.0')[0]!]);
  for (const [name, value] of Object.entries(registry.environment)) vi.stubEnv(name, value);
  root = folder.path;
  await putSmallProject(root, '2.0.0');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await registry.close();
});

/** The packages that both halves see, in a process of their own. */
function seenBy(...names: string[]): string[][] {
  const script = `
    const { findFramework } = await import('./frameworks/discover.ts');
    const { loadHalf } = await import('./frameworks/framework.ts');
    const seen = [];
    for (const name of ${JSON.stringify(names)}) {
      const framework = await findFramework(name, ${JSON.stringify(root)});
      seen.push((await loadHalf(framework, 'client')).client.join(), (await loadHalf(framework, 'server')).server.serve());
    }
    console.log(JSON.stringify(seen));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }));
}

test('halves and page of a version have it everywhere, and the project keeps its own', async () => {
  const older = await lookUp('one@1.0.0', root);
  expect(older).toMatchObject({ name: 'one@1.0.0', kind: 'version', version: '1.0.0' });
  await expect(findFramework('one@1.0.0', root)).rejects.toMatchObject({
    exitCode: 3,
    message:
      'one@1.0.0 cannot be used: core 1.0.0 is not installed; the first run, check, max or install that names it fetches them',
  });
  expect(older.packages).toEqual({ packages: { core: '1.0.0', plugin: '1.0.0' }, shared: ['core'] });
  await readyPackages(older.packages!);
  expect((await findFramework('one@1.0.0', root)).version).toBe('1.0.0');

  const [one, two] = ['1.0.0', '2.0.0'].map((version) => [`core of ${version}`, 'one copy', `core of ${version}`]);
  expect(seenBy('one', 'one@1.0.0')).toEqual([two, two, one, one]);

  const bundled = async (name: string) => {
    const folder = await buildPageOf(await findFramework(name, root));
    const scripts = await Array.fromAsync(glob('assets/*.js', { cwd: folder }));
    const text = (await Promise.all(scripts.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
    return [...text.matchAll(/core of (\d\.\d\.\d)/g)].map(([, version]) => version);
  };
  expect(await bundled('one@1.0.0')).toEqual(['1.0.0']);
  expect(await bundled('one')).toEqual(['2.0.0']);

  // As npm install --no-save does.
  await rm(join(root, 'node_modules/core'), { recursive: true });
  await putPackages(join(root, 'node_modules'), [published('2.1.0')[0]!]);
  await writeFile(join(root, 'node_modules/.package-lock.json'), '{"core": "2.1.0"}');
  expect(await bundled('one')).toEqual(['2.1.0']);

  // Of a package that is linked, no lock file tells what it holds.
  await putPackages(join(root, 'elsewhere'), [published('3.0.0')[0]!]);
  await rm(join(root, 'node_modules/core'), { recursive: true });
  await symlink(join(root, 'elsewhere/core'), join(root, 'node_modules/core'));
  expect(await bundled('one')).toEqual(['3.0.0']);
});

test.each(['yjs', './mine', '@me/mine', 'a@b@c', '@1.0.0', 'yjs@'])('%j names no version', (written) => {
  expect(versionIn(written)).toBeNull();
});

test('a version that lacks what the client imports is told in a sentence', async () => {
  const { name, version } = published('1.0.0')[0]!;
  await writeFile(
    join(root, 'editors/one/client.ts'),
    `import { later } from '${name}'; export const client = { later };`,
  );
  const older = await lookUp(`one@${version}`, root);
  await readyPackages(older.packages!);
  const problem: Error = await buildPageOf(await findFramework(`one@${version}`, root)).catch((error) => error);
  expect(problem).toBeInstanceOf(UserError);
  expect(problem.message).toMatch(
    /^the client of one@1\.0\.0 cannot be bundled for a page: .*"later" is not exported by/s,
  );
  expect(problem.message).toBe(stripVTControlCharacters(problem.message));
});

test('what has no package of its own has no versions', async () => {
  await expect(lookUp('loopback@1.0.0')).rejects.toThrow(
    'there is no loopback@1.0.0: loopback has no package with a choice of versions',
  );
});

test('versions of one framework have colours of their own, the first its framework’s', () => {
  const colour = { light: '#0072b2', dark: '#3f9ee0' };
  const other = { light: '#c23b06', dark: '#f0763c' };
  const given = coloursApart([
    { name: 'a@1', colour },
    { name: 'b', colour: other },
    { name: 'a@2', colour },
    { name: 'a@3', colour },
  ]);
  expect([given.get('a@1'), given.get('b')]).toEqual([colour, other]);
  expect(new Set([...given.values()].map(({ light }) => light)).size).toBe(4);
  expect(new Set([...given.values()].map(({ dark }) => dark)).size).toBe(4);
});
