import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { lookAround } from './surroundings.ts';

const folder = folderOfEachTest();

test('a checkout that changes under a run is told once for each change, and in each trial', async () => {
  await folder.put('package-lock.json', '{}');
  await folder.put('servers/yjs/server.ts', 'one');
  const said: string[] = [];
  const look = () => lookAround({ root: folder.path, say: (text) => said.push(text) });
  const before = await look();
  expect(before).toMatchObject({ type: 'surroundings', isCodeOfRun: true, commit: null });
  expect(said).toEqual([]);
  // As after a git pull.
  await folder.put('servers/yjs/server.ts', 'two');
  for (const line of [await look(), await look()]) {
    expect(line).toMatchObject({ isCodeOfRun: false, sources: expect.not.stringMatching(before.sources) });
  }
  expect(said).toEqual([expect.stringMatching(/^warning: the sources of the project changed under this run/)]);
});
