import { existsSync, readFileSync } from 'node:fs';
import { chmod, readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { figuresSchema } from '../../results/formats/figures.ts';
import { FIGURES_FILE, recordPath, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { sent, shown, typing, writeHandMadeTrial } from '../test-data/hand-made-trial.ts';
import { soundTrial, user } from '../test-data/sound-trial.ts';
import { analyseTrial, readTrial } from './analyse-trial.ts';
import { ANALYSIS_SOURCES, originOf, readFigures } from './figures-file.ts';

const directory = folderOfEachTest();
beforeEach(async () => {
  await writeHandMadeTrial(directory.path, soundTrial());
});

const path = () => directory.in(FIGURES_FILE);
const read = (keeps = false) => readTrial(directory.path, { keeps });
/** Then a reader goes back to the records, which takes most of a second. */
const isOutOfDate = async (limits: Parameters<typeof readFigures>[2] = {}) =>
  (await readFigures(directory.path, await originOf(directory.path), limits)) === null;

/** Tells a file that was read from records that were. */
async function markFile(changes: object): Promise<void> {
  await writeFile(path(), JSON.stringify({ ...JSON.parse(await readFile(path(), 'utf8')), ...changes }));
}

test('a trial is read once: its files say what its records do', async () => {
  const lines = [typing(15_000, { offered: 10, performed: 9 }), sent('0000@', 12_000), shown('0000@', 12_016.25)];
  await writeHandMadeTrial(directory.path, soundTrial({ users: [user(...lines), user(shown('0000@', 12_030))] }));
  const fromRecords = await read();
  expect(existsSync(path())).toBe(false);
  expect(await analyseTrial(directory.path)).toEqual(fromRecords.verdict);
  expect(JSON.parse(await readFile(directory.in(VERDICT_FILE), 'utf8'))).toEqual(fromRecords.verdict);
  expect(figuresSchema.safeParse(JSON.parse(await readFile(path(), 'utf8'))).success).toBe(true);
  expect(await read()).toEqual(fromRecords);
  expect(fromRecords.measured!.samples.localLatencyMs).toEqual(Float64Array.of(16.25));
  expect(fromRecords.measured!.buckets).toHaveLength(2);
  await markFile({ version: 'of the file' });
  expect(await read()).toMatchObject({ version: 'of the file' });
});

test('a trial that is not valid has figures, too', async () => {
  await writeHandMadeTrial(directory.path, soundTrial({ proof: 'not-reached' }));
  expect(await read()).toMatchObject({ verdict: { verdict: 'failed' }, measured: { columns: {} } });
});

test('a trial whose records cannot be read is unknown, and says why', async () => {
  await writeFile(recordPath(directory.path, 'user-001'), 'x');
  expect(await read()).toMatchObject({
    verdict: { verdict: 'unknown', reasons: [{ code: 'unreadable', message: expect.stringContaining('user-001') }] },
    version: '1.2.3',
    measured: null,
  });
});

test('figures whose samples are none, or too many, are made again', async () => {
  await analyseTrial(directory.path);
  const known = await read();
  const many = deflateRawSync(Buffer.alloc(2 ** 16), { level: 1 }).toString('base64');
  const bomb = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, many]));
  const { measured } = JSON.parse(await readFile(path(), 'utf8'));
  await markFile({ version: 'of the file', measured: { ...measured, samples: bomb } });
  // Each by itself would be let in.
  expect(await isOutOfDate({ mostUnpackedBytes: 2 ** 19 })).toBe(true);
  expect(await isOutOfDate({ mostUnpackedBytes: 2 ** 20 })).toBe(false);
  await markFile({ measured: { ...measured, samples: { localLatencyMs: 'AAAA' } } });
  expect(await read(true)).toEqual(known);
});

test('other records, another analysis, another form or no JSON at all: the records are read again', async () => {
  await analyseTrial(directory.path);
  const written = await readFile(path(), 'utf8');
  for (const changes of [{ records: 'others' }, { analysis: 'another' }, { schemaVersion: 0 }, { measured: 7 }]) {
    await writeFile(path(), written);
    await markFile({ version: 'of the file', ...changes });
    expect(await isOutOfDate(), JSON.stringify(changes)).toBe(true);
  }
  expect(await read(true)).toMatchObject({ version: '1.2.3' });
  expect(await readFile(path(), 'utf8')).not.toContain('of the file');
  // Only one who keeps writes.
  await writeFile(path(), '{');
  expect(await read()).toMatchObject({ version: '1.2.3' });
  expect(await readFile(path(), 'utf8')).toBe('{');
  const record = recordPath(directory.path, 'user-001');
  await writeFile(path(), written);
  await truncate(record, (await readFile(record)).length - 12);
  expect(await read()).toMatchObject({ verdict: { verdict: 'unknown' } });
});

test('a folder that cannot be written to is read all the same', async () => {
  await chmod(directory.path, 0o500);
  expect(await read(true)).toMatchObject({ verdict: { verdict: 'valid' } });
  await chmod(directory.path, 0o700);
});

test('a change of any source that an analysis imports is seen', () => {
  const root = join(import.meta.dirname, '../..');
  const seen = new Set<string>();
  const follow = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)) {
      follow(join(dirname(file), target!));
    }
  };
  follow(join(import.meta.dirname, 'analyse-trial.ts'));
  const others = [...seen].map((file) => relative(root, file)).filter((file) => !matchesGlob(file, ANALYSIS_SOURCES));
  expect(seen.size).toBeGreaterThan(20);
  // Modules that read, write and quote files of any content.
  expect(others.sort()).toEqual([
    'results/foreign-text.ts',
    'results/run-folder/run-files.ts',
    'results/user-error.ts',
  ]);
});
