/** Who may steer a session, and when it ends by itself. */
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createToken } from '../../infra/channel/token.ts';
import { sourceFingerprint } from '../../infra/source-fingerprint.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { type SessionEnd, serveRemoteTrials } from './session.ts';
import { messageFromRemote } from './steering-protocol.ts';

const FIRST_PORT = 21_420;
const experiment = resolveExperiment({ trace: 'mine' }, { frameworks: [{ name: 'yjs', about: {} }] });
/** Somebody typed "ab". */
const TRACE = {
  startContent: '',
  endContent: 'ab',
  txns: [
    { time: '2026-01-01T00:00:00.000Z', patches: [[0, 0, 'a']] },
    { time: '2026-01-01T00:00:01.000Z', patches: [[1, 0, 'b']] },
  ],
};
const steeringToken = createToken();
const interrupted = new AbortController();
let session: Promise<SessionEnd> | null = null;
const sockets: WebSocket[] = [];

function serve(options: { silenceMs?: number; deadlineMs?: number } = {}): Promise<SessionEnd> {
  session = serveRemoteTrials(
    {
      steeringToken,
      token: createToken(),
      firstPort: FIRST_PORT,
      deadlineMs: options.deadlineMs ?? Date.now() + 60_000,
      silenceMs: options.silenceMs ?? 5000,
    },
    interrupted.signal,
  );
  return session;
}

/** Opens a connection, and tries until the session listens. @returns the status that it is refused with, or 101 */
async function open(
  token: string,
  options: { autoPong?: boolean } = {},
): Promise<{ socket: WebSocket; status: number }> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const socket = new WebSocket(`ws://127.0.0.1:${FIRST_PORT}`, {
      headers: { authorization: `Bearer ${token}` },
      ...options,
    });
    sockets.push(socket);
    const status = await new Promise<number | null>((resolve) => {
      socket.once('open', () => resolve(101));
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.once('error', () => resolve(null));
    });
    if (status !== null) return { socket, status };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the session does not listen');
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await session;
});

describe('a session', () => {
  test('lets in who has the token, and only one', async () => {
    const end = serve();
    expect((await open('')).status).toBe(403);
    expect((await open(`${steeringToken}x`)).status).toBe(403);
    const { socket, status } = await open(steeringToken);
    expect(status).toBe(101);
    expect((await open(steeringToken)).status).toBe(403);
    socket.send(JSON.stringify({ type: 'over' }));
    expect(await end).toBe('over');
  });

  test('ends when nobody comes', async () => {
    expect(await serve({ silenceMs: 100 })).toBe('alone');
  });

  test('ends when the one who steers falls silent, though the connection stands', async () => {
    const end = serve({ silenceMs: 300 });
    await open(steeringToken, { autoPong: false });
    expect(await end).toBe('alone');
  });

  test('ends when the connection does', async () => {
    const end = serve();
    (await open(steeringToken)).socket.terminate();
    expect(await end).toBe('alone');
  });

  test('ends at its deadline, whoever is there', async () => {
    const end = serve({ deadlineMs: Date.now() + 300 });
    await open(steeringToken);
    expect(await end).toBe('deadline');
  });

  test('takes the trace from the machine that steers, and says when all is ready', async () => {
    const end = serve();
    const { socket } = await open(steeringToken);
    const experiment = resolveExperiment({ trace: 'mine' }, { frameworks: [{ name: 'yjs', about: {} }] });
    const trace = gzipSync(JSON.stringify(TRACE));
    socket.send(JSON.stringify({ type: 'begin', experiment, traceBytes: trace.length, publicAddress: '127.0.0.1' }));
    // In two frames, as a large one comes.
    socket.send(trace.subarray(0, 10));
    socket.send(trace.subarray(10));
    const [answer] = await once(socket, 'message');
    const ready = messageFromRemote.parse(JSON.parse(answer.toString()));
    expect(ready).toMatchObject({ type: 'ready', fingerprint: await sourceFingerprint(), layer: null });
    socket.send(JSON.stringify({ type: 'over' }));
    expect(await end).toBe('over');
  }, 30_000);

  test('says what is wrong with a trace', async () => {
    const end = serve();
    const { socket } = await open(steeringToken);
    socket.send(JSON.stringify({ type: 'begin', experiment, traceBytes: 5, publicAddress: '127.0.0.1' }));
    socket.send(Buffer.from('"abc"'));
    const [answer] = await once(socket, 'message');
    expect(messageFromRemote.parse(JSON.parse(answer.toString()))).toMatchObject({
      type: 'failed',
      text: expect.stringContaining('mine'),
    });
    socket.send(JSON.stringify({ type: 'over' }));
    expect(await end).toBe('over');
  });

  test.each(['{"type":"shutdown"}', 'no JSON', '{"type":"trial"}'])('cuts off who says %j', async (text) => {
    const end = serve();
    const { socket } = await open(steeringToken);
    const closed = once(socket, 'close');
    socket.send(text);
    await closed;
    expect(await end).toBe('alone');
  });
});
