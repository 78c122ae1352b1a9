/** Frameworks from outside the project: what is one, what is none, and that nothing of it is stale. */
import { execFileSync } from 'node:child_process';
import { glob, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { admit } from './admit.ts';
import { ABOUT } from './test-data/small-project.ts';

const folder = folderOfEachTest();
const { put } = folder;
beforeEach(() => void vi.stubEnv('SCRIPTORIUM_OUTSIDE', undefined));
afterEach(() => void vi.unstubAllEnvs());

const CLIENT = `
import Delta from 'quill-delta';
import { unpackLineFormats } from 'scriptorium/client';
import { said } from 'library';
export const client = { join: async () => said, load: () => unpackLineFormats(new Delta()) };`;

async function putFramework(name: string, { about = {}, client = CLIENT, server = '' } = {}): Promise<void> {
  await put(`${name}/package.json`, JSON.stringify({ name, version: '0.3.0', type: 'module' }));
  await put(`${name}/about.ts`, `export const about = ${JSON.stringify({ ...ABOUT, package: 'library', ...about })};`);
  await put(`${name}/client.ts`, client);
  await put(`${name}/server.ts`, server || `export { relay as server } from 'scriptorium/server';`);
  await put('library/package.json', '{ "name": "library", "version": "1.2.3", "type": "module" }');
  await put('library/index.js', `export const said = 'as it was';`);
  await mkdir(folder.in(name, 'node_modules'), { recursive: true });
  await symlink(folder.in('library'), folder.in(name, 'node_modules/library')).catch(() => {});
}

const admitHere = (written: string) => admit(written, { from: folder.path });

/** The scripts of its page, as a command of its own bundles it. */
async function bundled(name: string): Promise<string> {
  const script = `
    const { admit } = await import('./frameworks/admit.ts');
    const { buildPageOf } = await import('./frameworks/page-build.ts');
    console.log(await buildPageOf(await admit(${JSON.stringify(folder.in(name))}, { from: '/' })));`;
  const page = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }).trim();
  const scripts = await Array.fromAsync(glob('assets/*.js', { cwd: page }));
  const texts = await Promise.all(scripts.map((file) => readFile(join(page, file), 'utf8')));
  await rm(page, { recursive: true });
  return texts.join('\n');
}

test('what a half prints while it is loaded is no reason against it', async () => {
  const server = `console.debug('hello'); process.stdout.write('ho'); export { relay as server } from 'scriptorium/server';`;
  await putFramework('talkative', { server });
  expect(await admitHere('./talkative')).toMatchObject({ name: 'talkative', problem: null });
});

test('a folder is a framework, by its name and its package’s version, with packages of its own', async () => {
  const ofProject = { instrument: true, needs: { python: '3.11' } };
  await putFramework('ours', { about: { ...ofProject, crowd: { kind: 'recorded', why: 'It says so.' } } });
  const found = await admitHere('./ours');
  expect(found).toMatchObject({ name: 'ours', kind: 'outside', version: '1.2.3', problem: null });
  expect(found!.about).toMatchObject({ algorithm: 'A', crowd: { kind: 'live' } });
  expect(found!.about.instrument).toBeUndefined();
  // Python's packages are those of a folder of the project.
  expect(found!.about.needs).toBeUndefined();
  expect(JSON.parse(process.env.SCRIPTORIUM_OUTSIDE!)).toEqual({ ours: folder.in('ours') });
  expect(await admitHere('yjs')).toMatchObject({ kind: 'project' });
  expect(await admitHere('there-is-no-such-package')).toBeNull();
});

test('an installed package is a framework, in JavaScript', async () => {
  await put('node_modules/@me/engine/package.json', '{ "name": "@me/engine", "version": "4.5.6", "type": "module" }');
  await put('node_modules/@me/engine/about.js', `export const about = ${JSON.stringify({ ...ABOUT, package: null })};`);
  await put('node_modules/@me/engine/client.mjs', 'export const client = { join() {} };');
  await put('node_modules/@me/engine/server.js', `export { relay as server } from 'scriptorium/server';`);
  expect(await admitHere('@me/engine')).toMatchObject({ name: 'me-engine', version: '4.5.6', problem: null });

  await put('node_modules/typed/about.ts', 'export const about = {};');
  await put('node_modules/typed/client.ts', '');
  await put('node_modules/typed/server.ts', '');
  await put('node_modules/typed/package.json', '{ "name": "typed" }');
  await expect(admitHere('typed')).rejects.toThrow(/is TypeScript below node_modules, which Node does not run; give/);
});

test('users in one Node process cannot tell one another edits past the server, by lib0', async () => {
  await putFramework('ours', {
    client: `
      import { createRequire } from 'node:module';
      import * as imported from 'lib0/broadcastchannel';
      const required = createRequire(import.meta.url)('lib0/broadcastchannel');
      export const client = {
        join({ onHeard }) {
          for (const channel of [imported, required]) channel.subscribe('room', onHeard);
          for (const channel of [imported, required]) channel.publish('room', 'an edit');
        },
      };`,
  });
  await symlink(join(PROJECT_ROOT, 'node_modules/lib0'), folder.in('ours/node_modules/lib0'));
  const script = `
    const { admit } = await import('./frameworks/admit.ts');
    const { loadClient } = await import('./frameworks/framework.ts');
    const client = await loadClient(await admit(${JSON.stringify(folder.in('ours'))}, { from: '/' }));
    for (const user of ['ada', 'ben']) client.join({ onHeard: () => console.log(user + ' heard') });
    console.log('all joined');
    process.exit();`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(said).toBe('all joined\n');
});

