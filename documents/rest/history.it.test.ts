import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syntheticTrace } from '../../traces/synthetic.ts';
import { editsOf, writeEdits } from '../replay/edits.ts';
import { historyOf, readHistory, writeUpdates } from './history.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'history-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the files give back what was written, and the same bytes each time', async () => {
  const trace = syntheticTrace({ edits: 500 });
  const files = { edits: join(folder, 'edits'), updates: join(folder, 'updates') };
  const { count } = await writeEdits(files.edits, trace, { atMost: 333 });
  await writeUpdates(files);
  const [history, again] = [await readHistory(files), historyOf(editsOf(trace))];
  expect(history.count).toBe(count);
  for (const index of [0, 1, 200, 332])
    expect(history.edit(index)).toEqual({ ...again.edit(index), update: expect.anything() });
  for (let index = 0; index < count; index++) {
    expect(Buffer.compare(history.edit(index).update, again.edit(index).update)).toBe(0);
  }
});

test('files that do not belong together are refused', async () => {
  const files = { edits: join(folder, 'three'), updates: join(folder, 'none') };
  await writeEdits(files.edits, syntheticTrace({ edits: 500 }), { atMost: 3 });
  await writeFile(files.updates, Buffer.alloc(4));
  await expect(readHistory(files)).rejects.toThrow('has 0 updates for 3 edits');
});
