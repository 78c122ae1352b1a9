/** Frameworks made by `new-framework`, in a project of its own that borrows the rest of this one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as prng from 'lib0/prng';
import type Delta from 'quill-delta';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalDelta, shownDelta } from '../../editors/base/delta.ts';
import type { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { type Halves, pause, type ServedUsers, serveUsers, until } from '../../tests/served-users.ts';
import { spareColour } from '../colour.ts';
import { discoverAll } from '../discover.ts';
import { makeFramework } from './make-framework.ts';
import { KINDS, type Kind } from './template.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'new-framework-'));
  const shared = (await readdir(join(PROJECT_ROOT, 'servers'))).filter((name) => name.endsWith('.ts'));
  for (const path of [
    'editors/base',
    'node_modules',
    'package.json',
    'tests/relayed-suite.ts',
    ...shared.map((name) => `servers/${name}`),
  ]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(join(PROJECT_ROOT, path), join(root, path));
  }
});
afterEach(() => rm(root, { recursive: true }));

/** The halves of a framework that was just made. */
async function load(name: string): Promise<Halves> {
  const half = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(root, path)).href);
  const { client } = await half(`editors/${name}/client.ts`);
  const { server } = await half(`servers/${name}/server.ts`);
  return { client, server };
}

describe.each(KINDS)('%s', (kind) => {
  const serve = async (): Promise<ServedUsers> => {
    await makeFramework({ name: 'mine', kind, root });
    return serveUsers(await load('mine'));
  };

  test('is found, complete, in the style of the project, and imports what is there', async () => {
    const paths = await makeFramework({ name: 'Quite-a-long-name-of-30-letters', kind, root });
    expect(paths.every((path) => existsSync(join(root, path)))).toBe(true);
    expect(await discoverAll(root)).toMatchObject([
      { name: 'Quite-a-long-name-of-30-letters', problem: null, about: { colour: spareColour([]) } },
    ]);
    for (const path of paths) {
      const text = await readFile(join(root, path), 'utf8');
      expect(text, path).not.toContain('my-framework');
      for (const [, specifier] of text.matchAll(/\bfrom '(\.[^']+)'/g)) {
        expect(existsSync(join(root, dirname(path), specifier!)), `${path}: ${specifier}`).toBe(true);
      }
    }
    const config = JSON.parse(await readFile(join(PROJECT_ROOT, 'biome.json'), 'utf8'));
    await writeFile(join(root, 'biome.json'), JSON.stringify({ ...config, vcs: undefined }));
    const biome = spawnSync(join(PROJECT_ROOT, 'node_modules/.bin/biome'), ['check', ...paths], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(biome.status, biome.stderr).toBe(0);
  });

  test('keeps users in agreement, over breaks, with who joins later, in saved states', async () => {
    const served = await serve();
    const { line, join } = served;
    await join();
    await join({ port: line.port });
    await join({ port: line.port, receiveMs: 10, sendMs: 20 });
    const generator = prng.create(2023);
    for (let round = 0; round < 90; round++) {
      for (const { editor } of served.users) editAtRandom(editor, generator);
      // In the middle of what is on its way.
      if (round % 30 === 10) line.cut();
      if (round % 30 === 14) line.mend();
      await pause(prng.int32(generator, 0, 4));
    }
    await until(() => served.users[1]!.reconnections > 0 && agree(served));
    expect(served.users.map(({ reconnections }) => reconnections > 0)).toEqual([false, true, true]);
    await join();
    expect(agree(served)).toBe(true);
    expect(served.users[0]!.editor.getLength()).toBeGreaterThan(100);
    const { client } = await load('mine');
    for (const { replica, lost } of served.users) {
      expect(canonicalDelta(await client.load!(replica.save()))).toEqual(canonicalDelta(replica.contents()));
      expect(lost).toEqual([]);
    }
    await served.close();
  });

  test('nothing that was typed comes twice, though the server could not confirm it', async () => {
    const served = await serve();
    const { line, join, users } = served;
    const [near, far] = [await join(), await join({ port: line.port })];
    line.swallowAnswers();
    far.editor.insertText(0, 'once', 'user');
    await until(() => near.editor.getLength() > 1);
    line.cut();
    far.editor.insertText(4, ' more', 'user');
    line.mend();
    await until(() => near.editor.getText(), 'once more\n');
    await pause(50);
    expect(users.map(({ editor, lost }) => [editor.getText(), lost])).toEqual(users.map(() => ['once more\n', []]));
    await served.close();
  });
});

/** True if all replicas hold the same, and all editors show that. A model may hold formats that no editor shows. */
function agree({ users }: ServedUsers): boolean {
  const textOf = (delta: Delta) => JSON.stringify(canonicalDelta(delta).ops);
  const held = new Set(users.map(({ replica }) => textOf(replica.contents())));
  const shown = new Set(users.map(({ editor }) => textOf(editor.getContents())));
  return held.size === 1 && shown.size === 1 && shown.has(textOf(shownDelta(users[0]!.replica.contents())));
}

function editAtRandom(editor: NoQuill, generator: prng.PRNG): void {
  const end = editor.getLength() - 1;
  const at = prng.int32(generator, 0, end);
  const kind = prng.int32(generator, 0, 9);
  if (kind < 5) editor.insertText(at, `${prng.word(generator, 1, 4)}${kind === 0 ? '\n' : ''}`, 'user');
  else if (kind < 7) editor.deleteText(at, Math.min(2, end - at), 'user');
  else if (kind < 9) editor.formatText(at, Math.min(4, end - at), { bold: prng.bool(generator) }, 'user');
  else editor.formatLine(at, 1, { header: prng.oneOf(generator, [1, 2, false]) }, 'user');
}

describe('what cannot be made', () => {
  const make = (name: string, kind: Kind = 'relayed') => makeFramework({ name, kind, root });

  test.each(['', '1st', '-x', 'a b', 'a/b', '..', 'a_b', 'yjs@13', 'é', `a${'b'.repeat(40)}`])(
    'a name: %j',
    async (name) => {
      await expect(make(name)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(`cannot be named ${JSON.stringify(name)}: a name is a letter, then`),
      });
      expect(await readdir(join(root, 'editors'))).toEqual(['base']);
    },
  );

  test('a name that is taken, in either room', async () => {
    await mkdir(join(root, 'servers/theirs'));
    await make('mine');
    const before = await readFile(join(root, 'editors/mine/about.ts'), 'utf8');
    await expect(make('mine', 'own-server')).rejects.toThrow('the name "mine" is taken: there is editors/mine; choose');
    await expect(make('theirs')).rejects.toThrow('there is servers/theirs');
    await expect(make('base')).rejects.toThrow('there is editors/base');
    expect(await readFile(join(root, 'editors/mine/about.ts'), 'utf8')).toBe(before);
    expect(existsSync(join(root, 'editors/theirs'))).toBe(false);
  });

  test('leaves nothing half-made', async () => {
    await rm(join(root, 'servers'), { recursive: true });
    await writeFile(join(root, 'servers'), 'no folder');
    await expect(make('mine')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(
        /^mine could not be made, and nothing is left of it: .*servers\/mine cannot be used: it is a file/,
      ),
    });
    expect(await readdir(join(root, 'editors'))).toEqual(['base']);
    expect(await readdir(join(root, '.scriptorium'))).toEqual([]);
  });
});
