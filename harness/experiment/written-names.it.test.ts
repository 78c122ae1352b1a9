/** Frameworks that an experiment names by a place, and fleets that cannot run them. */
import { mkdir } from 'node:fs/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeFrameworkOutside } from '../../frameworks/scaffold/make-framework.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { resolveExperiment } from './experiment-file.ts';
import { problems } from './test-data/resolving.ts';
import { nameFrameworks } from './written-names.ts';

const folder = folderOfEachTest();
beforeEach(() => {
  vi.stubEnv('SCRIPTORIUM_OUTSIDE', undefined);
  return () => vi.unstubAllEnvs();
});

const say = () => {};
const flag = (value: unknown) => ({ flag: '--frameworks', path: ['frameworks'], value });

test('a place in the file is seen from the file, and stands by its name in the plan', async () => {
  await mkdir(folder.in('experiments'));
  await makeFrameworkOutside({ folder: folder.in('ours'), kind: 'relayed' });
  const path = folder.in('experiments/file.yaml');
  const written = { input: { frameworks: ['yjs', '../ours', 'no-such'] }, overrides: [] };
  const { input, frameworks } = await nameFrameworks(written, { path, say });
  expect(input).toEqual({ frameworks: ['yjs', 'ours', 'no-such'] });
  expect(frameworks.find(({ name }) => name === 'ours')).toMatchObject({ kind: 'outside' });

  // One alone, and by a flag, which is seen from the current folder.
  const alone = { input: { frameworks: '../ours', users: 2 }, overrides: [] };
  expect((await nameFrameworks(alone, { path, say })).input).toEqual({ frameworks: 'ours', users: 2 });
  const flags = { input: { frameworks: ['./nowhere'] }, overrides: [flag([folder.in('ours'), 'loro'])] };
  expect((await nameFrameworks(flags, { path, say })).overrides).toEqual([flag(['ours', 'loro'])]);
  // Of two, the last one counts: `capacity ./ours` replaces the campaign's own.
  const twice = { input: {}, overrides: [flag(['yjs']), flag([folder.in('ours')])] };
  expect((await nameFrameworks(twice, { path, say })).overrides).toEqual([flag(['yjs']), flag(['ours'])]);
});

test('a server is for a framework by its place, too', async () => {
  await makeFrameworkOutside({ folder: folder.in('ours'), kind: 'relayed' });
  const server = (framework: string) => ({ framework, url: 'ws://example.org' });
  const path = folder.in('file.yaml');
  const written = { input: { frameworks: './ours', servers: [server('./ours')] }, overrides: [] };
  const { input } = await nameFrameworks(written, { path, say });
  expect(input).toEqual({ frameworks: 'ours', servers: [server('ours')] });
  const at = { flag: '<url>', path: ['servers'], value: [server(folder.in('ours'))] };
  const { overrides } = await nameFrameworks({ input: {}, overrides: [at] }, { path, say });
  expect(overrides).toEqual([{ ...at, value: [server('ours')] }]);
});

test('only where its files can be brought, and not against another version of the project', async () => {
  const frameworks = [
    { name: 'ours', kind: 'outside' as const, about: {} },
    { name: 'yjs', about: {} },
  ];
  const resolve = (more: object) => () => resolveExperiment({ frameworks: ['ours', 'yjs'], ...more }, { frameworks });
  expect(await problems(resolve({}))).toEqual([]);
  expect(await problems(resolve({ fleet: { on: 'compose' } }))).toEqual([]);
  expect(await problems(resolve({ fleet: { on: 'workers' } }))).toEqual([
    'fleet.on: "ours" needs files that are not in this project, but the workers fleet has only the project’s own; write local or compose or fargate, or leave "ours" out',
  ]);
  expect(await problems(resolve({ base: 'HEAD' }))).toEqual([
    'base: "ours" has files that are not in the project, so base and new would be the same; leave it out, or compare versions of a package in one run, as docs/analysis.md says',
  ]);
});
