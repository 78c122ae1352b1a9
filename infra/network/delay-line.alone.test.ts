import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type DelayLine, startDelayLine } from './delay-line.ts';
import { tcpTarget } from './line-target.ts';
import type { Link } from './link.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const link: Link = { oneWayDelayMs: 20, jitterMs: 0, bandwidthBytesPerSecond: null };
let server: Server | null = null;
let line: DelayLine | null = null;
afterEach(async () => {
  await line?.stop();
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
  server = line = null;
});

/** A client's socket through a line to a server that does as `serve` says. */
async function connectThrough(link: Link, serve: (socket: Socket) => void, allowHalfOpen = false): Promise<Socket> {
  server = createServer({ allowHalfOpen: true }, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  line = await startDelayLine({ target: tcpTarget({ host: '127.0.0.1', port }), link, seed: 1 });
  return createConnection({ host: '127.0.0.1', port: line.port, allowHalfOpen });
}

const echo = (socket: Socket) => socket.pipe(socket);

/** Resolves when it is closed, with or without an error. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.on('error', () => {}).on('close', () => resolve()));
}

async function received(socket: Socket, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    if (chunks.reduce((sum, each) => sum + each.length, 0) >= bytes) break;
  }
  return Buffer.concat(chunks);
}

describe('delay line', () => {
  test.each<[string, Link]>([
    ['a delay', link],
    ['heavy jitter', { ...link, jitterMs: 20 }],
    ['a bandwidth', { ...link, bandwidthBytesPerSecond: 100_000 }],
  ])('with %s, chunks arrive in order and whole', async (_, link) => {
    const socket = await connectThrough(link, echo);
    const sent = Array.from({ length: 300 }, (_, index) => `${index};`).join('');
    const echoed = received(socket, sent.length);
    for (const part of sent.match(/.{1,7}/gs)!) {
      socket.write(part);
      await new Promise(setImmediate);
    }
    expect((await echoed).toString()).toBe(sent);
    socket.destroy();
  });

  test('nothing arrives sooner than the delay of both directions', async () => {
    const socket = await connectThrough(link, echo);
    const startMs = performance.now();
    socket.write('x');
    await received(socket, 1);
    // Half a tick early is allowed each way; the socket may connect meanwhile, so that nothing else is part of it.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(2 * 20 - 1);
    socket.destroy();
  });

  test('a bandwidth is kept to', async () => {
    const socket = await connectThrough(
      { oneWayDelayMs: 0, jitterMs: 0, bandwidthBytesPerSecond: 1_000_000 },
      (socket) => socket.resume().on('end', () => socket.end('done')),
    );
    const startMs = performance.now();
    socket.end(Buffer.alloc(100_000));
    expect((await received(socket, 4)).toString()).toBe('done');
    // 100,000 bytes at 1,000,000 bytes per second.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(99);
    socket.destroy();
  });

  test('what is on its way back arrives although this side has said its last', async () => {
    const socket = await connectThrough(
      link,
      (socket) => socket.resume().on('end', () => setTimeout(() => socket.end('goodbye'), 5)),
      true,
    );
    socket.end('hello');
    expect((await received(socket, 7)).toString()).toBe('goodbye');
  });

  test('a receiver that is slow to begin makes the sender wait, and gets everything in the end', async () => {
    const megabytes = 40;
    let sender: Socket | null = null;
    const socket = await connectThrough({ ...link, oneWayDelayMs: 1 }, (socket) => {
      sender = socket;
      for (let index = 0; index < megabytes; index++) socket.write(Buffer.alloc(2 ** 20, index));
      socket.end();
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The line holds 16 MiB and the sockets' buffers some more; the rest has not left the sender.
    expect(sender!.writableLength).toBeGreaterThan(0);
    const all = await received(socket, megabytes * 2 ** 20);
    expect(all.length).toBe(megabytes * 2 ** 20);
    for (let index = 0; index < megabytes; index++) expect(all[index * 2 ** 20 + 5]).toBe(index);
  });

  test('a server that breaks off is noticed through the line', async () => {
    const socket = await connectThrough(link, (socket) => socket.resetAndDestroy());
    await once(socket, 'close');
  });

  test('a server that is not there is noticed through the line', async () => {
    const socket = await connectThrough(link, echo);
    socket.destroy();
    await new Promise((resolve) => server!.close(resolve));
    const lost = createConnection({ host: '127.0.0.1', port: line!.port });
    await once(lost, 'close');
  });

  describe('that is cut', () => {
    test('passes nothing in either direction, says so to nobody, and passes all on in order once it is whole', async () => {
      let atServer = '';
      let ended = 0;
      const socket = await connectThrough({ ...link, oneWayDelayMs: 5 }, (socket) => {
        socket.on('data', (data) => {
          atServer += data;
          socket.write(`<${data}>`);
        });
        socket.on('end', () => socket.end());
        socket.on('close', () => ended++);
      });
      let atUser = '';
      socket.on('data', (data) => {
        atUser += data;
      });
      socket.on('close', () => ended++);
      socket.write('1');
      await vi.waitFor(() => expect(atUser).toBe('<1>'));
      // Also what is on its way already.
      socket.write('2');
      await pause(2);
      const mend = line!.begin({ kind: 'cut' });
      for (const text of '345') {
        socket.write(text);
        await pause(10);
      }
      expect([atServer, atUser, ended]).toEqual(['1', '<1>', 0]);
      mend();
      await vi.waitFor(() => expect(atServer).toBe('12345'));
      await vi.waitFor(() => expect(atUser.replaceAll(/[<>]/g, '')).toBe('12345'));
      expect(ended).toBe(0);
      socket.destroy();
    });

    test('lets who connects wait, and the server hear of nobody', async () => {
      let connected = 0;
      const first = await connectThrough(link, (socket) => {
        connected++;
        echo(socket);
      });
      await once(first, 'connect');
      await vi.waitFor(() => expect(connected).toBe(1));
      const mend = line!.begin({ kind: 'cut' });
      const second = createConnection(line!.port, '127.0.0.1');
      second.write('early');
      const gone = createConnection(line!.port, '127.0.0.1');
      await once(gone, 'connect');
      gone.resetAndDestroy();
      await pause(60);
      expect(connected).toBe(1);
      mend();
      expect((await received(second, 5)).toString()).toBe('early');
      expect(connected).toBe(2);
      first.destroy();
      second.destroy();
    });

    test('lets the end of a connection through only once it is whole', async () => {
      const socket = await connectThrough({ ...link, oneWayDelayMs: 0 }, (socket) =>
        socket.resume().on('end', () => socket.destroy()),
      );
      await once(socket, 'connect');
      await pause(20);
      const mend = line!.begin({ kind: 'cut' });
      const atServer = new Promise((resolve) => server!.getConnections((_error, count) => resolve(count)));
      expect(await atServer).toBe(1);
      socket.resetAndDestroy();
      await pause(40);
      const still = new Promise((resolve) => server!.getConnections((_error, count) => resolve(count)));
      expect(await still).toBe(1);
      mend();
      await vi.waitFor(async () => {
        const left = new Promise((resolve) => server!.getConnections((_error, count) => resolve(count)));
        expect(await left).toBe(0);
      });
    });
  });

  test('that is off resets connections at both ends, refuses new ones, and takes them again in the end', async () => {
    const codes: unknown[] = [];
    const note = (socket: Socket) =>
      socket.on('error', ({ code }: NodeJS.ErrnoException) => codes.push(code)).on('close', () => codes.push('closed'));
    const socket = await connectThrough(link, (socket) => {
      note(socket);
      echo(socket);
    });
    note(socket);
    socket.write('x');
    await received(socket, 1);
    const back = line!.begin({ kind: 'offline' });
    await vi.waitFor(() => expect(codes.toSorted()).toEqual(['ECONNRESET', 'ECONNRESET', 'closed', 'closed']));
    const refused = createConnection(line!.port, '127.0.0.1');
    await closed(refused);
    back();
    const again = createConnection(line!.port, '127.0.0.1');
    again.write('y');
    expect((await received(again, 1)).toString()).toBe('y');
    expect(line!.carried).toEqual({ there: 2, back: 2 });
    again.destroy();
  });

  test('that is off ends connections of TLS at its far end, too', async () => {
    const socket = await connectThrough(link, echo);
    const { port } = server!.address() as { port: number };
    await line!.stop();
    const tls = { connect: () => new TLSSocket(createConnection({ port, host: '127.0.0.1' })) };
    line = await startDelayLine({ target: tls, link, seed: 1 });
    socket.destroy();
    const client = createConnection({ host: '127.0.0.1', port: line.port });
    await once(server!, 'connection');
    const ended = closed(client);
    line.begin({ kind: 'offline' })();
    await ended;
    const connections = () => new Promise((resolve) => server!.getConnections((_, count) => resolve(count)));
    await vi.waitFor(async () => expect(await connections()).toBe(0));
  });

  test('that is slow for a while delays by the other link, and keeps the order at its end', async () => {
    const socket = await connectThrough({ ...link, oneWayDelayMs: 1 }, echo);
    const end = line!.begin({ kind: 'slow', link: { ...link, oneWayDelayMs: 80 } });
    const startMs = performance.now();
    socket.write('slow');
    await pause(20);
    end();
    socket.write('quick');
    expect((await received(socket, 9)).toString()).toBe('slowquick');
    // A chunk that was slow on its way there holds up the chunk after it.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(79);
    const againMs = performance.now();
    socket.write('x');
    await received(socket, 1);
    expect(performance.now() - againMs).toBeLessThan(60);
    socket.destroy();
  });

  test('that is cut twice at a time is whole when both are over', async () => {
    const socket = await connectThrough({ ...link, oneWayDelayMs: 0 }, echo);
    const ends = [line!.begin({ kind: 'cut' }), line!.begin({ kind: 'cut' })];
    let came = false;
    socket.once('data', () => {
      came = true;
    });
    socket.write('x');
    await pause(20);
    ends[0]!();
    await pause(20);
    expect(came).toBe(false);
    ends[1]!();
    await vi.waitFor(() => expect(came).toBe(true));
    socket.destroy();
  });

  test('a stopped line lets go of its connections', async () => {
    const socket = await connectThrough(link, echo);
    await once(socket, 'connect');
    // A reset is as good as an end here.
    const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
    socket.write('x');
    await Promise.all([closed, line!.stop()]);
  });
});
