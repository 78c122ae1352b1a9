import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../tests/folders.ts';
import { parseTrace, readTraceBytes } from './format.ts';

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const sequential = { startContent: '', endContent: 'a', txns: [{ time: '2021-04-19', patches: [[0, 0, 'a']] }] };

const folder = folderOfEachTest();

test('reads a trace plain and gzipped, whatever its name', async () => {
  const path = folder.in('any');
  for (const bytes of [bytesOf(sequential), gzipSync(bytesOf(sequential))]) {
    await writeFile(path, bytes);
    expect(await parseTrace(await readTraceBytes(path), path)).toEqual({ kind: 'sequential', ...sequential });
  }
});

test('says which file cannot be read', async () => {
  await expect(readTraceBytes(folder.in('none'))).rejects.toMatchObject({
    name: 'UserError',
    exitCode: 2,
    message: expect.stringMatching(/Cannot read the trace file .*none: there is no such file/),
  });
});

test.each([
  ['no JSON', new TextEncoder().encode('{'), /f is no trace: it is not JSON/],
  ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), /f is no trace: it is not JSON in UTF-8/],
  ['a damaged archive', gzipSync(bytesOf(sequential)).subarray(0, 20), /f cannot be unpacked .*damaged/],
  ['no object', bytesOf(3), /the file: .*expected object.*; saw 3/],
  ['another kind', bytesOf({ kind: 'graph' }), /kind is "graph"; valid are "concurrent"/],
  ['a missing part', bytesOf({ startContent: '', txns: [] }), /endContent: .*; saw nothing/],
  [
    'a bad position',
    bytesOf({ ...sequential, txns: [{ patches: [[-1, 0, 'a']] }] }),
    /txns\[0\]\.patches\[0\]\[0\]: .*>=0; saw -1/,
  ],
  ['half a surrogate pair', bytesOf({ ...sequential, endContent: '\ud83d' }), /endContent: holds half of a surrogate/],
  [
    'a parent that comes later',
    bytesOf({ kind: 'concurrent', numAgents: 1, endContent: '', txns: [{ parents: [0], agent: 0, patches: [] }] }),
    /txns\[0\]\.parents\[0\]: expected an earlier transaction \(below 0\); saw 0/,
  ],
  [
    'an unknown agent',
    bytesOf({ kind: 'concurrent', numAgents: 2, endContent: '', txns: [{ parents: [], agent: 2, patches: [] }] }),
    /txns\[0\]\.agent: expected an agent below numAgents \(2\); saw 2/,
  ],
])('refuses %s', async (_, bytes, message) => {
  await expect(parseTrace(bytes, 'f')).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
});

test('shows the first faults and counts the others', async () => {
  const txns = Array.from({ length: 10 }, () => ({ patches: [['x', 0, '']] }));
  await expect(parseTrace(bytesOf({ ...sequential, txns }), 'f')).rejects.toThrow(/txns\[2\](.|\n)*and 7 more/);
});
