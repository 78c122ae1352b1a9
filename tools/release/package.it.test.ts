/** The package for npm, with a launcher of a few lines in the project's place. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../../infra/process/made-once.ts';

const LAUNCHER = '#!/bin/sh\necho "$* into $SCRIPTORIUM_RESULTS"\nexit 5\n';

/** @returns runs the package with these words, in `<folder>/work` */
async function unpackedPackage(launcher: string) {
  const folder = await makeTemporaryFolder('run');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [project, home, work] = ['project', 'package', 'work'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [project, home, work]) mkdirSync(made);
  writeFileSync(join(project, 'scriptorium'), launcher, { mode: 0o755 });
  cpSync(join(import.meta.dirname, 'scriptorium.mjs'), join(home, 'scriptorium.mjs'));
  writeFileSync(join(home, 'package.json'), '{ "version": "1.2.3", "type": "module" }');
  const cache = join(folder, 'cache');
  const run = (words: string[], environment = {}) => {
    const env = { ...process.env, SCRIPTORIUM_CACHE: cache, SCRIPTORIUM_RESULTS: '', ...environment };
    return spawnSync(process.execPath, [join(home, 'scriptorium.mjs'), ...words], { cwd: work, env, encoding: 'utf8' });
  };
  const repack = (changed: string) => {
    writeFileSync(join(project, 'scriptorium'), changed);
    execFileSync('tar', ['-czf', join(home, 'project.tar.gz'), '-C', project, '.']);
  };
  repack(launcher);
  return { folder, cache, work, run, repack };
}

test('npx unpacks the project once, and hands words, exit code and the folder for results through', async () => {
  const { cache, work, run } = await unpackedPackage(LAUNCHER);
  expect(run(['demo', 'a b'])).toMatchObject({ status: 5, stdout: `demo a b into ${join(work, 'results')}\n` });
  expect(run(['x'], { SCRIPTORIUM_RESULTS: '/elsewhere' }).stdout).toBe('x into /elsewhere\n');
  expect(readdirSync(join(cache, 'npx'))).toEqual([expect.stringMatching(/^1\.2\.3-[0-9a-f]{12}$/)]);
});

test('a package of the same version with other code runs that', async () => {
  const { run, repack } = await unpackedPackage('#!/bin/sh\necho old\n');
  expect(run([]).stdout).toBe('old\n');
  repack('#!/bin/sh\necho new\n');
  expect(run([]).stdout).toBe('new\n');
});

test('a launcher that a signal ended tells of it, and a cache that cannot be written says so', async () => {
  const { folder, run } = await unpackedPackage('#!/bin/sh\nkill -TERM $$\n');
  expect(run([]).status).toBe(143);
  writeFileSync(join(folder, 'file'), '');
  const refused = run([], { SCRIPTORIUM_CACHE: join(folder, 'file') });
  expect(refused).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/cannot write to .*file \(ENOTDIR\); .* SCRIPTORIUM_CACHE/),
  });
});
