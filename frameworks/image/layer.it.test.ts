/**
 * The image layer for frameworks from outside or in other versions: complete, minimal, and with a digest that tells layers
 * apart.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ImageLayer } from '../../infra/compose/docker.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { admit } from '../admit.ts';
import { findFrameworks } from '../discover.ts';
import type { Framework } from '../framework.ts';
import { makeFrameworkOutside } from '../scaffold/make-framework.ts';
import { withLayer } from './layer.ts';

const folder = folderOfEachTest();
const { put } = folder;
let mine: string;
beforeEach(() => {
  mine = folder.in('repository/bench/mine');
  vi.stubEnv('SCRIPTORIUM_OUTSIDE', undefined);
});
afterEach(() => void vi.unstubAllEnvs());

/** A framework with a package of the repository around it, and one that is linked. */
async function makeMine(): Promise<void> {
  await mkdir(dirname(mine), { recursive: true });
  await makeFrameworkOutside({ folder: mine, kind: 'own-server' });
  const server = join(mine, 'server.ts');
  const typed = `import type { X } from './no-such-file.ts';\nimport { value } from 'around';\nimport 'linked';\nvalue satisfies number;\n`;
  await writeFile(server, typed + (await readFile(server, 'utf8')));
  const manifest = (name: string) => JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js' });
  await put('repository/node_modules/around/package.json', manifest('around'));
  await put('repository/node_modules/around/index.js', 'export { value } from "./value.js";');
  await put('repository/node_modules/around/value.js', 'export const value = 1;');
  await put('repository/node_modules/around/never-loaded.js', '');
  await put('library/package.json', manifest('linked'));
  await put('library/index.js', 'globalThis.linked = true;');
  await symlink(folder.in('library'), folder.in('repository/node_modules/linked'));
  await put('repository/bench/mine/data/words.txt', 'read while it runs');
  await put('shared/names.txt', 'linked from elsewhere');
  await symlink('../../../shared', join(mine, 'shared'));
  // The target of the link is gone.
  await symlink('../gone.txt', join(mine, 'data/moved.txt'));
}

const digestOf = async (names: string[]) => withLayer(await found(names), async (layer) => layer?.digest);

async function found(names: string[]): Promise<Framework[]> {
  return [...(await findFrameworks(names)).values()];
}

test('a framework from outside goes along with what it loads, and is found there', async () => {
  await makeMine();
  await admit(mine, { from: '/' });
  let left = '';
  const digest = await withLayer(await found(['mine', 'yjs', 'yjs-pycrdt']), async (layer) => {
    const { folder: context, arguments: given } = layer as ImageLayer;
    left = context;
    expect(given).toEqual({
      FRAMEWORKS: 'mine yjs-pycrdt',
      PYTHON: 'yes',
      OUTSIDE: JSON.stringify({ mine: `/outside${mine}` }),
      PAGES: JSON.stringify({ mine: '/pages/mine' }),
    });
    const there = (path: string) => existsSync(join(context, 'outside', folder.path, path));
    expect(there('repository/bench/mine/data/words.txt')).toBe(true);
    expect(await readFile(join(context, 'outside', mine, 'shared/names.txt'), 'utf8')).toBe('linked from elsewhere');
    expect(there('repository/node_modules/around/value.js')).toBe(true);
    expect(there('repository/node_modules/around/never-loaded.js')).toBe(false);
    expect(await readdir(join(context, 'pages/mine'))).toContain('index.html');
    // As the image's build does; nothing is looked up where it came from.
    await rm(folder.in('library'), { recursive: true });
    await rm(folder.in('repository/node_modules'), { recursive: true });
    const tried = execFileSync(process.execPath, [join(PROJECT_ROOT, 'cli/main.ts'), 'install', 'mine'], {
      encoding: 'utf8',
      env: { ...process.env, SCRIPTORIUM_OUTSIDE: JSON.stringify({ mine: join(context, 'outside', mine) }) },
    });
    expect(tried.trim()).toBe('');
    return layer!.digest;
  });
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  expect(existsSync(left)).toBe(false);
});

test('its digest changes with what it loads, and with nothing else', async () => {
  await makeMine();
  await admit(mine, { from: '/' });
  const digest = await digestOf(['mine']);
  await put('repository/node_modules/around/never-loaded.js', 'changed');
  expect(await digestOf(['mine'])).toBe(digest);
  await put('repository/node_modules/around/value.js', 'export const value = 2;');
  expect(await digestOf(['mine'])).not.toBe(digest);
});

test('frameworks of the project take none', async () => {
  expect(await digestOf(['yjs', 'sharedb'])).toBeUndefined();
});

test('a folder that holds too much is refused', async () => {
  await makeMine();
  await admit(mine, { from: '/' });
  await put('repository/bench/mine/target/debug.bin', '');
  await truncate(join(mine, 'target/debug.bin'), 600 * 2 ** 20);
  await expect(digestOf(['mine'])).rejects.toThrow(
    `mine takes 600 MiB, too much for an image (512 MiB at most); everything in ${mine} goes into the image, so move out`,
  );
});
