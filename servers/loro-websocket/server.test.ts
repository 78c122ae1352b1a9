/** Powers of SimpleServer alone: it refuses a document over an open connection, and listens by itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { client } from '../../editors/loro-websocket/client.ts';
import { serveUsers } from '../../tests/served-users.ts';
import { frameworkServer } from '../listen.ts';
import { serveOn, server } from './server.ts';

const serverWith = (options: Parameters<typeof serveOn>[1]) =>
  frameworkServer((connections) => serveOn(connections, options));

test('a server that refuses the document fails the joining, with its reason', async () => {
  const served = await serveUsers({ client, server: serverWith({ authenticate: async () => null }) });
  await expect(served.join()).rejects.toThrow(
    /^the loro-websocket server does not give the document out: .*Authentication failed/,
  );
  await served.close();
});

test('where it listens by itself, nobody is let in', async () => {
  const host = '127.0.0.1';
  const listening = vi.spyOn(Server.prototype, 'listen');
  const running = await serverWith({}).start({ host, port: 0 });
  const ports = listening.mock.results.map(({ value }) => (value.address() as AddressInfo | null)?.port);
  listening.mockRestore();
  expect(ports).toContain(running.port);
  for (const port of ports) {
    if (port === undefined || port === running.port) continue;
    const refused = await new Promise((resolve) => connect(port, host).on('error', resolve));
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  }
  await running.stop();
});

test('an edit is acknowledged once the server has answered, and stored when it stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loro-'));
  const served = await serveUsers({ client, server }, 'kept', { store: { name: 'sqlite', folder }, writeDelayMs: 20 });
  const author = await served.join();
  author.editor.insertText(0, 'kept', 'user');
  expect(author.replica.isAcknowledged!()).toBe(false);
  await expect.poll(() => author.replica.isAcknowledged!()).toBe(true);
  await served.leave(author);
  await served.restart(() => {});
  expect((await served.join()).editor.getText()).toBe('kept\n');
  await served.close();
  await rm(folder, { recursive: true });
});
