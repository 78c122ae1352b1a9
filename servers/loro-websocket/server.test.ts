/** Powers of SimpleServer alone: it refuses a document over an open connection, and listens by itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { client } from '../../editors/loro-websocket/client.ts';
import { listen, webSocketsOn } from '../listen.ts';
import type { Backing, RunningServer } from '../server.ts';
import { serveOn, server } from './server.ts';

const HOST = '127.0.0.1';

let running: RunningServer;
let end: () => Promise<void>;
afterEach(async () => {
  await running.stop();
  await end();
});

async function start(options: Parameters<typeof serveOn>[1]): Promise<void> {
  const http = createServer();
  const sockets = webSocketsOn(http);
  end = serveOn(sockets, options);
  running = await listen({ http, sockets, host: HOST, port: 0 });
}

function join(editor = new NoQuill()) {
  return client.join({
    url: `ws://${HOST}:${running.port}`,
    documentId: 'document',
    editor,
    batching: { receiveMs: 0, sendMs: 0 },
    onLost: (reason) => expect.unreachable(reason),
    onReconnected: () => expect.unreachable('nothing broke'),
  });
}

test('a server that refuses the document fails the joining, with its reason', async () => {
  await start({ authenticate: async () => null });
  await expect(join()).rejects.toThrow(
    /^the loro-websocket server does not give the document out: .*Authentication failed/,
  );
});

test('where it listens by itself, nobody is let in', async () => {
  const listening = vi.spyOn(Server.prototype, 'listen');
  await start({});
  const ports = listening.mock.results.map(({ value }) => (value.address() as AddressInfo | null)?.port);
  listening.mockRestore();
  expect(ports).toContain(running.port);
  for (const port of ports) {
    if (port === undefined || port === running.port) continue;
    const refused = await new Promise((resolve) => connect(port, HOST).on('error', resolve));
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  }
});

test('an edit is acknowledged once the server has answered, and stored when it stops', async () => {
  const folder = await mkdtemp(pathOf(tmpdir(), 'loro-'));
  end = () => rm(folder, { recursive: true });
  const startStored = async () => {
    const backing: Backing = { store: { name: 'sqlite', folder }, writeDelayMs: 20 };
    running = await server.start({ host: HOST, port: 0, backing });
  };
  await startStored();
  const author = new NoQuill();
  const replica = await join(author);
  author.insertText(0, 'kept', 'user');
  expect(replica.isAcknowledged!()).toBe(false);
  await expect.poll(() => replica.isAcknowledged!()).toBe(true);
  await replica.leave();
  await running.stop();
  await startStored();
  const reader = new NoQuill();
  await (await join(reader)).leave();
  expect(reader.getText()).toBe('kept\n');
});
