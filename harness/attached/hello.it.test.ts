import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as Y from 'yjs';
import { client as automergeRepo } from '../../editors/automerge-repo/client.ts';
import { documentIdOf } from '../../editors/automerge-repo/document-id.ts';
import type { FrameworkClient, JoinOptions } from '../../editors/base/framework.ts';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import { client as loroWebsocket } from '../../editors/loro-websocket/client.ts';
import { client as sharedb } from '../../editors/sharedb/client.ts';
import { COLLECTION } from '../../editors/sharedb/document.ts';
import { listenOn } from '../../infra/network/listen-on.ts';
import { documentAddress } from './address.ts';
import { sayHello } from './hello.ts';
import { automergeId } from './protocols/automerge-repo.ts';
import { SHAREDB_COLLECTION } from './protocols/sharedb.ts';
import {
  CERTIFICATE,
  type Foreign,
  startAnswering,
  startAutomergeRepo,
  startHocuspocus,
  startLateStore,
  startLoro,
  startShareDb,
  startTls,
  startWebSockets,
  startYWebsocket,
} from './test-data/foreign-servers.ts';

const TOKENS = { writer: 'may-write', reader: 'may-read' };
let yWebsocket: Foreign;
let hocuspocus: Foreign;
let tls: Foreign;
beforeAll(async () => {
  [yWebsocket, hocuspocus] = await Promise.all([startYWebsocket(), startHocuspocus(TOKENS)]);
  tls = await startTls(hocuspocus.port);
});
afterAll(() => Promise.all([yWebsocket, hocuspocus, tls].map((server) => server.stop())));

const inPath = { protocol: '', documentIn: 'path' } as const;
const inMessages = { protocol: '', documentIn: 'messages' } as const;
const addressOf = (url: string, how: typeof inPath | typeof inMessages = inMessages, token: string | null = null) =>
  documentAddress({ url, headers: [], token, ca: null }, 'hello-there', how);

test('a y-websocket server says so by itself, and if the document is empty', async () => {
  const address = addressOf(`ws://127.0.0.1:${yWebsocket.port}`, inPath);
  expect(await sayHello(address)).toMatchObject({ protocol: { name: 'y-websocket' }, isEmpty: true, tls: null });
  const doc = new Y.Doc();
  doc.getText('t').insert(0, 'x');
  const socket = new WebSocket(address.url);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const update = Y.encodeStateAsUpdate(doc);
  socket.send(Uint8Array.from([0, 2, update.length, ...update]));
  await expect.poll(async () => (await sayHello(address))?.isEmpty).toBe(false);
  socket.close();
});

test('Hocuspocus is asked, and tells who may write', async () => {
  const ask = (token: string, isStrange = false) =>
    sayHello(addressOf(`ws://127.0.0.1:${hocuspocus.port}`, inMessages, token), { expected: 'hocuspocus', isStrange });
  const protocol = { name: 'hocuspocus' };
  expect(await ask(TOKENS.writer, true)).toMatchObject({ protocol, access: 'read-write', isEmpty: true, denied: null });
  expect(await ask(TOKENS.reader)).toMatchObject({ protocol, access: 'read-only' });
  expect((await ask('another'))?.denied).toEqual(expect.any(String));
});

test('ShareDB is asked for a document that nobody made, and for one that is there', async () => {
  const server = await startShareDb();
  const url = `ws://127.0.0.1:${server.port}`;
  const hello = await sayHello(addressOf(url));
  expect(hello).toMatchObject({ protocol: { name: 'sharedb-json' }, isEmpty: true, denied: null });
  expect(SHAREDB_COLLECTION).toBe(COLLECTION);
  const again = () => sayHello(addressOf(url), { expected: 'sharedb-json', isStrange: false });
  const { editor, replica } = await join(sharedb, { url });
  expect(await again()).toMatchObject({ isEmpty: true });
  editor.insertText(0, 'x', 'user');
  await expect.poll(async () => (await again())?.isEmpty).toBe(false);
  await replica.leave();
  await server.stop();
});

test('automerge-repo is asked for a document that nobody made, and its clients bring one', async () => {
  const server = await startAutomergeRepo();
  const url = `ws://127.0.0.1:${server.port}`;
  const protocol = { name: 'automerge-sync' };
  expect(await sayHello(addressOf(url))).toMatchObject({ protocol, isEmpty: true, denied: null });
  expect(automergeId('hello-there')).toBe(documentIdOf('hello-there'));
  const given = `automerge:${documentIdOf('given')}` as const;
  expect([automergeId(given), documentIdOf(given)]).toEqual([documentIdOf('given'), documentIdOf('given')]);
  const users = await joinBoth(automergeRepo, { url, begins: true });
  const again = { expected: protocol.name, isStrange: false };
  expect(await sayHello(addressOf(url), again)).toMatchObject({ protocol, isEmpty: false });
  await Promise.all(users.map(({ replica }) => replica.leave()));
  await server.stop();
});

test('a server of the Loro protocol is asked, and tells who may write; a user who may not is refused', async () => {
  const server = await startLoro();
  const url = `ws://127.0.0.1:${server.port}`;
  const ask = (token: string, isStrange = false) =>
    sayHello(addressOf(url, inMessages, token), { expected: 'loro-protocol', isStrange });
  const protocol = { name: 'loro-protocol' };
  expect(await ask('writer', true)).toMatchObject({ protocol, access: 'read-write', isEmpty: true });
  expect(await ask('reader')).toMatchObject({ protocol, access: 'read-only' });
  expect((await ask('another'))?.denied).toBe('Authentication failed');
  const users = await joinBoth(loroWebsocket, { url, token: 'writer' });
  expect(await ask('reader')).toMatchObject({ isEmpty: false });
  const lost: unknown[][] = [];
  const reader = await join(loroWebsocket, { url, token: 'reader', onLost: (...loss) => lost.push(loss) });
  reader.editor.insertText(0, 'x', 'user');
  await expect.poll(() => lost).toEqual([[expect.stringContaining('permission denied'), 'read-only']]);
  await Promise.all(users.map(({ replica }) => replica.leave()));
  await server.stop();
});

