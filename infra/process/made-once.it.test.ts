/** Two PID namespaces that share a folder, as two containers share a cache: neither sees the other's processes. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { Child, nodeCommand } from './child.ts';

const MADE_ONCE = join(import.meta.dirname, 'made-once.ts');
const folder = folderOfEachTest();
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
