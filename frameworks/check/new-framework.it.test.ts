/**
 * Frameworks made by `new-framework` pass `check` unchanged, also from outside. The project's own is made in a tree that borrows
 * the rest of the project, so that nobody else sees it.
 */
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCoordinator } from '../../harness/trial/coordinator.ts';
import { launchChrome } from '../../harness/users/chrome/chrome.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { scriptorium } from '../../tests/command-line.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { admit } from '../admit.ts';
import { discoverAll } from '../discover.ts';
import type { Framework } from '../framework.ts';
import { buildPageOf } from '../page-build.ts';
import { makeFramework } from '../scaffold/make-framework.ts';
import type { CheckResult } from './conformance.ts';
import { BRIEF_PROPERTIES } from './properties.ts';
import { checkFrameworks } from './suite.ts';

/** The rooms that get the new framework: links would lead back into the project. */
const COPIED = ['editors/base', 'servers'];
const LINKED = ['infra', 'results', 'node_modules', 'package.json', 'package-lock.json'];

const folder = folderOfEachTest();

async function makeInTree(name: string): Promise<Framework> {
  const root = folder.in('tree');
  for (const path of COPIED) await cp(join(PROJECT_ROOT, path), join(root, path), { recursive: true });
  for (const path of LINKED) await symlink(join(PROJECT_ROOT, path), join(root, path));
  await makeFramework({ name, kind: 'relayed', root });
  return (await discoverAll(root)).find((framework) => framework.name === name)!;
}

async function makeOutside(name: string): Promise<string> {
  const path = folder.in('elsewhere', name);
  await mkdir(folder.in('elsewhere'));
  const { stdout } = await scriptorium('new-framework', path, '--kind', 'own-server');
  expect(stdout).toContain(`./scriptorium check ${path}\n`);
  return path;
}

/** As the command, which knows no tree: of what its document does without a page, scaffold/make-framework.it.test.ts tells. */
async function checkInTree(framework: Framework): Promise<CheckResult[]> {
  const chrome = await launchChrome({ show: false });
  const events = { onRecords() {}, onFailed() {}, onDisconnected() {} };
  const page = await startCoordinator({ host: '127.0.0.1', pageFolder: await buildPageOf(framework), events });
  try {
    return await checkFrameworks([framework], {
      browser: chrome.browser,
      pageUrlOf: () => page.pageUrl('127.0.0.1'),
      brief: true,
      mode: 'noquill',
      only: BRIEF_PROPERTIES,
      seed: 2023,
      signal: new AbortController().signal,
      say: () => {},
    });
  } finally {
    await page.close();
    await chrome.close();
  }
}

test('new-framework, then check: every property holds outside, and in the project the page and what it keeps', async () => {
  const [mine, theirs] = [await makeInTree('mine'), await makeOutside('theirs')];
  const [inTree, checked] = await Promise.all([
    checkInTree(mine),
    scriptorium('check', theirs, '--brief', '--mode', 'noquill', '--json'),
  ]);
  // The project keeps no page of it.
  await rm(await buildPageOf((await admit(theirs, { from: folder.path }))!), { recursive: true });
  expect(checked.code, checked.stdout + checked.stderr).toBe(0);
  const results = [...inTree, ...(JSON.parse(checked.stdout) as CheckResult[])];
  // Of presence they say nothing, and their editors have no undo.
  const looked = (property: string) => !['presence', 'own-undo'].includes(property);
  const others = results.flatMap(({ findings }) => findings.filter(({ property }) => looked(property)));
  expect(others.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
  expect(results.map(({ framework, findings }) => [framework, findings.length > 10])).toEqual([
    ['mine', false],
    ['theirs', true],
  ]);
  expect(results[0]!.findings.map(({ property }) => property)).toEqual(expect.arrayContaining([...BRIEF_PROPERTIES]));
});
