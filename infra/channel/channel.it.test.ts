/** Two ends of one channel, as its listener and its opener hold them. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { type Channel, LostConnection, openChannel } from './channel.ts';
import { type ChannelListener, listenForChannels } from './listen-for-channels.ts';
import { createToken } from './token.ts';

const schema = z.object({ text: z.string() });
type Message = z.infer<typeof schema>;
type TestChannel = Channel<Message, Message>;

const token = createToken();
let listener: ChannelListener;
/** The listener's ends, in the order in which they came. */
let far: TestChannel[];
let closers: (() => unknown)[];

beforeEach(() => {
  far = [];
  closers = [];
});
afterEach(async () => {
  for (const close of closers) await close();
});

type ListenOptions = Partial<Parameters<typeof listenForChannels<Message, Message>>[0]>;

async function listen(options: ListenOptions = {}): Promise<string> {
  const onChannel = (channel: TestChannel) => void far.push(channel);
  listener = await listenForChannels<Message, Message>({ host: '127.0.0.1', token, schema, onChannel, ...options });
  closers.push(() => listener.close());
  return `ws://127.0.0.1:${listener.port}`;
}

type OpenOptions = Partial<Parameters<typeof openChannel<Message, Message>>[0]>;

async function open(url: string, options: OpenOptions = {}): Promise<TestChannel> {
  const channel = await openChannel<Message, Message>({ url, token, schema, ...options });
  closers.push(() => channel.cut());
  return channel;
}

/** A server that is no channel's end, and does only what the test says. */
async function listenBare(options: { autoPong?: boolean } = {}): Promise<{ url: string; came: Promise<WebSocket> }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
  closers.push(() => server.close());
  const came = once(server, 'connection').then(([socket]) => socket as WebSocket);
  await once(server, 'listening');
  return { url: `ws://127.0.0.1:${(server.address() as { port: number }).port}`, came };
}

const ended = async ({ ended: signal }: TestChannel): Promise<Error> => {
  if (!signal.aborted) await once(signal, 'abort');
  return signal.reason;
};

describe('a channel', () => {
  test('carries messages and bytes both ways, in order', async () => {
    const near = await open(await listen());
    const arrived: string[] = [];
    far[0]!.receive({
      onMessage: ({ text }) => void arrived.push(text),
      onBytes: (bytes) => void arrived.push(`${bytes.length} bytes`),
    });
    near.send({ text: 'a' });
    await near.sendBytes(new Uint8Array(3 * 2 ** 20));
    near.send({ text: 'b' });
    await expect.poll(() => arrived).toEqual(['a', ...Array(3).fill(`${2 ** 20} bytes`), 'b']);

    const answer = Promise.withResolvers<Message>();
    far[0]!.send({ text: 'c' });
    near.receive({ onMessage: answer.resolve });
    expect(await answer.promise).toEqual({ text: 'c' });
  });

  test('keeps what comes before anybody receives it, and says when it came', async () => {
    const near = await open(await listen());
    near.send({ text: 'early' });
    await sleep(30);
    const askedMs = performance.timeOrigin + performance.now();
    const arrival = await new Promise<{ atMs: number; bytes: number }>((resolve) => {
      far[0]!.receive({ onMessage: (_message, how) => resolve(how) });
    });
    expect(askedMs - arrival.atMs).toBeGreaterThan(10);
    expect(arrival.bytes).toBe('{"text":"early"}'.length);
  });

  test('deals with one after the other, and with all of it before its end', async () => {
    const near = await open(await listen());
    const dealt: string[] = [];
    far[0]!.receive({
      async onMessage({ text }) {
        dealt.push(`${text} begins`);
        await sleep(20);
        dealt.push(`${text} ends`);
      },
    });
    far[0]!.ended.addEventListener('abort', () => dealt.push('end'));
    near.send({ text: 'a' });
    near.send({ text: 'b' });
    near.close();
    expect((await ended(far[0]!)).message).toBe('the connection ended');
    expect(far[0]!.ended.reason).toBeInstanceOf(LostConnection);
    expect(dealt).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'end']);
    near.send({ text: 'nobody hears it' });
    await expect(near.sendBytes(new Uint8Array(1))).rejects.toThrow();
  });

  test('deals at once with what needs no waiting', async () => {
    const near = await open(await listen());
    near.send({ text: 'a' });
    near.send({ text: 'b' });
    await sleep(30);
    const log: string[] = [];
    far[0]!.receive({ onMessage: ({ text }) => void log.push(text) });
    log.push('next');
    expect(log).toEqual(['a', 'b', 'next']);
  });

  test.each([
    ['no JSON', 'nonsense', 'not a message of the protocol'],
    ['another message', '{"words":"a"}', 'not a message of the protocol'],
    ['bytes', Buffer.from('a'), 'bytes are not of the protocol'],
    ['what its receiver refuses', '{"text":"é"}', `there is no ${'é'.repeat(55)}`],
  ])('that is told %s ends, and says why', async (_what, data, why) => {
    const url = await listen();
    const socket = new WebSocket(`${url}/${token}/`);
    await once(socket, 'open');
    const taken: string[] = [];
    far[0]!.receive({
      onMessage({ text }) {
        taken.push(text);
        throw new Error(`there is no ${text.repeat(100)}`);
      },
    });
    socket.send(data);
    socket.send('{"text":"late"}');
    const [code, reason] = await once(socket, 'close');
    // As much of the reason as a closing frame has room for.
    expect([code, reason.toString()]).toEqual([1008, why]);
    expect((await ended(far[0]!)).message).toContain(why);
    expect(far[0]!.ended.reason).not.toBeInstanceOf(LostConnection);
    expect(taken).toEqual(why.startsWith('there') ? ['é'] : []);
  });

  test('whose other end closed with a reason tells it', async () => {
    const near = await open(await listen());
    far[0]!.receive({
      onMessage() {
        throw new Error('nobody more is expected');
      },
    });
    near.send({ text: 'hello' });
    expect((await ended(near)).message).toBe('the connection ended: nobody more is expected');
  });

  test('takes messages up to a size', async () => {
    const near = await open(await listen({ maxMessageBytes: 100 }));
    far[0]!.receive({ onMessage: () => {} });
    far[0]!.send({ text: 'x'.repeat(150) });
    expect((await new Promise<Message>((resolve) => near.receive({ onMessage: resolve }))).text).toHaveLength(150);
    near.send({ text: 'x'.repeat(150) });
    expect(await ended(near)).toBeInstanceOf(LostConnection);
  });

  test('leaves out what only informs while much waits', async () => {
    const { url, came } = await listenBare();
    const near = await open(url);
    const socket = await came;
    const arrived: string[] = [];
    socket.on('message', (data) => arrived.push(JSON.parse(data.toString()).text.slice(0, 10)));
    near.inform({ text: 'first' });
    await expect.poll(() => arrived).toEqual(['first']);
    socket.pause();
    for (let mebibytes = 0; mebibytes < 32; mebibytes++) near.send({ text: 'x'.repeat(2 ** 20) });
    near.inform({ text: 'crowded' });
    near.send({ text: 'last' });
    socket.resume();
    await expect.poll(() => arrived.at(-1)).toBe('last');
    expect(arrived).toHaveLength(1 + 32 + 1);
  });
});

