import { existsSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test, vi } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { openRecordWriter, readRecordFile } from './record-file.ts';
import type { RecordLine } from './records.ts';

const folder = folderOfEachTest();
let path: string;
beforeEach(() => {
  path = folder.in('records', 'user-000.ndjson.gz');
});

function shown(count: number): RecordLine[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'sigil-shown',
    sigil: `${String(index % 10_000).padStart(4, '0')}@`,
    shownMs: 1000 + index,
  }));
}

async function readUntilError(file: string): Promise<{ lines: RecordLine[]; error: Error | null }> {
  const lines: RecordLine[] = [];
  try {
    for await (const line of readRecordFile(file)) lines.push(line);
    return { lines, error: null };
  } catch (error) {
    return { lines, error: error as Error };
  }
}

test('what is written is read again, in order, single lines and many', async () => {
  const lines = shown(5000);
  const writer = openRecordWriter(path);
  writer.write(lines[0]!);
  writer.write(lines.slice(1));
  await writer.close();
  expect(await Array.fromAsync(readRecordFile(path))).toEqual(lines);
});

test('lines are on the disk before the record is closed', async () => {
  const writer = openRecordWriter(path);
  writer.write(shown(3));
  await expect.poll(async () => (await readFile(path)).length).toBeGreaterThan(20);
  const { lines, error } = await readUntilError(path);
  expect(lines).toEqual(shown(3));
  expect(error?.message).toMatch(/user-000\.ndjson\.gz, line 4: the record is cut off here/);
  await writer.close();
  expect((await readUntilError(path)).error).toBeNull();
});

test('a record that was cut off yields its whole lines, then says where', async () => {
  const writer = openRecordWriter(path);
  writer.write(shown(2000));
  await writer.close();
  await truncate(path, Math.floor((await readFile(path)).length / 2));
  const { lines, error } = await readUntilError(path);
  expect(lines.length).toBeGreaterThan(100);
  expect(lines).toEqual(shown(2000).slice(0, lines.length));
  expect(error?.message).toContain(`line ${lines.length + 1}: the record is cut off here`);
});

test('a line that is no record line is named with what is wrong', async () => {
  const file = folder.in('bad.ndjson.gz');
  const good = JSON.stringify(shown(1)[0]);
  await writeFile(file, gzipSync(`${good}\n{"type":"sigil-shown","sigil":"0000@"}\n`));
  expect((await readUntilError(file)).error?.message).toMatch(/line 2: not a line of a record:[\s\S]*shownMs/);
  await writeFile(file, gzipSync(`${good}\nnonsense\n`));
  expect((await readUntilError(file)).error?.message).toMatch(/line 2: not JSON: nonsense/);
  await writeFile(file, gzipSync(`{"type":"subject","schemaVersion":1}\n`));
  expect((await readUntilError(file)).error?.message).toMatch(
    /line 1: it is of schema version 1, but this version of the project reads 2; read it with/,
  );
  await writeFile(file, 'plain text');
  expect((await readUntilError(file)).error?.message).toMatch(/line 1: the file cannot be unpacked/);
});

test('a record that is larger than any, however small it was packed, is refused', async () => {
  const file = folder.in('bomb.ndjson.gz');
  await writeFile(file, gzipSync(' '.repeat(9 * 2 ** 20)));
  expect((await readUntilError(file)).error?.message).toMatch(/line 1: the record, or this line, is larger than any/);
  const long = gzipSync(`${JSON.stringify(shown(1)[0])}${' '.repeat(2 ** 20)}\n`);
  await writeFile(file, Buffer.concat(Array(129).fill(long)));
  expect((await readUntilError(file)).error?.message).toMatch(/line 128: the record, or this line, is larger than any/);
});

test('closing twice is safe, writing after closing is a mistake', async () => {
  const writer = openRecordWriter(path);
  await writer.close();
  await writer.close();
  expect(() => writer.write(shown(1))).toThrow(/is closed/);
});

test.skipIf(!existsSync('/dev/full'))('a full disk is told at once, and again at closing', async () => {
  const onError = vi.fn();
  const writer = openRecordWriter('/dev/full', { onError });
  writer.write(shown(20_000));
  await expect(writer.close()).rejects.toThrow(/ENOSPC/);
  expect(onError).toHaveBeenCalledOnce();
});
