/** Frameworks made by `new-framework`, in a project of its own that borrows the rest of this one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { never } from '../../tests/runs.ts';
import { spareColour } from '../colour.ts';
import { discoverAll } from '../discover.ts';
import { explore } from '../explore/explore.ts';
import { makeFramework } from './make-framework.ts';
import { KINDS, type Kind } from './template.ts';

/** Of each kind, in some seconds. */
const WORLDS = 20;

const root = folderOfEachTest();
beforeEach(async () => {
  const shared = (await readdir(join(PROJECT_ROOT, 'servers'))).filter((name) => name.endsWith('.ts'));
  for (const path of [
    'editors/base',
    'node_modules',
    'package.json',
    'tests/relayed-suite.ts',
    ...shared.map((name) => `servers/${name}`),
  ]) {
    await mkdir(dirname(root.in(path)), { recursive: true });
    await symlink(join(PROJECT_ROOT, path), root.in(path));
  }
});

describe.each(KINDS)('%s', (kind) => {
  test('is found, complete, in the style of the project, and imports what is there', async () => {
    const paths = await makeFramework({ name: 'Quite-a-long-name-of-30-letters', kind, root: root.path });
    expect(paths.every((path) => existsSync(root.in(path)))).toBe(true);
    expect(await discoverAll(root.path)).toMatchObject([
      { name: 'Quite-a-long-name-of-30-letters', problem: null, about: { colour: spareColour([]) } },
    ]);
    for (const path of paths) {
      const text = await readFile(root.in(path), 'utf8');
      expect(text, path).not.toContain('my-framework');
      for (const [, specifier] of text.matchAll(/\bfrom '(\.[^']+)'/g)) {
        expect(existsSync(root.in(dirname(path), specifier!)), `${path}: ${specifier}`).toBe(true);
      }
    }
    const config = JSON.parse(await readFile(join(PROJECT_ROOT, 'biome.json'), 'utf8'));
    await root.put('biome.json', JSON.stringify({ ...config, vcs: undefined }));
    const biome = spawnSync(join(PROJECT_ROOT, 'node_modules/.bin/biome'), ['check', ...paths], {
      cwd: root.path,
      encoding: 'utf8',
    });
    expect(biome.status, biome.stderr).toBe(0);
  });

  test('holds in worlds: over breaks and restarts, with who joins later, in saved states', async () => {
    await makeFramework({ name: 'mine', kind, root: root.path });
    const [mine] = await discoverAll(root.path);
    const options = { seed: 1, worlds: WORLDS, processes: 1, signal: never, say: () => {}, onFinding: async () => {} };
    expect(await explore(mine!, options)).toMatchObject({ why: null, worlds: WORLDS, findings: [] });
  });
});

describe('what cannot be made', () => {
  const make = (name: string, kind: Kind = 'relayed') => makeFramework({ name, kind, root: root.path });

  test.each(['', '1st', '-x', 'a b', 'a/b', '..', 'a_b', 'yjs@13', 'é', `a${'b'.repeat(40)}`])(
    'a name: %j',
    async (name) => {
      await expect(make(name)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(`cannot be named ${JSON.stringify(name)}: a name is a letter, then`),
      });
      expect(await readdir(root.in('editors'))).toEqual(['base']);
    },
  );

  test('a name that is taken, in either room', async () => {
    await mkdir(root.in('servers/theirs'));
    await make('mine');
    const before = await readFile(root.in('editors/mine/about.ts'), 'utf8');
    await expect(make('mine', 'own-server')).rejects.toThrow('the name "mine" is taken: there is editors/mine; choose');
    await expect(make('theirs')).rejects.toThrow('there is servers/theirs');
    await expect(make('base')).rejects.toThrow('there is editors/base');
    expect(await readFile(root.in('editors/mine/about.ts'), 'utf8')).toBe(before);
    expect(existsSync(root.in('editors/theirs'))).toBe(false);
  });

  test('leaves nothing half-made', async () => {
    await rm(root.in('servers'), { recursive: true });
    await root.put('servers', 'no folder');
    await expect(make('mine')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(
        /^mine could not be made, and nothing is left of it: .*servers\/mine cannot be used: it is a file/,
      ),
    });
    expect(await readdir(root.in('editors'))).toEqual(['base']);
    expect(await readdir(root.in('.scriptorium'))).toEqual([]);
  });
});
