/**
 * The programs of `docs/findings/` run with the packages installed here, and show what their pages say. Some count on what a server
 * does within a pause, which takes cores to spare.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';
import { findStoreProgram } from '../infra/stores/find.ts';
import { startStoreProgram } from '../infra/stores/program.ts';
import { temporaryFolder } from './folders.ts';

const FOLDER = join(PROJECT_ROOT, 'docs/findings');
/** So that an author of the library can read one at a glance. */
const MOST_LINES = 34;

const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.mjs'));

async function shownBy(file: string, { args = [], environment = {} }: { args?: string[]; environment?: object } = {}) {
  const options = { env: { ...process.env, ...environment } };
  const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, file), ...args], options);
  return JSON.parse(stdout);
}

const hasNoRedis = 'problem' in (await findStoreProgram('redis'));

describe.concurrent('findings', () => {
  test.each(files)('%s is short, and its page names the versions that are installed here', async (file) => {
    const program = await readFile(join(FOLDER, file), 'utf8');
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
    const page = await readFile(join(FOLDER, file.replace('.mjs', '.md')), 'utf8');
    const install = /^npm i (.+)$/m.exec(page)![1]!.split(' ');
    for (const [, name] of program.matchAll(/^import .* from '(?!node:)((?:@[^/]+\/)?[^/']+).*';$/gm)) {
      const { version } = JSON.parse(await readFile(join(PROJECT_ROOT, 'node_modules', name!, 'package.json'), 'utf8'));
      expect(install).toContain(`${name}@${version}`);
    }
  });

  test('automerge-repo leaves a client behind whose message was lost, unless documents are announced', async () => {
    const [hidden, announced] = await Promise.all([
      shownBy('automerge-repo-lost-message.mjs'),
      shownBy('automerge-repo-lost-message.mjs', { args: ['announce'] }),
    ]);
    expect(hidden).toMatchObject({ ada: 'after', ben: 'before' });
    expect(announced).toMatchObject({ ada: 'after', ben: 'after' });
    expect(hidden.messages).toBeGreaterThan(announced.messages);
  });

  test('automerge-repo closes no connection that it gave up while it opened', async () => {
    expect(await shownBy('automerge-repo-left-sockets.mjs')).toEqual({ connections: 3, peers: 1 });
  });

  test('Automerge takes in a character of a long document several times as slowly', async () => {
    const { ratio } = await shownBy('automerge-long-document.mjs');
    expect(ratio).toBeGreaterThan(4);
  });

  test('SimpleServer of Loro takes the edits of one load with the next', async () => {
    const shown = await shownBy('loro-websocket-second-load.mjs');
    expect(shown).toEqual({ ada: 'ada and stored', ben: 'stored', eve: 'stored' });
  });

  test('Hocuspocus’ provider does not count an edit that waits after a break', async () => {
    const shown = await shownBy('hocuspocus-uncounted-change.mjs');
    expect(shown).toEqual({ typed: 'and offline', hasUnsynced: false, server: 'offline' });
  });

  async function shownWithRedis(file: string) {
    await using folder = await temporaryFolder();
    const redis = await startStoreProgram('redis', { folder: folder.in('broker'), isBroker: true });
    try {
      const { port, password } = new URL(redis.url);
      return await shownBy(file, { environment: { REDIS_PORT: port, REDIS_PASSWORD: password } });
    } finally {
      await redis.stop();
    }
  }

  test.skipIf(hasNoRedis).each([
    ['does not store an edit that all have seen', 'skipped-store', { ben: 'ada and ben', stored: 'ben' }],
    ['leaves out an edit that it missed while Redis was away', 'missed-update', { ben: '', later: 'ada again' }],
  ])('Hocuspocus %s', async (_finding, program, expected) => {
    const shown = await shownWithRedis(`hocuspocus-${program}.mjs`);
    expect(shown).toEqual({ ...expected, adaHasUnsynced: false });
  });

  test.skipIf(hasNoRedis)('a server of ShareDB where one comes as the last leaves hears no other', async () => {
    expect(await shownWithRedis('sharedb-lost-subscription.mjs')).toEqual({
      later: { second: [1, 2], third: [2] },
      atOnce: { second: [], third: [] },
    });
  });

  test('Loro replays what an author did who never took in anything', async () => {
    const { ratio } = await shownBy('loro-blind-fork.mjs');
    expect(ratio).toBeGreaterThan(3);
  });
});
