/** Files that hold documents of before. Worlds have several servers (`.ci/run`), and so has `servers/stores.it.test.ts`. */
import { expect, test } from 'vitest';
import { client } from '../../editors/automerge-repo/client.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import { serveUsers, until } from '../../tests/served-users.ts';
import type { Backing } from '../server.ts';
import { server } from './server.ts';

const serve = (backing: Backing, documentId: string) => serveUsers({ client, server }, documentId, backing);

test('a server over old files has their document before a newcomer does, and slow writes are waited for at the end', async () => {
  await using folder = await temporaryFolder();
  const backing: Backing = { store: { name: 'files', folder: folder.path }, writeDelayMs: 20 };
  const before = await serve(backing, 'kept');
  const [author, witness] = [await before.join(), await before.join()];
  author.editor.insertText(0, 'kept', 'user');
  // By then the server has it; the rest is its store's.
  await until(() => witness.editor.getText() === 'kept\n');
  await before.leave(author);
  await before.close();
  const after = await serve(backing, 'kept');
  expect((await after.join()).editor.getText()).toBe('kept\n');
  await after.close();
});
