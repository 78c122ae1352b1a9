/** Bases of a change, from small repositories of git. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { folderOfEachTest } from '../tests/folders.ts';
import { never } from '../tests/runs.ts';
import { openBaseAndChange } from './base.ts';

const folder = folderOfEachTest();
const notices: string[] = [];

/** Both halves load, and say what the build left. */
const ABOUT = (packageName: string | null) =>
  `export const about = ${JSON.stringify({ package: packageName, algorithm: 'none', licence: 'MIT', server: 'none', tier: 'library', colour: { light: '#112233', dark: '#445566' } })};`;
const CLIENT = "import { speed } from '../../lib.js'; export const client = { join: async () => speed };";
const SERVER = 'export const server = { serve() {}, start: async () => {} };';

function git(...args: string[]): void {
  execFileSync('git', ['-C', folder.path, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { stdio: 'pipe' });
}

/** Each test's framework has a name of its own, as a process knows one folder by a name. */
let number = 0;
let name: string;
const bench = (file: string) => `bench/${name}/${file}`;

async function putFramework(packageName: string | null = null): Promise<void> {
  await folder.put(bench('about.js'), ABOUT(packageName));
  await folder.put(bench('client.js'), CLIENT);
  await folder.put(bench('server.js'), SERVER);
}

function commit(tag: string): void {
  git('add', '.');
  git('commit', '-qm', tag);
  git('tag', tag);
}

beforeEach(async () => {
  name = `mine${++number}`;
  git('init', '-q');
  await folder.put('package.json', '{ "type": "module" }');
  await folder.put('.gitignore', 'lib.js\n');
  await folder.put('lib.txt', 'export const speed = 1;');
});

const open = (base: string, options: { build?: string | null; framework?: string } = {}) => {
  const { build = 'cp lib.txt lib.js', framework = folder.in('bench', name) } = options;
  return openBaseAndChange({ framework, base, build, say: (text) => notices.push(text), signal: never });
};

describe('a base from the repository', () => {
  test('is the same folder at its commit, built there, under a name of its own', async () => {
    await putFramework();
    commit('v1');
    await folder.put('lib.txt', 'export const speed = 2;');
    const { base, change, baseText, isFolderLent, release } = await open('v1');
    expect([base.name, change.name, isFolderLent]).toEqual([`${name}@base`, name, false]);
    expect(baseText).toMatch(/^v1 \([0-9a-f]{7}\)$/);
    const built = async (root: string) => readFile(join(root, '../../lib.js'), 'utf8');
    expect([await built(base.root), await built(change.root)]).toEqual([
      expect.stringContaining('speed = 1'),
      expect.stringContaining('speed = 2'),
    ]);
    await release();
    expect(existsSync(base.root)).toBe(false);
  });

  test('that has no such framework yet gets the change’s', async () => {
    commit('v1');
    await putFramework();
    const { base, isFolderLent, release } = await open('v1');
    expect(isFolderLent).toBe(true);
    expect(await readFile(join(base.root, 'client.js'), 'utf8')).toBe(CLIENT);
    await release();
  });
});

describe('refused', () => {
  const half = () => writeFile(folder.in(bench('server.js')), 'export const other = 1;');
  test.each<
    [string, { base?: string; build?: string | null; framework?: string; before?: () => Promise<void> }, RegExp]
  >([
    [
      'a commit that is none',
      { base: 'nowhere' },
      /--base "nowhere": git knows no such commit, branch or tag in .*fetch it first/,
    ],
    [
      'a base that cannot be built',
      { build: 'test ! -f old.txt && cp lib.txt lib.js' },
      /^the base v1 cannot be built by "test/,
    ],
    [
      'a change that cannot be built',
      { build: 'echo no rule >&2; exit 1' },
      /^the change cannot be built by .*: no rule/,
    ],
    ['a folder without its halves', { before: half }, /exports no "server"; docs\/project\/adding-a-framework/],
    ['a folder that is none', { framework: './nowhere' }, /there is no folder .*nowhere/],
    ['a published base without a package', { base: 'published' }, /names no package, so nothing is published/],
    [
      'a commit for a framework of the project',
      { base: 'main', framework: 'yjs', build: null },
      /"main" is no version of yjs/,
    ],
    [
      'a framework of the project that is to be built',
      { base: '13.6.0', framework: 'yjs' },
      /^--build "cp .*: yjs is no folder with sources to build; give the folder .*, or leave --build out/,
    ],
  ])('%s', async (_, { base = 'v1', build, framework, before }, message) => {
    await folder.put('old.txt');
    await putFramework();
    commit('v1');
    git('rm', '-q', 'old.txt');
    await before?.();
    await expect(open(base, { build, framework })).rejects.toThrow(message);
  });

  test('a package that is to be built: its base would be, and the change not', async () => {
    const putInPackage = (file: string, text: string) => folder.put(`node_modules/@me/bench/${file}`, text);
    await putInPackage('package.json', '{ "name": "@me/bench", "type": "module" }');
    await putInPackage('about.js', ABOUT(null));
    await putInPackage('client.js', 'export const client = { join() {} };');
    await putInPackage('server.js', SERVER);
    const here = vi.spyOn(process, 'cwd').mockReturnValue(folder.path);
    onTestFinished(() => here.mockRestore());
    await expect(open('v1', { framework: '@me/bench' })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^--build "cp lib.*": @me\/bench is no folder with sources.*give the folder/),
    });
    expect(existsSync(folder.in('lib.js'))).toBe(false);
  });
});
