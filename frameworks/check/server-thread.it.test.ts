import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { startServerThread } from './server-thread.ts';

const folder = folderOfEachTest();

test.each([
  ['ends its thread', 'process.exit(4);', 4],
  ['waits for what never comes', 'await new Promise(() => {});', 13],
])('a server that %s as it is loaded is told with its code', async (_what, text, code) => {
  await folder.put('server.mjs', text);
  const server = folder.in('server.mjs');
  const started = startServerThread({ name: 'mine', kind: 'outside', client: '', server });
  await expect(started).rejects.toThrow(
    `the server of mine ended with code ${code} before it listened; look in ${server}`,
  );
});
