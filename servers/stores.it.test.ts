/** Documents that outlive their server, and documents of several servers: by all that frameworks declare, with their own clients. */
import { glob, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { isStoreProgram, type KeptStore, type StoreProgramName } from '../editors/base/stores.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { withNeedsMet } from '../frameworks/needs.ts';
import { createDatabase } from '../infra/stores/database.ts';
import { findStoreProgram } from '../infra/stores/find.ts';
import { type StoreProgram, startStoreProgram } from '../infra/stores/program.ts';
import { folderOfAllTests } from '../tests/folders.ts';
import { pause, type ServedUsers, serveUsers, until } from '../tests/served-users.ts';
import type { Backing, StorePlace } from './server.ts';

const leftOut: string[] = [];
const frameworks = await withNeedsMet(await discoverFrameworks(), { say: (text) => leftOut.push(text) });
const kept = frameworks.flatMap(({ name, about }) =>
  Object.keys(about.stores ?? {}).map((store) => [name, store as KeptStore] as const),
);
const several = frameworks.flatMap(({ name, about: { severalServers } }) =>
  severalServers === undefined ? [] : [[name, severalServers] as const],
);
test.skipIf(leftOut.length > 0)(['all are tried', ...leftOut].join('; '), () => {
  expect(kept.length).toBeGreaterThan(several.length);
});

const folder = folderOfAllTests();
const programs = new Map<StoreProgramName, Promise<StoreProgram>>();
afterAll(async () => {
  for (const program of programs.values()) await (await program).stop();
});

const servers: ServedUsers[] = [];
afterEach(async () => {
  for (const served of servers.splice(0).reverse()) await served.close();
});

async function serve(framework: string, backing: Backing, documentId?: string): Promise<ServedUsers> {
  const served = await serveUsers(framework, documentId, backing);
  servers.push(served);
  return served;
}

/** The address of a program that all tests share. A Redis is but a broker. */
async function urlOf(name: StoreProgramName): Promise<string> {
  const program =
    programs.get(name) ?? startStoreProgram(name, { folder: folder.in(name), isBroker: name === 'redis' });
  programs.set(name, program);
  return (await program).url;
}

let places = 0;

async function placeIn(name: KeptStore): Promise<StorePlace> {
  const place = `place_${places++}`;
  if (isStoreProgram(name)) return { name, url: (await createDatabase(await urlOf(name), place)).url };
  await mkdir(folder.in(place));
  return { name, folder: folder.in(place) };
}

/** Why a program is not there; null if all are. */
async function lackOf(names: readonly (KeptStore | undefined)[]): Promise<string | null> {
  for (const name of names) {
    if (name === undefined || !isStoreProgram(name)) continue;
    const found = await findStoreProgram(name);
    if ('problem' in found) return found.problem;
  }
  return null;
}

/** So long after the last edit, a store that writes each as it comes has begun; then it is quiet only if all are written. */
const QUIET_MS = 300;

async function untilWritten(place: StorePlace): Promise<void> {
  await pause(QUIET_MS);
  if (!('folder' in place)) return;
  const changedMs = async () => {
    const files = await Array.fromAsync(glob('**', { cwd: place.folder }));
    // A journal may be gone by now.
    const stats = await Promise.all(files.map((file) => stat(join(place.folder, file)).catch(() => null)));
    return Math.max(...stats.map((found) => found?.mtimeMs ?? 0));
  };
  while (Date.now() - (await changedMs()) < QUIET_MS) await pause(QUIET_MS / 10);
}

describe.each(kept)('%s keeps documents in %s', (framework, store) => {
  test('who comes to the next server reads what was typed at the last, and goes on with it', async ({ skip }) => {
    const lack = await lackOf([store]);
    if (lack !== null) return skip(lack);
    const place = await placeIn(store);
    const served = await serve(framework, { store: place, writeDelayMs: 20 });
    const author = await served.join();
    for (const [index, key] of [...'kept'].entries()) author.editor.insertText(index, key, 'user');
    author.editor.formatText(0, 2, { bold: true }, 'user');
    const reader = await served.join();
    const typed = author.editor.getContents().ops;
    await until(() => reader.editor.getContents().ops, typed);
    await untilWritten(place);
    for (const user of [author, reader]) await served.leave(user);
    await served.restart(() => {});
    const late = await served.join();
    await until(() => late.editor.getContents().ops, typed);
    late.editor.insertText(4, '!', 'user');
    const another = await served.join();
    await until(() => another.editor.getText(), 'kept!\n');
  });
});

describe.each(several)('several servers of %s', (framework, { needsRedis, needsStore }) => {
  test('pass edits on to one another’s users, and to who comes later', async ({ skip }) => {
    const lack = await lackOf([needsRedis && 'redis', needsStore]);
    if (lack !== null) return skip(lack);
    const store = needsStore === undefined ? undefined : await placeIn(needsStore);
    const redis = needsRedis ? await urlOf('redis') : undefined;
    const peers: string[] = [];
    const serveNext = async () => {
      const together = { index: peers.length, count: 2, redis, peers: [...peers] };
      const served = await serve(framework, { store, writeDelayMs: 0, together }, `shared-${framework}`);
      peers.push(`ws://127.0.0.1:${served.server.port}`);
      return served;
    };
    const [here, there] = [await serveNext(), await serveNext()];
    const near = await here.join();
    const far = await there.join();
    near.editor.insertText(0, 'near', 'user');
    await until(() => far.editor.getText(), 'near\n');
    far.editor.insertText(0, 'far and ', 'user');
    await until(() => near.editor.getText(), 'far and near\n');
    const late = await there.join();
    await until(() => late.editor.getText(), 'far and near\n');
  });
});
