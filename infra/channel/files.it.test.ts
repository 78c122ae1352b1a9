import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { runCommand } from '../process/child.ts';

const folder = folderOfEachTest();

/** Receives a file of 4 KiB in one chunk. */
const RECEIVE = `
import { receiveFiles } from ${JSON.stringify(join(import.meta.dirname, 'files.ts'))};
const files = receiveFiles('trial');
await files.begin('record', 4096);
await files.write(Buffer.alloc(4096));
`;

test('of a chunk that the disk took a part of, no short file is left as a whole one', async () => {
  // The system takes a part of what goes beyond the limit, which is a block or two; then it refuses.
  const limited = ['sh', '-c', 'ulimit -f 1; exec "$0" --input-type=module -e "$1"', process.execPath, RECEIVE];
  await expect(runCommand(limited, { folder: folder.path })).rejects.toThrow('EFBIG');
  expect(await readdir(folder.in('trial'))).toEqual(['record.partial']);
});