test('a linked library that was built again is in the next page', async () => {
  await putFramework('ours');
  expect(await bundled('ours')).toContain('as it was');
  await put('library/index.js', `export const said = 'as it is now';`);
  const page = await bundled('ours');
  expect(page).toContain('as it is now');
  expect(page).not.toContain('as it was');
});

test('a client that imports a module of Node’s is told when its page is bundled', async () => {
  await putFramework('ours', {
    client: `import { readFileSync } from 'node:fs'; export const client = { join: () => readFileSync('a') };`,
  });
  await expect(bundled('ours')).rejects.toThrow(
    /the client of ours cannot be bundled for a page: .*client\.ts imports "node:fs", a module of Node’s/,
  );
});

test('what is no framework is told in a sentence', async () => {
  const refused = (written: string, message: string) =>
    expect(admitHere(written), message).rejects.toMatchObject({ message: expect.stringContaining(message) });
  await refused(
    './nowhere',
    `there is no folder ${folder.path}/nowhere; give the folder of a framework (it holds about, client`,
  );

  await put('half/about.ts', '');
  await refused(
    './half',
    'half holds no framework: there is no client.ts or client.js in it; it needs about, client and',
  );

  await putFramework('mute');
  await put('mute/about.ts', 'export const other = 1;');
  await refused('./mute', 'mute/about.ts exports no "about"; it needs one');

  await putFramework('grey', { about: { colour: { light: 'grey', dark: '#000000' } } });
  await refused('./grey', 'grey cannot be used: about.colour.light must be a colour such as "#0072b2"');

  const issue = { summary: 'It is slow.', properties: ['random'] };
  const worlds = { invariants: ['agree'], after: ['cut'] };
  await putFramework('misspelt', { about: { knownIssue: [] } });
  await refused('./misspelt', 'about must be without "knownIssue"; its keys are "package", ');
  await putFramework('storing', { about: { stores: { mysql: { by: 'A', writes: 'B' } } } });
  await refused('./storing', 'about.stores must be means by the names of stores: sqlite, ');
  await putFramework('shown', { about: { presence: { with: 'A' } } });
  await refused('./shown', 'about.presence must be { by: a text } or { lacking: a text }');
  await putFramework('hasty', { about: { knownIssues: [{ ...issue, world: worlds }] } });
  await refused('./hasty', 'about.knownIssues.0 must be without "world"; its keys are "summary", "properties", "says"');
  await putFramework('hurried', { about: { knownIssues: [issue, { ...issue, properties: ['randon'] }] } });
  await refused('./hurried', 'about.knownIssues.1.properties has "randon"; write some of formats, ');
  await putFramework('brisk', {
    about: { knownIssues: [{ ...issue, worlds: { ...worlds, invariants: ['agrees'] } }] },
  });
  await refused('./brisk', 'about.knownIssues.0.worlds.invariants has "agrees"; write some of sound, quiet, ');
  await putFramework('rapid', { about: { knownIssues: [{ ...issue, worlds: { ...worlds, after: ['cuts'] } }] } });
  await refused('./rapid', 'about.knownIssues.0.worlds.after has "cuts"; write some of insert, ');

  await putFramework('torn');
  await put('torn/package.json', '{ "name": ');
  await refused('./torn', `${folder.path}/torn/package.json cannot be read as JSON: `);
  await putFramework('numbered');
  await put('numbered/package.json', '{ "name": 7 }');
  await refused('./numbered', `${folder.path}/numbered/package.json: its name must be a text, and is 7; mend it`);

  await putFramework('clientless', { client: 'export const customer = 1;' });
  await refused(
    './clientless',
    `clientless cannot be used: ${folder.path}/clientless/client.ts exports no "client"; docs/`,
  );

  await putFramework('serverless', { server: 'export const server = { start() {} };' });
  await refused(
    './serverless',
    `the "server" that ${folder.path}/serverless/server.ts exports has no function "serve"`,
  );

  await putFramework('bare', { about: { package: 'unheard-of' } });
  await refused(
    './bare',
    `bare cannot be used: its package "unheard-of" is not installed; run npm install in ${folder.path}/bare`,
  );

  await putFramework('yjs');
  await refused('./yjs', 'two frameworks are named "yjs": the project’s own and');

  await putFramework('twin');
  await putFramework('deeper/twin');
  await put('deeper/twin/package.json', '{ "name": "twin" }');
  await admitHere('./twin');
  await refused(
    './deeper/twin',
    `two frameworks are named "twin": ${folder.path}/twin and ${folder.path}/deeper/twin; give one`,
  );

  await putFramework('a b');
  await refused('./a b', 'cannot be named "a b": letters, digits');
});
