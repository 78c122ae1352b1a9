/** Sockets beside a live user, at real servers: as many bytes each way, when they open a document and when they come back with it. */
import { channel, subscribe } from 'node:diagnostics_channel';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { findFramework } from '../../frameworks/discover.ts';
import type { Reading } from '../../harness/attached/protocols/protocol.ts';
import { readingOf } from '../../harness/attached/protocols.ts';
import { pause, type ServedUsers, serveUsers, until } from '../../tests/served-users.ts';
import { SocketUsers } from './sockets.ts';

/** An opening handshake and its answer, which differ between clients by some headers. */
const HANDSHAKE_BYTES = 400;
/** So long that its bytes stand out, however they are packed. */
const TEXT = Array.from({ length: 4000 }, (_, index) => (index * 7919) % 10_007).join(' ');

const accepted: Socket[] = [];
const follow = (message: unknown) => void accepted.push((message as { socket: Socket }).socket);
subscribe('net.server.socket', follow);
const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Of connections to the server itself since the last call, the bytes each way, smallest first, once none come any more. */
async function bytesAt({ server }: ServedUsers) {
  const read = () =>
    accepted
      .filter(({ localPort }) => localPort === server.port)
      .map(({ bytesRead, bytesWritten }) => ({ toServer: bytesRead, fromServer: bytesWritten }));
  for (let before = ''; before !== JSON.stringify(read()); await pause(100)) before = JSON.stringify(read());
  const bytes = read();
  accepted.length = 0;
  return bytes;
}

test.each(['yjs', 'yjs-hocuspocus', 'sharedb', 'loro-websocket'])(
  'a socket of %s costs what a client does',
  async (name) => {
    const served = await serveUsers(name);
    stops.push(() => served.close());
    const author = await served.join();
    author.editor.insertText(0, TEXT, 'user');
    await bytesAt(served);

    const live = await served.join({ port: served.line.port });
    await until(() => live.editor.getText(), author.editor.getText());
    const [opened] = await bytesAt(served);
    const place = { url: `ws://127.0.0.1:${served.line.port}`, documentId: served.documentId };
    const sockets = new SocketUsers({
      count: 2,
      live: 1,
      reading: readingOf((await findFramework(name)).about),
      place,
    });
    stops.push(() => sockets.close());
    await sockets.join(2);
    const [one, other] = await bytesAt(served);
    expect(opened!.fromServer).toBeGreaterThan(10 * HANDSHAKE_BYTES);
    for (const socket of [one, other]) expectAlike(socket!, opened!);

    // All lose the server; the sockets come when the live user's client does.
    sockets.begin();
    served.line.cut();
    served.line.mend();
    expect(sockets.marks.backMs).toEqual([Number.NaN, Number.NaN]);
    await sockets.done;
    await until(() => live.reconnections, 1);
    const back = await bytesAt(served);
    expect(back).toHaveLength(3);
    for (const each of back) expectAlike(each, back[0]!);
    expect(back[0]!.fromServer).toBeLessThan(4 * HANDSHAKE_BYTES);
  },
);

test('of those who are away the reason is told, and who is denied the document is not waited for', async () => {
  const reading: Reading = {
    reader: () => ({
      opening: () => [],
      hear: (frame) => ({ answers: [], isIn: frame === 'yes', denied: frame === 'no' ? 'it is full' : undefined }),
    }),
  };
  const connections: WebSocket[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  stops.push(() => server.close());
  server.on('connection', (socket) => {
    connections.push(socket);
    if (connections.length === 1) socket.close(1012, 'gone');
    if (connections.length === 3) socket.send('yes');
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sockets = new SocketUsers({ count: 2, live: 1, reading, place: { url, documentId: 'one' } });
  stops.push(() => sockets.close());
  sockets.begin();
  const countBack = () => {
    channel('net.client.socket').publish({});
    return sockets.marks.backMs.filter((ms) => !Number.isNaN(ms)).length;
  };
  await until(countBack, 1);
  expect(sockets.marks.turnedAway).toBe(null);
  connections[1]!.send('no');
  await sockets.done;
  expect(sockets.marks.turnedAway).toBe('the server gives it no document: it is full');
});

type Bytes = { toServer: number; fromServer: number };

function expectAlike(one: Bytes, other: Bytes): void {
  for (const way of ['toServer', 'fromServer'] as const) {
    expect(Math.abs(one[way] - other[way])).toBeLessThan(HANDSHAKE_BYTES);
  }
}
