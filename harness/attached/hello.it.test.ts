import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import * as Y from 'yjs';
import { COLLECTION } from '../../editors/sharedb/document.ts';
import { documentAddress } from './address.ts';
import { sayHello } from './hello.ts';
import { SHAREDB_COLLECTION } from './protocols.ts';
import {
  CERTIFICATE,
  type Foreign,
  startAnswering,
  startHocuspocus,
  startShareDb,
  startTls,
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
  const ask = (token: string) => sayHello(addressOf(`ws://127.0.0.1:${hocuspocus.port}`, inMessages, token));
  const protocol = { name: 'hocuspocus' };
  expect(await ask(TOKENS.writer)).toMatchObject({ protocol, access: 'read-write', isEmpty: true, denied: null });
  expect(await ask(TOKENS.reader)).toMatchObject({ protocol, access: 'read-only' });
  expect((await ask('another'))?.denied).toEqual(expect.any(String));
});

test('ShareDB is asked for a document that nobody made', async () => {
  const server = await startShareDb();
  const hello = await sayHello(addressOf(`ws://127.0.0.1:${server.port}`));
  expect(hello).toMatchObject({ protocol: { name: 'sharedb-json' }, isEmpty: true, denied: null });
  expect(SHAREDB_COLLECTION).toBe(COLLECTION);
  await server.stop();
});

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

test('a server of another kind, and none at all', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => socket.on('message', () => socket.send('what?')));
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address() as { port: number };
  expect(await sayHello(addressOf(`ws://127.0.0.1:${port}`))).toBeNull();
  server.close();
  await expect(sayHello(addressOf('ws://127.0.0.1:9'))).rejects.toThrow('cannot be reached: connect ECONNREFUSED');
});
