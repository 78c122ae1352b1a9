import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { startDelayLine } from './delay-line.ts';
import { type Ending, foreignTarget, targetAt } from './line-target.ts';
import { NO_LINK } from './link.ts';
import { listenOn } from './listen-on.ts';
import { maskedFrame, OPCODES } from './websocket-frames.ts';

test('an address without a name is not told to the server as one', async () => {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const warned = vi.spyOn(process, 'emitWarning');
  const address = { url: `wss://127.0.0.1:${port}/x`, headers: {}, ca: null };
  const socket = foreignTarget(address, () => {}).connect();
  const hello = await new Promise<Buffer>((resolve) => server.on('connection', (peer) => peer.once('data', resolve)));
  expect(hello.includes('127.0.0.1')).toBe(false);
  expect(warned).not.toHaveBeenCalled();
  socket.destroy();
  server.close();
  vi.restoreAllMocks();
});

test('an IPv6 address loses its brackets, and a port that is not named is the usual one', async () => {
  // Nothing listens there, and some machines have no IPv6; in brackets it would be looked up as a name.
  const [error] = await once(targetAt(new URL('redis://[::1]'), 9).connect(), 'error');
  expect(error).toMatchObject({ syscall: 'connect', address: '::1', port: 9 });
});

test('a server gets each header once: a given one, whatever its case, for the client’s and for the line’s own', () => {
  const headers = { origin: 'https://app.example.org', Cookie: 'a=1' };
  const passage = foreignTarget({ url: 'ws://h/x', headers, ca: null }, () => {}).passage!();
  const asked =
    'GET / HTTP/1.1\r\nhost: 127.0.0.1:1\r\nOrigin: null\r\ncookie: of=client\r\nUpgrade: websocket\r\n\r\n';
  expect(
    String(passage.there(Buffer.from(asked)))
      .split('\r\n')
      .filter(Boolean),
  ).toEqual(['GET /x HTTP/1.1', 'Host: h', 'origin: https://app.example.org', 'Cookie: a=1', 'Upgrade: websocket']);
});

/** A frame of a server's, as RFC 6455, section 5.2, has it. */
function frame(opcode: number, payload: Buffer): Buffer {
  const length =
    payload.length < 126
      ? Buffer.of(payload.length)
      : payload.length < 2 ** 16
        ? Buffer.of(126, payload.length >> 8, payload.length & 0xff)
        : Buffer.from([127, 0, 0, 0, 0, 0, payload.length >> 16, (payload.length >> 8) & 0xff, payload.length & 0xff]);
  return Buffer.concat([Buffer.of(0x80 | opcode), length, payload]);
}

const closing = (code: number, reason: string) =>
  frame(OPCODES.close, Buffer.concat([Buffer.of(code >> 8, code & 0xff), Buffer.from(reason)]));

/** A connection that is open, and how it ended. */
function openPassage() {
  const endings: Ending[] = [];
  const passage = foreignTarget({ url: 'ws://h/x', headers: {}, ca: null }, (ending) => endings.push(ending))
    .passage!();
  passage.there(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
  passage.back(Buffer.from('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  return { endings, passage };
}

test('a close frame is found behind any others, wherever the stream is cut', () => {
  const sizes = fc.array(fc.oneof(fc.nat(300), fc.constant(70_000)), { maxLength: 6 });
  const property = fc.property(sizes, fc.array(fc.nat(200_000), { maxLength: 8 }), (lengths, cuts) => {
    // Their bytes look like close frames.
    const before = lengths.map((length) => frame(OPCODES.binary, Buffer.alloc(length, 0x88)));
    const stream = Buffer.concat([...before, closing(4403, 'not yours')]);
    const { endings, passage } = openPassage();
    let from = 0;
    for (const cut of [...cuts.map((at) => at % (stream.length + 1)).sort((a, b) => a - b), stream.length]) {
      passage.back(stream.subarray(from, cut));
      from = cut;
    }
    expect(endings).toEqual([{ by: 'close', code: 4403, reason: 'not yours' }]);
  });
  fc.assert(property, { numRuns: 60 });
});

test('an empty close frame has no code, and one that answers the client’s is no news, nor is the end behind it', () => {
  const bare = openPassage();
  bare.passage.back(frame(OPCODES.close, Buffer.alloc(0)));
  expect(bare.endings).toEqual([{ by: 'close', code: 1005, reason: '' }]);
  const answered = openPassage();
  answered.passage.there(maskedFrame(OPCODES.close, Buffer.of(3, 232)));
  answered.passage.back(closing(1000, ''));
  answered.passage.ended(null);
  expect(answered.endings).toEqual([]);
});

/** Through a line, to a server that somebody else runs: both ends of a connection, and what is told of its end. */
async function connected(oneWayDelayMs: number) {
  const server = createServer();
  const port = await listenOn(server);
  const endings: Ending[] = [];
  const target = foreignTarget({ url: `ws://127.0.0.1:${port}`, headers: {}, ca: null }, (end) => endings.push(end));
  const line = await startDelayLine({ target, link: { ...NO_LINK, oneWayDelayMs }, seed: 1 });
  const client = createConnection(line.port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\n\r\n');
  const [peer] = (await once(server, 'connection')) as [Socket];
  peer.resume().write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  await once(client, 'data');
  const closed = Promise.all([client, peer].map((socket) => once(socket, 'close')));
  const stop = () => line.stop().finally(() => server.close());
  return { client, peer, closed, endings, line, stop };
}

const CUT = { by: 'cut', quietMs: expect.any(Number) };

test.each([
  ['the server', 0, [CUT]],
  ['the server', 5, [CUT]],
  ['the client', 0, []],
  ['the client', 5, []],
] as const)(
  'an end in order without a close frame is told if %s ends first (%s ms away)',
  async (first, delay, told) => {
    const { client, peer, closed, endings, stop } = await connected(delay);
    (first === 'the server' ? peer : client).end();
    await closed;
    expect(endings).toEqual(told);
    await stop();
  },
);

test('a server that gives up a client whose line is cut has not refused it', async () => {
  const { peer, closed, endings, line, stop } = await connected(0);
  const mend = line.begin({ kind: 'cut' });
  peer.end();
  await new Promise((resolve) => setTimeout(resolve, 30));
  mend();
  await closed;
  expect(endings).toEqual([]);
  await stop();
});
