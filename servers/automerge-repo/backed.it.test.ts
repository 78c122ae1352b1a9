/** Several servers of automerge-repo, and files that hold documents of before. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { client } from '../../editors/automerge-repo/client.ts';
import { type ServedUsers, serveUsers, until } from '../../tests/served-users.ts';
import type { Backing } from '../server.ts';
import { server } from './server.ts';

const serve = (backing: Backing, documentId: string): Promise<ServedUsers> =>
  serveUsers({ client, server: { start: (options) => server.start({ ...options, backing }) } }, documentId);

test('three servers share a document, and one that comes back has it', async () => {
  const servers: ServedUsers[] = [];
  const peers = () => servers.map((served) => `ws://127.0.0.1:${served.server.port}`);
  for (let index = 0; index < 3; index++) {
    servers.push(await serve({ writeDelayMs: 0, together: { index, count: 3, peers: peers() } }, 'shared'));
  }
  const users = await Promise.all(servers.map((served) => served.join()));
  for (const [index, { editor }] of users.entries()) editor.insertText(0, `${index} `, 'user');
  const texts = () => users.map(({ editor }) => editor.getText());
  await until(() => new Set(texts()).size === 1 && texts()[0]!.length === 7);

  await servers[2]!.leave(users[2]!);
  await servers[2]!.restart(() => {});
  const [first] = texts();
  const late = await servers[2]!.join();
  await until(() => late.editor.getText(), first);
  await Promise.all(servers.map((served) => served.close()));
});

test('a server over old files has their document before a newcomer does, and slow writes are waited for at the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'automerge-repo-'));
  try {
    const backing: Backing = { store: { name: 'files', folder }, writeDelayMs: 20 };
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
  } finally {
    await rm(folder, { recursive: true });
  }
});
