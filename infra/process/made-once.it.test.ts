/** Folders and processes: of one that is killed, and of two PID namespaces that share a folder, as two containers share a cache. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { processName } from '../../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { Child, nodeCommand } from './child.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './made-once.ts';

const MADE_ONCE = join(import.meta.dirname, 'made-once.ts');
const folder = folderOfEachTest();
afterEach(() => void vi.unstubAllEnvs());
const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

const canUnshare = (() => {
  try {
    execFileSync(NAMESPACE[0]!, [...NAMESPACE.slice(1), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Makes `name` in a namespace of its own, of some files; with `until`, only once that file is there. */
function install(name: string, until = ''): Child {
  const script = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    import { madeOnce } from ${JSON.stringify(MADE_ONCE)};
    await madeOnce(${JSON.stringify(folder.in(name))}, async (partial) => {
      writeFileSync(partial + '/first', '');
      writeFileSync(${JSON.stringify(folder.in(`${name}-began`))}, '');
      while (${JSON.stringify(until)} && !existsSync(${JSON.stringify(until)})) await setTimeout(10);
      writeFileSync(partial + '/last', '');
    });`;
  return new Child({ command: [...NAMESPACE, ...nodeCommand('--input-type=module', '--eval', script)] });
}

test.runIf(canUnshare)('an install in another PID namespace is no orphan, and stays whole', async () => {
  const slow = install('slow', folder.in('go-on'));
  await expect.poll(() => existsSync(folder.in('slow-began'))).toBe(true);
  expect(await install('quick').ended).toMatchObject({ code: 0 });
  await writeFile(folder.in('go-on'), '');
  expect(await slow.ended).toMatchObject({ code: 0 });
  expect(await readdir(folder.in('slow'))).toEqual(['.whole', 'first', 'last']);
  expect(await readFile(folder.in('quick/last'), 'utf8')).toBe('');
});

test('a temporary folder goes with its process, also if that is killed', async () => {
  const temporary = folder.in("it's temporary");
  await mkdir(temporary);
  const script = `
    import { makeTemporaryFolder, removeTemporaryFolder } from ${JSON.stringify(MADE_ONCE)};
    await removeTemporaryFolder(await makeTemporaryFolder('gone'));
    console.log(await makeTemporaryFolder('job'));
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(holder.stdout, 'data');
  expect([join(temporary, (await readdir(temporary)).join())]).toEqual([String(said).trim()]);
  holder.kill('SIGKILL');
  await expect.poll(() => readdir(temporary)).toEqual([]);
});

test('what killed processes left is removed, whatever it was for, and nothing else', async () => {
  vi.stubEnv('TMPDIR', folder.path);
  // No process has this number: Linux's largest is 4,194,304.
  const gone = processName(99999999);
  const orphans = [`scriptorium-${gone}-x`, `scriptorium-replay-${gone}-y`, `scriptorium-chrome-${gone}-y`];
  const others = [
    ...[`scriptorium-rest-${processName()}-z`, `scriptorium-base-${gone}-x`, 'scriptorium-join-x', 'photos'],
    // Where another number is another process.
    'scriptorium-run-99999999-1-000000-x',
  ];
  for (const name of [...orphans, ...others]) await folder.put(join(name, 'file'));
  const made = await makeTemporaryFolder('job');
  expect(basename(made)).toMatch(new RegExp(`^scriptorium-job-${processName()}-.{6}$`));
  expect((await readdir(folder.path)).sort()).toEqual([...others, basename(made)].sort());
  await removeTemporaryFolder(made);
  expect((await readdir(folder.path)).sort()).toEqual(others.sort());
});

test('a temporary folder is the same one for a process with another working folder', async () => {
  vi.stubEnv('TMPDIR', relative(process.cwd(), folder.path));
  const made = await makeTemporaryFolder('');
  expect(dirname(made)).toBe(folder.path);
  await removeTemporaryFolder(made);
});