test('a document that its store loads late is not taken for empty', async () => {
  const doc = new Y.Doc();
  doc.getText('t').insert(0, 'x');
  const late = await startLateStore(Y.encodeStateAsUpdate(doc), 200);
  const address = addressOf(`ws://127.0.0.1:${late.port}`, inPath);
  expect(await sayHello(address)).toMatchObject({ isEmpty: true });
  expect(await sayHello(address, { lookMs: 1000 })).toMatchObject({ isEmpty: false });
  await late.stop();
});

async function join(client: FrameworkClient, options: { url: string } & Partial<JoinOptions>) {
  const { editor } = createNoQuillScreen(null);
  const told = { onLost: () => {}, onReconnected: () => {}, batching: { receiveMs: 0, sendMs: 0 } };
  return { editor, replica: await client.join({ documentId: 'hello-there', editor, ...told, ...options }) };
}

/** One after the other, as `attach` does; the second sees what the first types. */
async function joinBoth(client: FrameworkClient, options: Parameters<typeof join>[1]) {
  const users = [await join(client, options), await join(client, options)] as const;
  users[0].editor.insertText(0, 'hello', 'user');
  await expect.poll(() => users[1].editor.getText()).toBe('hello\n');
  return users;
}

test('a certificate must hold, by the system or by a file', async () => {
  const url = `wss://localhost:${tls.port}`;
  await expect(sayHello(addressOf(url))).rejects.toThrow(
    '(certificate) → give the authority that signed it (--ca FILE)',
  );
  const trusted = documentAddress({ url, headers: [], token: TOKENS.writer, ca: CERTIFICATE }, 'd', inMessages);
  expect(await sayHello(trusted)).toMatchObject({ protocol: { name: 'hocuspocus' }, tls: 'TLSv1.3' });
});

test.each([
  [401, 'permission'],
  [429, 'rate limit'],
  [503, 'unavailable'],
  [200, 'another protocol'],
])('HTTP %i in place of a WebSocket is named', async (status, kind) => {
  const server = await startAnswering((_request, response) => response.writeHead(status).end());
  await expect(sayHello(addressOf(`ws://127.0.0.1:${server.port}`))).rejects.toThrow(`HTTP ${status} (${kind})`);
  await server.stop();
});

test.each([
  [4401, 'permission'],
  [1008, 'rate limit'],
  [1013, 'try again later'],
])('a server that lets in and closes at once with code %i is named', async (code, kind) => {
  const server = await startWebSockets((socket) => socket.close(code, 'not you'));
  await expect(sayHello(addressOf(`ws://127.0.0.1:${server.port}`))).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining(`closed the connection with code ${code}, "not you" (${kind})`),
  });
  await server.stop();
});

test('a server that closes at a frame of another protocol is asked on', async () => {
  const isOfShareDb = (frame: string) => frame.startsWith('{"a":"hs"');
  const server = await startWebSockets((socket) =>
    socket.on('message', (frame: Buffer) =>
      isOfShareDb(String(frame)) ? socket.send('{"a":"f","data":{"type":null}}') : socket.close(4400, 'what?'),
    ),
  );
  const hello = await sayHello(addressOf(`ws://127.0.0.1:${server.port}`));
  expect(hello).toMatchObject({ protocol: { name: 'sharedb-json' }, isEmpty: true });
  await server.stop();
});

test('a server of another kind, and none at all', async () => {
  const server = await startWebSockets((socket) => socket.on('message', () => socket.send('what?')));
  expect(await sayHello(addressOf(`ws://127.0.0.1:${server.port}`))).toBeNull();
  await server.stop();
  await expect(sayHello(addressOf('ws://127.0.0.1:9'))).rejects.toThrow('cannot be reached: connect ECONNREFUSED');
});

test('a Socket.IO server says so by itself, and nothing of a document', async () => {
  const server = await startWebSockets((socket) => socket.send('0{"sid":"a","upgrades":[],"pingInterval":25000}'));
  const hello = await sayHello(addressOf(`ws://127.0.0.1:${server.port}`));
  expect(hello).toMatchObject({ protocol: { name: 'engine.io' }, isEmpty: null });
  await server.stop();
});

test('a server hears of its own origin, or of the one that a header gives', async () => {
  const origins: unknown[] = [];
  const { port, stop } = await startWebSockets((socket, { headers }) => {
    origins.push(headers.origin);
    socket.send(Uint8Array.of(0, 0, 1, 0));
  });
  const address = { url: `ws://127.0.0.1:${port}`, token: null, ca: null };
  for (const headers of [[], ['origin: https://app.example.org']]) {
    await sayHello(documentAddress({ ...address, headers }, 'd', inPath));
  }
  expect(origins).toEqual([`http://127.0.0.1:${port}`, 'https://app.example.org']);
  await stop();
});

test('no connection is left of a refusal, though the server would keep it', async () => {
  const server = createServer((_request, response) => response.writeHead(403).end('no'.repeat(500)));
  const port = await listenOn(server);
  await expect(sayHello(addressOf(`ws://127.0.0.1:${port}`))).rejects.toThrow('HTTP 403 (permission)');
  const connections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  await expect.poll(connections, { timeout: 2000 }).toBe(0);
  server.close();
});
