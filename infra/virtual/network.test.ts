import { describe, expect, test } from 'vitest';
import { webSocketOf } from './client-socket.ts';
import { createVirtualClock } from './clock.ts';
import { type Line, VirtualNetwork } from './network.ts';
import type { ServerSocket } from './server-socket.ts';

/** A user 10 ms away from a server that keeps what it gets; both write down what they hear, and when. */
async function connected({ isDown = false } = {}) {
  const clock = createVirtualClock();
  const line: Line = { link: { oneWayDelayMs: 10, jitterMs: 0, bandwidthBytesPerSecond: null }, seed: 1, isDown };
  const network = new VirtualNetwork(clock, () => line);
  const heard: string[] = [];
  const note = (who: string, text: string) => heard.push(`${who} ${text} at ${clock.nowMs()}`);
  let server: ServerSocket | null = null;
  network.listen().on('connection', (socket: ServerSocket) => {
    server = socket;
    socket.on('message', (data: Buffer) => note('server', `${data}`));
    socket.on('close', (code: number) => note('server', `closed ${code}`));
    socket.on('pong', () => note('server', 'pong'));
  });
  const Socket = webSocketOf(() => network);
  const client = new Socket('ws://u0/document');
  client.onopen = () => note('client', 'open');
  client.onmessage = ({ data }) => note('client', String(data));
  client.onerror = () => note('client', 'error');
  client.onclose = ({ code }) => note('client', `closed ${code}`);
  await clock.run(50);
  const [connection] = network.open;
  return { clock, network, line, heard, client, server: server as unknown as ServerSocket, connection: connection! };
}

test('both ends have listeners as `ws` and the browser have them', async () => {
  const { clock, heard, client, server, connection } = await connected();
  const [never, each] = ['never', 'each'].map(
    (who) => (event: { data?: unknown }) => heard.push(`${who} ${event.data}`),
  );
  for (const socket of [server, client] as unknown as EventTarget[]) {
    socket.addEventListener('message', never as never);
    socket.removeEventListener('message', never as never);
    socket.addEventListener('message', each as never, { once: true });
  }
  server.addEventListener('close', ({ wasClean }) => heard.push(`server clean: ${wasClean}`));
  for (const text of ['one', 'two']) {
    client.send(text);
    server.send(text);
  }
  await clock.run(100);
  expect(heard.filter((line) => /^(never|each)/.test(line))).toEqual(['each one', 'each one']);
  connection.cut({ clientLagMs: 0, serverLagMs: 0, drains: true });
  await clock.run(200);
  expect(heard).toContain('server clean: false');
});

test('a server may use its buffer again', async () => {
  const { clock, client, server } = await connected();
  const got: number[] = [];
  client.binaryType = 'arraybuffer';
  client.onmessage = ({ data }) => got.push(...new Uint8Array(data));
  const buffer = Uint8Array.of(1);
  server.send(buffer);
  buffer[0] = 2;
  server.send(buffer);
  await clock.run(100);
  expect(got).toEqual([1, 2]);
});

describe('a connection', () => {
  test('carries messages both ways, each in its time', async () => {
    const { clock, heard, client, server } = await connected();
    client.send('hello');
    server.send('welcome');
    server.ping();
    await clock.run(100);
    expect(heard).toEqual(['client open at 21', 'server hello at 60.5', 'client welcome at 60.5', 'server pong at 71']);
  });

  test('that is cut loses what is on its way, and each end learns of it later', async () => {
    const { clock, heard, client, server, connection } = await connected();
    client.send('lost');
    connection.cut({ clientLagMs: 5, serverLagMs: 100, drains: false });
    server.send('lost, too');
    await clock.run(200);
    expect(heard.slice(1)).toEqual(['client closed 1006 at 55', 'server closed 1006 at 150']);
  });

  test('that drains brings what was on its way before the cut, and nothing sent after it', async () => {
    const { clock, heard, client, server, connection } = await connected();
    client.send('still there');
    await clock.run(55);
    connection.cut({ clientLagMs: 20, serverLagMs: 100, drains: true });
    client.send('too late');
    server.send('too late');
    await clock.run(200);
    expect(heard.slice(1)).toEqual([
      'server still there at 60.5',
      'client closed 1006 at 75',
      'server closed 1006 at 155',
    ]);
  });

  test('may be silent one way', async () => {
    const { clock, heard, client, server, connection } = await connected();
    connection.swallow('back', { drains: true });
    client.send('heard');
    server.send('unheard');
    server.ping();
    await clock.run(200);
    expect(heard.slice(1)).toEqual(['server heard at 60.5']);
  });

  test('that stalls brings all at its end, in order', async () => {
    const { clock, line, heard, client, server } = await connected();
    line.stalledUntilMs = { there: 500, back: 0 };
    client.send('one');
    server.send('hello');
    server.ping();
    await clock.run(495);
    client.send('two');
    client.send('three');
    await clock.run(600);
    const late = ['server one at 500', 'server two at 505.5', 'server three at 505.5', 'server pong at 521'];
    expect(heard.slice(1)).toEqual(['client hello at 60.5', ...late]);
  });

  test('hands the server what arrives at one instant before any promise goes on', async () => {
    const { clock, line, heard, client, server } = await connected();
    server.on('message', async (data: Buffer) => {
      await null;
      heard.push(`then ${data}`);
    });
    line.stalledUntilMs = { there: 500, back: 500 };
    client.send('one');
    client.send('two');
    await clock.run(600);
    expect(heard.slice(1)).toEqual(['server one at 500', 'server two at 500', 'then one', 'then two']);
  });

  test('is closed by its user, or by its server, after all that was sent', async () => {
    const one = await connected();
    one.client.send('last');
    one.client.close();
    await one.clock.run(100);
    expect(one.heard.slice(1)).toEqual([
      'server last at 60.5',
      'server closed 1005 at 60.5',
      'client closed 1005 at 71',
    ]);
    const other = await connected();
    other.server.send('last');
    other.server.close(1013);
    other.server.send('unheard');
    await other.clock.run(100);
    expect(other.heard.slice(1)).toEqual([
      'client last at 60.5',
      'client closed 1013 at 60.5',
      'server closed 1013 at 71',
    ]);
    expect(other.network.open.size).toBe(0);
  });

  test('that the server terminates is closed there at once, also if it broke before', async () => {
    const { clock, heard, server, connection } = await connected();
    connection.cut({ clientLagMs: 0, serverLagMs: 10_000, drains: false });
    server.terminate();
    await clock.run(100);
    expect(heard.slice(1)).toEqual(['client closed 1006 at 50', 'server closed 1006 at 50']);
  });
});

test('a server that crashes hears nothing more, and refuses until it listens again', async () => {
  const { clock, network, heard, client } = await connected();
  client.send('lost');
  network.crash({ clientLagMs: 1, drains: false });
  const Socket = webSocketOf(() => network);
  const refused = new Socket('ws://u0/document');
  refused.onclose = ({ code }) => heard.push(`refused ${code} at ${clock.nowMs()}`);
  await clock.run(100);
  expect(heard.slice(1)).toEqual(['client closed 1006 at 51', 'refused 1006 at 71']);
  network.listen();
  expect(network.connections!.clients.size).toBe(0);
});

test('a line that is down refuses', async () => {
  const { heard } = await connected({ isDown: true });
  expect(heard).toEqual(['client error at 21', 'client closed 1006 at 21']);
});
