/** Deeds of people beside a run, done to a checkout and to a folder that nobody runs in. */
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf } from '../../infra/code.ts';
import { processName } from '../../results/run-folder/process-name.ts';
import { ownRunFolder } from '../../results/run-folder/run-owner.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { makeCheckout, pull, replacePackages, runElsewhere, tryNamespace, undoPull } from './beside.ts';
import { succeeds } from './disk.ts';
import { makePlaces, removePlaces } from './places.ts';

const folder = folderOfEachTest();

test('in a checkout of its own a pull brings other code, and is undone; packages go and come back', async ({
  skip,
}) => {
  const project = folder.in('project');
  if (!(await succeeds(makeCheckout(project))))
    return skip('it takes git, and temporary files on the disk of packages');
  const [here, begun] = [await codeOf(), await codeOf(project)];
  expect(begun.sources).toBe(here.sources);
  await pull(project);
  const pulled = await codeOf(project);
  expect(pulled.commit).not.toBe(begun.commit);
  expect(pulled.sources).not.toBe(begun.sources);
  await undoPull(project);
  expect(await codeOf(project)).toEqual(begun);
  const replacing = replacePackages(project);
  await expect.poll(() => existsSync(join(project, 'node_modules/yjs/package.json')), { interval: 5 }).toBe(false);
  await replacing;
  expect(existsSync(join(project, 'node_modules/yjs/package.json'))).toBe(true);
});

test('a run in another PID namespace is refused a taken folder, and removes nothing that lives', async ({ skip }) => {
  if (!(await succeeds(tryNamespace()))) return skip('it takes unshare, and the right to use it');
  const { places } = await makePlaces(new Set(['namespace']));
  try {
    const live = await mkdtemp(join(places.temporary, `scriptorium-run-${processName()}-`));
    await folder.put('x.yaml', '{ "name": "x", "scenario": "state", "engines": ["string"], "trials": 1 }');
    await using _owned = await ownRunFolder(places.run);
    const { same, other } = await runElsewhere({ ...places, experiment: folder.in('x.yaml') });
    expect(same.lastWords).toContain('another run writes into');
    expect(same.code).toBe(2);
    expect(other, other.lastWords).toMatchObject({ code: 0 });
    expect(existsSync(live)).toBe(true);
  } finally {
    await removePlaces(places);
  }
});

test('of needs that the machine cannot meet the places tell what they take', async () => {
  const { PATH } = process.env;
  process.env.PATH = folder.path;
  const { places, lacks } = await makePlaces(new Set(['disk', 'checkout', 'namespace'])).finally(() => {
    process.env.PATH = PATH;
  });
  await removePlaces(places);
  expect([...lacks.keys()]).toEqual(['disk', 'checkout', 'namespace']);
  expect(lacks.get('disk')).toMatch(/root/);
});