describe('silence', () => {
  test('ends a channel at the end that listens', async () => {
    const url = await listen({ silenceMs: 100 });
    const socket = new WebSocket(`${url}/${token}/`, { autoPong: false });
    await once(socket, 'open');
    expect((await ended(far[0]!)).message).toMatch(/^nothing was heard for \d+ s$/);
    expect(far[0]!.ended.reason).toBeInstanceOf(LostConnection);
  });

  test('ends a channel at the end that opened it', async () => {
    const { url } = await listenBare({ autoPong: false });
    const near = await open(url, { silenceMs: 100 });
    expect((await ended(near)).message).toMatch(/^nothing was heard/);
  });

  test('is not that of who answers pings, but says nothing else', async () => {
    // Longer than a full machine holds this process up.
    const near = await open(await listen({ silenceMs: 1000 }), { silenceMs: 1000 });
    const openedMs = near.heardMs;
    await sleep(2500);
    expect([near.ended.aborted, far[0]!.ended.aborted]).toEqual([false, false]);
    expect(near.heardMs - openedMs).toBeGreaterThan(1000);
  });
});

describe('who listens', () => {
  test('lets in who shows the token, in the address or in the header', async () => {
    const url = await listen();
    await open(url);
    await open(`${url}/${token}/control`, { token: undefined });
    expect(far).toHaveLength(2);
    const refused = [
      [url, undefined],
      [url, ''],
      [url, `${token}x`],
      [`${url}/${token}`, createToken()],
      [`${url}/x/${token}`, undefined],
    ] as const;
    for (const [address, shown] of refused) await expect(open(address, { token: shown })).rejects.toThrow(/403/);
  });

  test('lets in at its path only, and no more than so many', async () => {
    const url = await listen({ path: '/control', most: 1 });
    const address = `${url}/${token}/control`;
    await expect(open(`${url}/${token}/`, { token: undefined })).rejects.toThrow(/403/);
    const first = await open(address, { token: undefined });
    first.cut();
    await ended(first);
    await expect(open(address, { token: undefined })).rejects.toThrow(/403/);
  });

  test('sees the token in nothing that it is told', async () => {
    const near = await open(await listen());
    const told = new Promise<Message>((resolve) => far[0]!.receive({ onMessage: resolve }));
    near.send({ text: `http://host/${token}/index.html` });
    expect(await told).toEqual({ text: 'http://host/(token)/index.html' });
  });

  test('serves pages to those who know the token, where there are any', async () => {
    const url = await listen({ pages: (request, response) => response.end(`the page ${request.url}`) });
    const page = url.replace('ws', 'http');
    expect(await (await fetch(`${page}/${token}/a`)).text()).toBe('the page /a');
    for (const path of ['/', '/a', `/${token}x/a`]) expect((await fetch(page + path)).status).toBe(403);
    const without = await listen();
    expect((await fetch(`${without.replace('ws', 'http')}/${token}/`)).status).toBe(426);
  });

  test('ends every channel when it stops', async () => {
    const near = await open(await listen());
    await listener.close();
    expect(await ended(near)).toBeInstanceOf(LostConnection);
    await expect(open(`ws://127.0.0.1:${listener.port}`)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('opening', () => {
  let mute: string;
  beforeEach(async () => {
    const server = createServer().listen(0, '127.0.0.1');
    closers.push(() => server.close());
    await once(server, 'listening');
    mute = `ws://127.0.0.1:${(server.address() as { port: number }).port}`;
  });

  test('has a limit', async () => {
    await expect(open(mute, { handshakeLimitMs: 50 })).rejects.toThrow('handshake has timed out');
    await expect(open(mute, { silenceMs: 50 })).rejects.toThrow('handshake has timed out');
  });

  test('can be called off', async () => {
    const abort = new AbortController();
    const opening = open(mute, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('called off')), 20);
    await expect(opening).rejects.toThrow('called off');
    await expect(open(mute, { signal: abort.signal })).rejects.toThrow('called off');
  });

  test('says by which address it got there', async () => {
    expect((await open(await listen())).localAddress).toBe('127.0.0.1');
  });
});
