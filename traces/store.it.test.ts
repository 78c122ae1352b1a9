import { readdir, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sha256Of } from '../results/formats/digest.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { traceCacheDirectory } from './cache.ts';
import { addTrace, fetchedTrace, fetchTrace, listTraces, resolveTrace } from './store.ts';

const bytesOf = (endContent: string) => {
  return gzipSync(JSON.stringify({ startContent: '', endContent, txns: [{ patches: [[0, 0, 'a']] }] }));
};
const good = bytesOf('a');

vi.mock('./catalogue.ts', () => {
  // The sha256 of `good` is put in below, once it is known.
  const entry = { name: 'public', address: 'https://traces.invalid/public.json.gz', sha256: '' };
  const CATALOGUE = [{ ...entry, licence: 'CC BY 4.0', author: 'N. N.', description: 'a public one' }];
  return { CATALOGUE, catalogued: (name: string) => CATALOGUE.find((known) => known.name === name) };
});
const { CATALOGUE } = await import('./catalogue.ts');
CATALOGUE[0]!.sha256 = sha256Of(good);

const folder = folderOfEachTest();
let file: string;
beforeEach(async () => {
  vi.stubEnv('SCRIPTORIUM_CACHE', folder.in('cache'));
  file = folder.in('mine.json.gz');
  await writeFile(file, good);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const serve = (bytes: Uint8Array<ArrayBuffer>) => vi.stubGlobal('fetch', async () => new Response(bytes));

test('adds a trace under its file name, finds and lists it', async () => {
  const added = await addTrace(file);
  expect(added).toMatchObject({ name: 'mine', sha256: sha256Of(good), trace: { endContent: 'a' } });
  expect(await resolveTrace('mine')).toEqual(added.trace);
  expect((await listTraces()).map(({ name, state }) => `${name}: ${state}`)).toEqual([
    'synthetic: generated',
    'mine: in cache',
    'public: not fetched',
  ]);
});

test('replaces a trace of the same name and leaves nothing behind', async () => {
  await addTrace(file);
  const other = new TextEncoder().encode('{"startContent":"b","endContent":"b","txns":[]}');
  await writeFile(file, other);
  await addTrace(file);
  expect((await resolveTrace('mine')).endContent).toBe('b');
  expect(await readdir(traceCacheDirectory())).toEqual([`mine.${sha256Of(other)}.trace`]);
});

test('of two that a killed command left under one name the one stored last is taken, if it is whole; the other goes', async () => {
  const put = async (content: Uint8Array, { of = content, atS }: { of?: Uint8Array; atS: number }) => {
    const path = join(traceCacheDirectory(), `mine.${sha256Of(of)}.trace`);
    await writeFile(path, content);
    await utimes(path, atS, atS);
    return path;
  };
  await addTrace(file);
  const kept = await put(new TextEncoder().encode('{"startContent":"b","endContent":"b","txns":[]}'), { atS: 3e9 });
  for (const cut of [null, new Uint8Array()]) {
    if (cut !== null) await put(cut, { of: good, atS: 4e9 });
    expect((await resolveTrace('mine')).endContent).toBe('b');
    expect(await readdir(traceCacheDirectory())).toEqual([basename(kept)]);
  }
});

test('stores nothing that does not replay', async () => {
  await writeFile(file, bytesOf('b'));
  await expect(addTrace(file)).rejects.toThrow(
    /mine\.json\.gz: The replay .* expected "b", saw "a", written by transaction 0/,
  );
  await expect(readdir(traceCacheDirectory())).rejects.toThrow('ENOENT');
});

test.each(['synthetic', '../up', '', '-x'])('refuses the name "%s"', async (name) => {
  await expect(addTrace(file, { name })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('--name'),
  });
});

test('refuses a public name for another content', async () => {
  await addTrace(file, { name: 'public' });
  await writeFile(file, bytesOf('b'));
  await expect(addTrace(file, { name: 'public' })).rejects.toThrow(/name of a public trace with the sha256/);
});

test('says that the cache cannot be used', async () => {
  vi.stubEnv('SCRIPTORIUM_CACHE', file);
  await expect(listTraces()).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('Cannot read') });
  await expect(addTrace(file)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('SCRIPTORIUM_CACHE'),
  });
});

test('fetches a catalogued trace, and knows it afterwards', async () => {
  expect(await fetchedTrace('public')).toBeNull();
  serve(good);
  await fetchTrace('public');
  expect(await fetchedTrace('public')).toMatchObject({ name: 'public', trace: { endContent: 'a' } });
  expect((await resolveTrace('public')).endContent).toBe('a');
});

test('stores nothing that has another sha256 than the catalogue', async () => {
  serve(bytesOf('b'));
  await expect(fetchTrace('public')).rejects.toThrow(/served something else/);
  await expect(readdir(traceCacheDirectory())).rejects.toThrow('ENOENT');
});

test('says how to get a trace that is not here', async () => {
  await expect(fetchTrace('mine')).rejects.toThrow(/The catalogue has no trace "mine". It has: public/);
  await expect(resolveTrace('public')).rejects.toThrow(/traces fetch public(.|\n)*traces add public\.json\.gz/);
  await expect(resolveTrace('mine')).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/no trace "mine". Known are: synthetic, public. .*traces add FILE --name mine/),
  });
});

test('notices a stored trace that was changed', async () => {
  const { path } = await addTrace(file);
  await writeFile(path, bytesOf('b'));
  await expect(resolveTrace('mine')).rejects.toThrow(/is damaged/);
});

test('always has the synthetic trace', async () => {
  expect((await resolveTrace('synthetic')).txns.length).toBeGreaterThanOrEqual(30_000);
});
