import { rm, utimes } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../tests/folders.ts';
import { codeNow, codeOf } from './code.ts';
import { git } from './worktree.ts';

const folder = folderOfEachTest();
const SOURCE = 'cli/main.ts';

async function putProject(): Promise<string> {
  await folder.put('package-lock.json', '{}');
  await folder.put(SOURCE, 'one');
  return folder.path;
}

const commitAll = (root: string) =>
  git(root, '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--quiet', '--all', '--message', 'x');

test('code is named by its commit, and by its sources whatever git says', async () => {
  const root = await putProject();
  const bare = await codeOf(root);
  expect(bare).toEqual({ commit: null, changed: null, sources: expect.stringMatching(/^[0-9a-f]{16}$/) });
  await git(root, 'init', '--quiet');
  await git(root, 'add', '.');
  await commitAll(root);
  const committed = await codeOf(root);
  expect(committed).toEqual({ ...bare, commit: expect.stringMatching(/^[0-9a-f]{40}$/), changed: false });
  // Between two sittings runs are kept, and pages written.
  for (const path of ['docs/a page.md', 'cli/main.test.ts', 'results/measured/run.json.gz'])
    await folder.put(path, 'new');
  expect(await codeOf(root)).toEqual(committed);
  await folder.put(SOURCE, 'two');
  expect(await codeOf(root)).toEqual({ ...committed, changed: true, sources: expect.not.stringMatching(bare.sources) });
  await folder.put(SOURCE, 'one');
  // Servers and engines of other languages are measured, too.
  for (const path of ['servers/a/server.py', 'servers/a/requirements.txt', 'documents/engines/native/src/main.rs']) {
    const before = await codeOf(root);
    await folder.put(path, 'new');
    expect(await codeOf(root)).toEqual({
      ...before,
      changed: true,
      sources: expect.not.stringMatching(before.sources),
    });
  }
  await rm(folder.in(SOURCE));
  expect(await codeOf(root)).toMatchObject({ changed: true });
  // A repository around the project is not the project's.
  await rm(folder.in('.git'), { recursive: true });
  expect(await codeOf(root)).toMatchObject({ commit: null, changed: null });
});

test('a change of the sources under a process is seen, a change of their times alone is none', async () => {
  const root = await putProject();
  const first = await codeNow(root);
  expect(first.isFirst).toBe(true);
  await utimes(folder.in(SOURCE), 1, 1);
  await folder.put('cli/main.test.ts', 'a test');
  expect(await codeNow(root)).toEqual(first);
  await folder.put(SOURCE, 'two');
  expect(await codeNow(root)).toMatchObject({ isFirst: false, sources: expect.not.stringMatching(first.sources) });
  await folder.put(SOURCE, 'one');
  expect(await codeNow(root)).toEqual(first);
  await rm(folder.in(SOURCE));
  expect((await codeNow(root)).isFirst).toBe(false);
});
